"""What is read: settings, gates, annotations, reservations, pods of templates and of options."""

from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.model.errors import FairshareError, UsageError
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.schedulers.koordinator.jobs.amounts import amounts_of_shape, renamed_shape, written_request
from kubectl_fairshare.schedulers.koordinator.jobs.described import described_pod, described_size
from kubectl_fairshare.schedulers.koordinator.model.amounts import inner
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, KoordinatorState
from kubectl_fairshare.schedulers.koordinator.reading.annotations import resource_list, text_list, trimmed
from kubectl_fairshare.schedulers.koordinator.reading.gates import wished_gates
from kubectl_fairshare.schedulers.koordinator.reads import READS
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.question import Wishes
from kubectl_fairshare.schedulers.recording import manifest_of
from tests.unit.schedulers.koordinator.build import PREFIX, Object, manifests, node, pod, quota, snapshot

PLUGINS = {point: {"enabled": [{"name": "ElasticQuota"}]} for point in ("preFilter", "postFilter", "reserve")}


def configuration(args: Object, **plugins: Any) -> Object:
    profile = {
        "schedulerName": "koord-scheduler",
        "plugins": {**PLUGINS, **plugins},
        "pluginConfig": [{"name": "ElasticQuota", "args": args}],
    }
    version = "kubescheduler.config.k8s.io/v1"
    return {
        "apiVersion": version,
        "kind": "KubeSchedulerConfiguration",
        "metadata": {"name": "c"},
        "profiles": [profile],
    }


def deployment(name: str, gates: str, tag: str = "v1.8.0") -> Object:
    container = {"name": "main", "image": f"koordinatorsh/{name}:{tag}", "args": [f"--feature-gates={gates}"]}
    spec = {"template": {"spec": {"containers": [container]}}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "k"}, "spec": spec}


def part(*objects: Object) -> KoordinatorState:
    return snapshot(quota("a", {"cpu": 1}, {"cpu": 2}), *objects).part(KoordinatorState)


def test_the_arguments_of_the_plugin_are_read_with_their_defaults() -> None:
    found = part(configuration({"enableRuntimeQuota": False, "defaultQuotaGroupMax": {"cpu": "8"}})).arguments
    assert (found.uses_runtime, found.scales_min, found.spares_default) == (False, True, True)
    assert (dict(found.default_max), dict(found.system_max)["cpu"]) == ({"cpu": "8"}, "1844674407370955161")


def test_an_empty_map_counts_as_missing() -> None:
    assert "cpu" in part(configuration({"defaultQuotaGroupMax": {}})).arguments.default_max


def test_a_profile_that_decides_otherwise_is_noticed() -> None:
    usual = part(configuration({}))
    assert (usual.profiles, dict(usual.altered), usual.alone) == (("koord-scheduler",), {}, frozenset())
    other = part(configuration({}, filter={"enabled": [{"name": "Mine"}]}))
    assert list(other.altered) == ["koord-scheduler"]
    off = {"enabled": [{"name": "ElasticQuota"}], "disabled": [{"name": "DefaultPreemption"}]}
    assert part(configuration({}, postFilter=off)).alone == {"koord-scheduler"}


@pytest.mark.parametrize(
    ("after", "everywhere", "early"),
    [
        ({"disabled": ["*"], "enabled": ["ElasticQuota", "DefaultPreemption"]}, {}, False),
        ({"disabled": ["*"], "enabled": ["DefaultPreemption", "ElasticQuota"]}, {}, True),
        ({"enabled": ["ElasticQuota", "DefaultPreemption"]}, {}, True),
        ({"enabled": ["ElasticQuota", "DefaultPreemption"]}, {"enabled": ["ElasticQuota"]}, False),
        ({"enabled": ["ElasticQuota", "DefaultPreemption"]}, {"disabled": ["DefaultPreemption"]}, False),
        ({}, {"enabled": ["ElasticQuota"]}, True),
        ({}, {"disabled": ["*"], "enabled": ["ElasticQuota", "DefaultPreemption"]}, False),
    ],
)
def test_the_order_of_plugins_is_that_of_kubernetes(
    after: dict[str, list[str]], everywhere: dict[str, list[str]], early: bool
) -> None:
    """Plugins of both lists, then those of ``multiPoint``, defaults first, then those of the own list alone."""
    lists = {
        point: {which: [{"name": name} for name in names] for which, names in each.items()}
        for point, each in (("postFilter", after), ("multiPoint", everywhere))
    }
    assert bool(part(configuration({}, **lists)).early) is early


