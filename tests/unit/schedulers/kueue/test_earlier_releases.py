"""Patch levels that were not run: by the rules of the measured one of their line, never exact, the changes named."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.schedulers.kueue.release import release_named
from kubectl_fairshare.schedulers.kueue.release.earlier import EARLIER
from kubectl_fairshare.schedulers.kueue.release.later import LATER
from kubectl_fairshare.schedulers.kueue.release.patch import OFTEN_CHANGED, PatchRelease
from kubectl_fairshare.schedulers.kueue.release.patches import MEASURED
from kubectl_fairshare.schedulers.kueue.tree.later_uses import LATER_WORDS
from tests.screens import shown
from tests.unit.schedulers.kueue.reading.test_release_signs import flavors, workloads
from tests.unit.schedulers.kueue.test_later_releases import (
    Manifest,
    asked,
    objects,
    with_sharing,
    with_topology,
)

UNMEASURED = [f"0.16.{patch}" for patch in range(9)] + [f"0.17.{patch}" for patch in range(8)] + ["0.19.0", "0.19.1"]


@pytest.mark.parametrize("release", UNMEASURED)
@pytest.mark.parametrize("call", ["plan --queue l --request cpu=1", "shares", "cycle"])
def test_a_plain_state_is_answered_by_the_rules_of_the_measured_patch(tmp_path: Path, release: str, call: str) -> None:
    found = asked(tmp_path, objects(), release, call)
    assert (found["grade"], found["exact"]) == ("by rules", False)
    assert found["rulesOf"] == {"0.16": "v0.16.9", "0.17": "v0.17.8", "0.19": "v0.19.2"}[release[:4]]
    between = int(found["rulesOf"].rpartition(".")[2]) - int(release.rpartition(".")[2])
    assert len(found["laterChanges"]) == between


def test_every_patch_between_an_older_release_and_the_measured_one_has_an_entry() -> None:
    lines = {16: 9, 17: 8, 19: 2}
    assert {*EARLIER} == {(0, minor, patch) for minor, last in lines.items() for patch in range(1, last + 1)}
    assert all(MEASURED[minor][0] == last for minor, last in lines.items())
    assert all(each.whole and each.changes for each in EARLIER.values())


def test_every_feature_that_a_patch_names_has_words() -> None:
    patches = (*EARLIER.values(), *LATER.values())
    named = {feature for patch in patches for feature, _ in patch.changes if feature}
    assert {f"Later{feature}" for feature in named | OFTEN_CHANGED} == {*LATER_WORDS}


@pytest.mark.parametrize("release", ["0.16.10", "0.17.9", "0.18.7", "0.21", "0.15.2"])
def test_a_release_of_which_nothing_is_known_is_not_exact(tmp_path: Path, release: str) -> None:
    found = asked(tmp_path, objects(), release)
    assert (found["grade"], found["rulesOf"], found["exitCode"]) == ("not exact", None, 5)


@pytest.mark.parametrize("release", ["0.16.9", "0.16", "0.17.8", "0.18.0", "0.18.6", "0.19.7"])
def test_a_measured_patch_is_exact(tmp_path: Path, release: str) -> None:
    assert asked(tmp_path, objects(), release)["grade"] == "exact"


def _configured(of: dict[str, Manifest], **settings: Any) -> None:
    head = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
    of["Configuration"] = {**head, **settings}


def with_fair_sharing(of: dict[str, Manifest]) -> None:
    _configured(of, fairSharing={"preemptionStrategies": ["LessThanInitialShare"]})


def with_transformation(of: dict[str, Manifest]) -> None:
    rule = {"input": "cpu", "strategy": "Retain", "outputs": {"example.com/credits": "1"}}
    _configured(of, resources={"transformations": [rule]})


def with_preference(of: dict[str, Manifest]) -> None:
    always = {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "TryNextFlavor"}
    of["ClusterQueue"]["spec"]["flavorFungibility"] = {**always, "preference": "PreemptionOverBorrowing"}


def waiting(name: str = "w", *, pod: Manifest | None = None, **status: Any) -> Manifest:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    pods = [{"name": "main", "count": 1, "template": {"spec": {"containers": [container], **(pod or {})}}}]
    metadata = {"name": name, "namespace": "default", "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"}
    head = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "metadata": metadata}
    spec = {"queueName": "l", "active": True, "priority": 0, "podSets": pods}
    return {**head, "spec": spec, **({"status": status} if status else {})}


def with_selector(of: dict[str, Manifest]) -> None:
    of["ResourceFlavor"]["spec"] = {"nodeLabels": {"pool": "a"}}
    of["Workload"] = waiting(pod={"nodeSelector": {"pool": "a"}})


def with_large_amount(of: dict[str, Manifest]) -> None:
    of["Workload"] = waiting(pod={"containers": [{"name": "c", "resources": {"requests": {"cpu": "9P"}}}]})


def with_wrapped_amount(of: dict[str, Manifest]) -> None:
    """It counts 0 where amounts are plain 64-bit integers."""
    of["Workload"] = waiting(pod={"containers": [{"name": "c", "resources": {"requests": {"memory": "10E"}}}]})


def with_large_sum(of: dict[str, Manifest]) -> None:
    """No pod set has a large amount."""
    of["Workload"] = waiting(pod={"containers": [{"name": "c", "resources": {"requests": {"memory": "3E"}}}]})
    (pods,) = of["Workload"]["spec"]["podSets"]
    of["Workload"]["spec"]["podSets"] = [pods, {**pods, "name": "second"}]


def with_pod_level_resources(of: dict[str, Manifest]) -> None:
    container = {"name": "c", "image": "i"}
    of["Workload"] = waiting(pod={"containers": [container], "resources": {"limits": {"cpu": "1"}}})


def with_reclaimed_pods_of_running_work(of: dict[str, Manifest]) -> None:
    of["Workload"] = waiting(reclaimablePods=[{"name": "main", "count": 1}])
    assigned = {"name": "main", "count": 1, "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "1"}}
    reserved = {"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved", "message": ""}
    conditions = [{**reserved, "lastTransitionTime": "2026-01-01T00:00:00Z"}]
    of["Workload"]["status"] |= {
        "admission": {"clusterQueue": "q", "podSetAssignments": [assigned]},
        "conditions": conditions,
    }


def with_reclaimable(of: dict[str, Manifest]) -> None:
    of["Workload"] = waiting(reclaimablePods=[{"name": "main", "count": 1}])


def with_two_of_one_moment(of: dict[str, Manifest]) -> None:
    of |= {"first": waiting("a"), "second": waiting("b")}


def with_no_request(of: dict[str, Manifest]) -> None:
    of["Workload"] = waiting(pod={"containers": [{"name": "c", "image": "i"}]})


TOUCHED = [
    (with_topology, "TopologyAwareScheduling", "0.16.8", "0.16.9"),
    (with_fair_sharing, "FairSharing", "0.16.4", "0.16.5"),
    (with_preference, "Preferences", "0.16.1", "0.16.2"),
    (with_large_amount, "Amounts", "0.17.2", "0.17.3"),
    (with_two_of_one_moment, "EqualHeads", "0.16.1", "0.16.2"),
    (with_no_request, "NoRequests", "0.16.3", "0.16.4"),
    (with_selector, "NodeLabels", "0.17.5", "0.17.6"),
    (with_transformation, "Transformations", "0.17.6", "0.17.7"),
    (with_reclaimable, "ReclaimablePods", "0.17.6", "0.17.7"),
    (with_reclaimed_pods_of_running_work, "ReclaimablePods", "0.17.6", "0.17.7"),
    (with_wrapped_amount, "Amounts", "0.19.0", "0.19.1"),
    (with_wrapped_amount, "Amounts", "0.17.2", "0.17.3"),
    (with_large_sum, "Amounts", "0.16.7", "0.16.8"),
    (with_pod_level_resources, "PodLevelResources", "0.17.6", "0.17.7"),
]


@pytest.mark.parametrize(
    ("change", "feature", "before", "after"), TOUCHED, ids=[f"{each[1]} {each[0].__name__}" for each in TOUCHED]
)
@pytest.mark.parametrize("call", ["shares", "cycle"])
def test_what_a_patch_between_changed_is_never_answered_by_rules(
    tmp_path: Path, call: str, change: Any, feature: str, before: str, after: str
) -> None:
    of = objects()
    change(of)
    grades = {release: asked(tmp_path, of, release, call) for release in (before, after)}
    named = {release: {gap["feature"] for gap in each["notModelled"]} for release, each in grades.items()}
    assert (grades[before]["grade"], f"Later{feature}" in named[before]) == ("not exact", True)
    assert f"Later{feature}" not in named[after]


@pytest.mark.parametrize(("release", "grade"), [("0.18.0", "not exact"), ("0.18.5", "not exact"), ("0.18.6", "exact")])
def test_past_usage_was_recorded_of_the_last_patch_alone(tmp_path: Path, release: str, grade: str) -> None:
    of = objects()
    with_sharing(of)
    assert asked(tmp_path, of, release, "plan --queue l --request cpu=1")["grade"] == grade


@pytest.mark.parametrize("change", [each[0] for each in TOUCHED], ids=[each[1] for each in TOUCHED])
def test_a_line_whose_patch_is_not_known_is_settled_by_none_of_its_laws(tmp_path: Path, change: Any) -> None:
    """The CRDs of a cluster name the line: each law in which its patches differ is open."""
    of = objects()
    of |= {each["metadata"]["name"]: each for each in (workloads(8), flavors("self.x == oldSelf.x"))}  # 0.17
    (tmp_path / "signs.yaml").write_text(yaml.safe_dump_all(of.values()), "utf-8")
    plain = shown(f"kubectl-fairshare cycle -f {tmp_path}/signs.yaml -o json")
    assert json.loads(plain.stdout)["fidelity"]["grade"] == "by rules"
    change(of)
    (tmp_path / "signs.yaml").write_text(yaml.safe_dump_all(of.values()), "utf-8")
    changed = shown(f"kubectl-fairshare cycle -f {tmp_path}/signs.yaml -o json")
    assert json.loads(changed.stdout)["fidelity"]["grade"] == "not exact"


RAY = """
{apiVersion: ray.io/v1, kind: RayCluster,
 metadata: {name: r, namespace: default, labels: {kueue.x-k8s.io/queue-name: l}},
 spec: {suspend: true, headGroupSpec: {rayStartParams: {}, template: {spec: {containers: [
 {name: h, image: i, resources: {requests: {cpu: 1}}}]}}}}}
