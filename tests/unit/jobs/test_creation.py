"""New pods that the ResourceQuotas of their namespace reject; a real API server answers alike in ``tests/live``."""

from typing import Any

import pytest

from kubectl_fairshare.answers.fidelity import CHANCE_DEFAULTS, CROWDED, INVALID, REJECTED, UNREAD
from kubectl_fairshare.jobs.context import pod_context
from kubectl_fairshare.jobs.creation import creation_gaps, has_been_created
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.jobs.resource_quotas import pod_usage
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin, Place
from kubectl_fairshare.model.manifest import Manifest

KEY = ObjectKey("", "Pod", "team", "asked")
QUOTA = ObjectKey("", "ResourceQuota", "team", "bounds")


def manifest(kind: str, name: str, data: dict[str, Any], group: str = "", namespace: str = "team") -> Manifest:
    metadata = {"name": name, "namespace": namespace}
    return Manifest(ObjectKey(group, kind, namespace, name), "v1", {"metadata": metadata, **data}, Origin("", 0))


def quota(hard: dict[str, str], **more: Any) -> Manifest:
    return manifest("ResourceQuota", "bounds", {"spec": {"hard": hard, **more}})


def spec(requests: dict[str, str] | None = None, limits: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {"containers": [{"name": "c", "resources": {"requests": requests or {}, "limits": limits or {}}}], **more}


def rejecting(pods: list[dict[str, Any]], *manifests: Manifest) -> list[str]:
    """The bounds that reject new pods, as paths."""
    found = {each.key: each for each in manifests}
    around = surroundings(manifests, pod_context(manifests, []))
    gaps = creation_gaps(found, [(KEY._replace(name=f"p{n}"), each) for n, each in enumerate(pods)], around)
    assert {gap.feature for gap in gaps} <= {REJECTED}
    return [".".join(map(str, place.path)) for gap in gaps for place in gap.places]


@pytest.mark.parametrize(
    ("hard", "pod", "rejected"),
    [
        ({"cpu": "2"}, spec({"cpu": "2"}), False),
        ({"cpu": "2"}, spec({"cpu": "2001m"}), True),
        ({"requests.cpu": "2"}, spec(limits={"cpu": "3"}), True),
        ({"limits.cpu": "2"}, spec({"cpu": "1"}, {"cpu": "3"}), True),
        ({"limits.cpu": "2"}, spec({"cpu": "1"}), True),
        ({"memory": "2Gi"}, spec({"cpu": "1"}), True),
        ({"ephemeral-storage": "2Gi"}, spec({"cpu": "1"}), False),
        ({"requests.example.com/gpu": "2"}, spec(limits={"example.com/gpu": "3"}), True),
        ({"example.com/gpu": "2"}, spec(limits={"example.com/gpu": "3"}), False),
        ({"pods": "0"}, spec(), True),
        ({"count/pods": "0"}, spec(), True),
        ({"services": "0"}, spec(), False),
        ({"hugepages-2Mi": "2Mi"}, spec(limits={"hugepages-2Mi": "4Mi"}), True),
        ({"cpu": "2"}, {"containers": [{"name": "c"}], "resources": {"requests": {"cpu": "1"}}}, False),
        ({"cpu": "2"}, {"containers": [{"name": "c"}], "resources": {"limits": {"cpu": "3"}}}, True),
    ],
)
def test_a_pod_beyond_a_bound_or_without_a_bounded_amount_is_rejected(
    hard: dict[str, str], pod: dict[str, Any], rejected: bool
) -> None:
    (name,) = hard
    assert rejecting([pod], quota(hard)) == ([f"spec.hard.{name}"] if rejected else [])


@pytest.mark.parametrize(
    ("scopes", "pod", "counted"),
    [
        ({"scopes": ["Terminating"]}, spec({"cpu": "1"}, activeDeadlineSeconds=0), True),
        ({"scopes": ["Terminating"]}, spec({"cpu": "1"}), False),
        ({"scopes": ["NotTerminating"]}, spec({"cpu": "1"}), True),
        ({"scopes": ["BestEffort"]}, spec(limits={"example.com/gpu": "1"}), True),
        ({"scopes": ["BestEffort"]}, spec({"cpu": "1"}), False),
        ({"scopes": ["NotBestEffort"]}, spec(limits={"memory": "1"}), True),
        ({"scopes": ["NotBestEffort", "Terminating"]}, spec({"cpu": "1"}), False),
        ({"scopes": ["PriorityClass"]}, spec(priorityClassName="high"), True),
        ({"scopes": ["PriorityClass"]}, spec(), False),
        ({"scopes": ["VolumeAttributesClass"]}, spec(), False),
        (
            {"scopes": ["CrossNamespacePodAffinity"]},
            spec(
                affinity={
                    "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"namespaceSelector": {}}]}
                }
            ),
            True,
        ),
        ({"scopes": ["CrossNamespacePodAffinity"]}, spec(affinity={"podAffinity": {}}), False),
    ],
)
def test_a_quota_counts_the_pods_of_its_scopes(scopes: dict[str, Any], pod: dict[str, Any], counted: bool) -> None:
    assert bool(rejecting([pod], quota({"pods": "0"}, **scopes))) == counted


@pytest.mark.parametrize(
    ("operator", "values", "counted"),
    [("In", ["high"], True), ("In", ["low"], False), ("NotIn", ["high"], False), ("NotIn", ["low"], True)],
)
def test_a_quota_selects_priority_classes(operator: str, values: list[str], counted: bool) -> None:
    expression = {"scopeName": "PriorityClass", "operator": operator, "values": values}
    bound = quota({"pods": "0"}, scopeSelector={"matchExpressions": [expression]})
    assert bool(rejecting([spec(priorityClassName="high")], bound)) == counted
    default = manifest("PriorityClass", "high", {"value": 5, "globalDefault": True}, "scheduling.k8s.io", "")
    assert bool(rejecting([spec()], bound, default)) == counted


def test_what_other_pods_use_counts_as_the_status_says_or_as_they_add_up() -> None:
    other = manifest("Pod", "other", {"spec": spec({"cpu": "1"}), "status": {"phase": "Pending"}})
    ended = manifest("Pod", "ended", {"spec": spec({"cpu": "1"}), "status": {"phase": "Failed"}})
    pod = spec({"cpu": "1"})
    assert rejecting([pod], quota({"cpu": "2"}), other, ended) == []
    assert rejecting([pod], quota({"cpu": "1"}), other) == ["spec.hard.cpu"]
    status = {"hard": {"cpu": "2"}, "used": {"cpu": "1500m"}}
    written = manifest("ResourceQuota", "bounds", {"spec": {"hard": {"cpu": "9"}}, "status": status})
    assert rejecting([pod], written) == ["status.hard.cpu"]
    elsewhere = manifest("Pod", "other", {"spec": spec({"cpu": "1"}, nodeName="n")}, namespace="b")
    assert rejecting([pod], quota({"cpu": "1"}), elsewhere) == []


OWNER = [{"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "j", "controller": True}]


@pytest.mark.parametrize(
    ("pod", "there"),
    [
        ({"spec": spec({"cpu": "1"})}, False),
        ({"spec": spec({"cpu": "1"}, nodeName="n")}, True),
        ({"spec": spec({"cpu": "1"}), "status": {"phase": "Pending"}}, True),
        ({"spec": spec({"cpu": "1"}), "metadata": {"name": "o", "namespace": "team", "uid": "u"}}, True),
        ({"spec": spec({"cpu": "1"}), "metadata": {"name": "o", "ownerReferences": OWNER}}, True),
    ],
)
def test_a_pod_that_no_api_server_has_uses_nothing_but_may_come_first(pod: dict[str, Any], there: bool) -> None:
    other = manifest("Pod", "other", pod)
    assert has_been_created(other) is there
    for bound, feature in (("1", REJECTED if there else CROWDED), ("2", None)):
        manifests = (quota({"cpu": bound}), other)
        around = surroundings(manifests, pod_context(manifests, []))
        gaps = creation_gaps({m.key: m for m in manifests}, [(KEY, spec({"cpu": "1"}))], around)
        assert [(gap.feature, gap.touches) for gap in gaps] == ([] if feature is None else [(feature, True)])


@pytest.mark.parametrize(
    ("others", "used", "feature"), [(1, "0", None), (2, "0", CROWDED), (1, "1", CROWDED), (0, "1", None)]
)
def test_what_a_status_says_is_used_has_no_new_pods(others: int, used: str, feature: str | None) -> None:
    status = {"hard": {"cpu": "2"}, "used": {"cpu": used}}
    bounds = manifest("ResourceQuota", "bounds", {"spec": {"hard": {"cpu": "2"}}, "status": status})
    manifests = (bounds, *(manifest("Pod", f"new{n}", {"spec": spec({"cpu": "1"})}) for n in range(others)))
    around = surroundings(manifests, pod_context(manifests, []))
    gaps = creation_gaps({m.key: m for m in manifests}, [(KEY, spec({"cpu": "1"}))], around)
    assert [gap.feature for gap in gaps] == ([] if feature is None else [feature])


@pytest.mark.parametrize(
    ("requests", "limits", "invalid"),
    [
        ({"cpu": "2"}, {"cpu": "1"}, True),
        ({"cpu": "1"}, {"cpu": "2"}, False),
        ({"cpu": "2"}, {"memory": "1"}, False),
        ({"example.com/gpu": "1"}, {"example.com/gpu": "2"}, True),
        ({"example.com/gpu": "2"}, {"example.com/gpu": "2"}, False),
    ],
)
def test_an_api_server_takes_no_pod_that_requests_above_its_limits(
    requests: dict[str, str], limits: dict[str, str], invalid: bool
) -> None:
    gaps = creation_gaps({}, [(KEY, spec(requests, limits))], surroundings((), pod_context((), [])))
    assert [gap.feature for gap in gaps] == ([INVALID] if invalid else [])


def test_a_default_limit_counts_as_a_limit() -> None:
    defaults = manifest("LimitRange", "d", {"spec": {"limits": [{"type": "Container", "default": {"cpu": "1"}}]}})
    around = surroundings([defaults], pod_context([defaults], []))
    assert [gap.feature for gap in creation_gaps({}, [(KEY, spec({"cpu": "2"}))], around)] == [INVALID]


def test_a_described_pod_may_lack_amounts_but_not_exceed_bounds() -> None:
    bound = quota({"cpu": "2", "memory": "2"})
    around = surroundings((), pod_context((), []))
    pods = [(KEY, spec({"cpu": "3"}))]
    (gap,) = creation_gaps({QUOTA: bound}, pods, around, described=True)
    assert [str(place) for place in gap.places] == ["ResourceQuota team/bounds spec.hard.cpu"]
    assert len(creation_gaps({QUOTA: bound}, pods, around)[0].places) == 2


def test_pods_count_one_after_the_other() -> None:
    assert rejecting([spec({"cpu": "1"})] * 2, quota({"cpu": "2"})) == []
    assert rejecting([spec({"cpu": "1"})] * 3, quota({"cpu": "2"})) == ["spec.hard.cpu"]


def test_defaults_of_limit_ranges_count() -> None:
    defaults = manifest("LimitRange", "d", {"spec": {"limits": [{"type": "Container", "default": {"cpu": "3"}}]}})
    assert rejecting([spec()], quota({"limits.cpu": "2"}), defaults) == ["spec.hard.limits.cpu"]
    assert rejecting([spec()], quota({"limits.cpu": "3", "cpu": "3"}), defaults) == []


def test_init_containers_count_with_their_peak_and_sidecars_for_good() -> None:
    start: dict[str, Any] = {"name": "i", "resources": {"requests": {"cpu": "3"}}}
    side: dict[str, Any] = {"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "2"}}}
    assert pod_usage(spec({"cpu": "1"}, initContainers=[start]))["cpu"] == 3 * 10**9
    assert pod_usage(spec({"cpu": "1"}, initContainers=[side]))["cpu"] == 3 * 10**9
    assert pod_usage(spec({"cpu": "1"}, initContainers=[side, start]))["cpu"] == 5 * 10**9
    assert pod_usage(spec({"cpu": "4"}, initContainers=[start, side]))["cpu"] == 6 * 10**9


def test_overhead_adds_to_limits_that_are_set() -> None:
    found = pod_usage(spec({"cpu": "1"}, {"cpu": "1"}, overhead={"cpu": "1", "memory": "5"}))
    assert (found["requests.cpu"], found["limits.cpu"], found["memory"]) == (2 * 10**9, 2 * 10**9, 5 * 10**9)
    assert "limits.memory" not in found


def test_quotas_that_could_not_be_read_are_a_gap_of_their_own() -> None:
    around = surroundings((), pod_context((), []))
    (gap,) = creation_gaps({}, [(KEY, spec())], around, ["ResourceQuota"])
    assert (gap.feature, gap.subject, gap.touches) == (UNREAD, "ResourceQuota", True)
    assert creation_gaps({}, [], around, ["ResourceQuota"]) == ()


def test_an_amount_of_another_type_is_reported_at_its_field() -> None:
    with pytest.raises(FairshareError) as caught:
        rejecting([spec({"cpu": "many"})], quota({"cpu": "1"}))
    (problem,) = caught.value.problems
    assert isinstance(problem.place, Place)
    assert problem.place.path[:2] == ("spec", "containers")


def limit_range(name: str, item: dict[str, Any]) -> Manifest:
    return manifest("LimitRange", name, {"spec": {"limits": [{"type": "Container", **item}]}})


@pytest.mark.parametrize(
    ("other", "pod", "chance"),
    [
        ("3", spec(), True),
        ("3", spec({"memory": "1"}), True),
        ("3", spec({"cpu": "3"}), True),
        ("3", spec({"cpu": "2"}), False),
        ("3", spec(limits={"cpu": "1"}), False),
        ("2000m", spec(), False),
    ],
)
def test_one_of_several_defaults_counts_by_chance(other: str, pod: dict[str, Any], chance: bool) -> None:
    manifests = [limit_range("a", {"default": {"cpu": "2"}}), limit_range("b", {"default": {"cpu": other}})]
    around = surroundings(manifests, pod_context(manifests, []))
    gaps = creation_gaps({each.key: each for each in manifests}, [(KEY, pod)], around)
    assert (CHANCE_DEFAULTS in {gap.feature for gap in gaps}) is chance