def test_gates_and_release_come_from_deployments() -> None:
    found = part(deployment("koord-scheduler", "MultiQuotaTree=true,Other=true", "v1.9.1"))
    assert (found.gates, found.rounding) == (Gates(multi_tree=True), Rounding.LARGEST_REMAINDER)
    assert wished_gates(["MultiQuotaTree=false", "DisableDefaultQuota"], found.gates) == Gates(no_default=True)
    with pytest.raises(UsageError, match="sets no gate"):
        wished_gates(["MultiQuotaTrees"], found.gates)


def test_the_deployment_that_sets_gates_is_not_skipped() -> None:
    of = quota("a", {"cpu": 1}, {"cpu": 2})
    assert not snapshot(of, deployment("koord-scheduler", "MultiQuotaTree=true")).skipped
    assert list(snapshot(of, deployment("web", "MultiQuotaTree=true")).skipped) == ["apps/v1 Deployment"]


def test_without_a_quota_nothing_is_read() -> None:
    assert snapshot(node(), pod("p")).part(KoordinatorState).pods == ()


def test_a_label_that_is_no_text_is_refused_and_not_an_empty_quota() -> None:
    odd = quota("org", {"cpu": 1}, {"cpu": 2})
    odd["metadata"]["labels"][f"{PREFIX}is-parent"] = True
    with pytest.raises(FairshareError, match=r"labels.*: expected a string"):
        assemble([manifest_of(odd, Origin("built", 0))], KnownSchedulers((READS,)))


def test_a_new_quota_has_the_tree_that_the_webhook_fills_in() -> None:
    pair = [quota("org", {"cpu": 1}, {"cpu": 2}, tree_id="t"), quota("team", {"cpu": 1}, {"cpu": 2}, "org")]
    new = assemble(
        [manifest_of(each, Origin("built", i)) for i, each in enumerate(pair)], KnownSchedulers((READS,))
    ).snapshot
    assert new.part(KoordinatorState).quotas["team"].tree == "t"
    assert snapshot(*pair).part(KoordinatorState).quotas["team"].tree == ""  # as it is stored


def test_a_new_quota_has_the_weights_that_the_webhook_completes() -> None:
    part_of_max = quota("a", {"cpu": 1}, {"cpu": 2, "memory": 8}, weight={"cpu": 5, "pods": 1})
    new = assemble([manifest_of(part_of_max, Origin("built", 0))], KnownSchedulers((READS,))).snapshot
    of = [each.part(KoordinatorState).quotas["a"].weight for each in (new, snapshot(part_of_max))]
    assert of == [{"cpu": 5 * 10**9, "memory": 8 * 10**9}, {"cpu": 5 * 10**9, "pods": 10**9}]


def test_a_malformed_amount_is_refused_at_its_field() -> None:
    objects = manifests(quota("a", {"cpu": "x"}, {"cpu": 1}))
    with pytest.raises(FairshareError, match="not a quantity"):
        assemble(objects, KnownSchedulers((READS,)))


@pytest.mark.parametrize(
    ("text", "found"),
    [('{"cpu": "1"}', {"cpu": 10**9}), ("null", {}), ("{", None), ('{"cpu": "x"}', None), ("[]", None), ("NaN", None)],
)
def test_a_resource_list_in_an_annotation(text: str, found: object) -> None:
    assert resource_list(text) == found