"""


@pytest.mark.parametrize(("release", "grade"), [("0.17.6", "not exact"), ("0.17.7", "by rules"), ("0.17.8", "exact")])
def test_a_job_that_is_asked_for_counts_by_what_patches_changed_of_its_kind(
    tmp_path: Path, release: str, grade: str
) -> None:
    path = tmp_path / "ray.yaml"
    path.write_text(RAY, "utf-8")
    assert asked(tmp_path, objects(), release, f"plan -w {path}")["grade"] == grade


def test_a_new_patch_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(tmp_path, objects(), "0.20.8")["grade"] == "not exact"
    monkeypatch.setitem(LATER, (0, 20, 8), PatchRelease(whole=True, changes=(("", "a new word"),)))
    found = asked(tmp_path, objects(), "0.20.8")
    assert (found["grade"], found["laterChanges"][-1]) == ("by rules", "v0.20.8: a new word")


def test_a_patch_knows_its_own_gates() -> None:
    known = {text: release_named(text).gates for text in ("0.16.2", "0.16.3", "0.16.4", "0.17.5", "0.17.6")}
    assert "FairSharingPreemptWithinNominal" in known["0.16.2"].gone
    hashing = [known[text].is_on("SchedulingEquivalenceHashing") for text in ("0.16.2", "0.16.3", "0.16.4")]
    assert hashing == [False, True, False]
    assert ["TASRecomputeAssignmentWithinSchedulingCycle" in known[text].gone for text in ("0.17.5", "0.17.6")] == [
        True,
        False,
    ]


def test_lists_of_patches_are_in_order() -> None:
    assert all(a < b for table in (EARLIER, LATER) for a, b in itertools.pairwise(table))