def test_a_list_of_namespaces_in_an_annotation() -> None:
    assert (text_list('["a", null]'), text_list("null"), text_list("{}"), text_list("[1]")) == (
        ("a", ""),
        (),
        None,
        None,
    )


def test_a_reservation_is_taken_off_a_node() -> None:
    whole = {"cpu": 8 * 10**9}
    assert trimmed(whole, '{"resources": {"cpu": "2"}}')["cpu"] == 6 * 10**9
    assert trimmed(whole, '{"reservedCPUs": "0-2,5"}')["cpu"] == 4 * 10**9
    assert trimmed(whole, '{"resources": {"cpu": "2"}, "applyPolicy": "ReservedCPUsOnly"}') == whole
    assert trimmed(whole, "{") == whole


def test_a_pod_requests_the_larger_of_containers_and_init_containers_plus_overhead() -> None:
    spec = {
        "containers": [
            {"name": "a", "resources": {"requests": {"cpu": "1"}}},
            {"name": "b", "resources": {"limits": {"cpu": "1"}}},
        ],
        "initContainers": [
            {"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}},
            {"name": "i", "resources": {"requests": {"cpu": "3", "kubernetes.io/gpu": "1"}}},
        ],
        "overhead": {"cpu": "500m"},
    }
    shape = renamed_shape(spec, {}, None, (), stored=True)
    found = amounts_of_shape(shape)
    assert inner(found.charge) == {"cpu": 4500, "koordinator.sh/gpu": 1}
    assert inner(found.bare) == {"cpu": 4000, "koordinator.sh/gpu": 1}
    assert str(written_request(shape, overhead=True)["cpu"]) == "4500m"


def test_a_described_pod_names_its_quota() -> None:
    of = snapshot(quota("a", {"cpu": 1}, {"cpu": 2}))
    found = described_pod(Wishes(queue="a", request=("cpu=1",)), "lab", of, PodContext())
    assert found.data["metadata"]["labels"] == {"quota.scheduling.koordinator.sh/name": "a"}
    with pytest.raises(UsageError, match="no quota is called `b`"):
        described_pod(Wishes(queue="b", request=("cpu=1",)), "lab", of, PodContext())


def test_a_size_is_in_inner_units() -> None:
    assert described_size(["cpu=1500m,memory=1Gi"]) == {"cpu": 1500, "memory": 1 << 30}
    assert described_size([]) == {}
    with pytest.raises(UsageError):
        described_size(["cpu"])


@pytest.mark.parametrize(
    ("gates", "odd"),
    [
        ("SchedulerQueueingHints=false,DynamicResourceAllocation=false,ContextualLogging=true", []),
        ("SidecarContainers=true,PodLevelResources=true,InPlacePodVerticalScaling=true", []),
        ("SidecarContainers=false", ["SidecarContainers=false"]),
        ("PodLevelResources=false,ResizePod=true", ["PodLevelResources=false", "ResizePod=true"]),
        ("DRAExtendedResource=true,GangScheduling=true", ["DRAExtendedResource=true", "GangScheduling=true"]),
        ("NoSuchGate=false", ["NoSuchGate=false"]),
    ],
)
def test_a_gate_of_kubernetes_is_a_gap_if_it_can_touch_the_decision(gates: str, odd: list[str]) -> None:
    assert list(part(deployment("koord-scheduler", gates)).odd_gates) == odd


def test_gates_are_read_from_two_words_and_a_container_may_have_none() -> None:
    apart = deployment("koord-scheduler", "")
    (container,) = apart["spec"]["template"]["spec"]["containers"]
    container["args"] = ["--feature-gates", "MultiQuotaTree=true"]
    assert part(apart).gates.multi_tree
    del container["args"]
    assert part(apart).gates == Gates()
