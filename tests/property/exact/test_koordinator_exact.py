"""No answer about Koordinator is exact where a field, an object or a setting that is not modelled can change it.

Every label and annotation of Koordinator, every field of a pod, every feature gate of its scheduler and every argument
of its plugin is modelled, a gap, or of no account; a new one belongs to one of the three. On recorded cases one that is
a gap takes ``exact`` from every placement, and one of no account changes nothing.
"""

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.conformance.run import cases
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.figures import runtime_table
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, KoordinatorState
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of
from kubectl_fairshare.schedulers.koordinator.reading.arguments import arguments_of
from kubectl_fairshare.schedulers.koordinator.reading.gates import IDLE as IDLE_GATES
from kubectl_fairshare.schedulers.koordinator.reading.gates import KNOWN as MODELLED_GATES
from kubectl_fairshare.schedulers.koordinator.reading.gates import gates_of
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of
from tests.property.exact.koordinator_marks import (
    ARGUMENTS,
    GAP_GATES,
    IDLE_ARGUMENTS,
    IDLE_MARKS,
    IDLE_NODE_MARKS,
    NODE_MARKS,
    PLUGINS,
    POD_LABELS,
    POD_MARKS,
    QUOTA_MARKS,
    QUOTAS,
    SCHEDULER_GATES,
)
from tests.property.exact.pod_fields import GAPS, IDLE, REQUIRED
from tests.sampling import sampled

RECORDED = Path(__file__).resolve().parents[3] / "testdata" / "conformance" / "koordinator.jsonl.gz"
KNOWN = known_schedulers()
SCHEDULER = "koord-scheduler"
Change = Callable[[list[Any], Any], None]


@cache
def recorded() -> list[Any]:
    return list(cases(RECORDED))


def state_in(case: Any, objects: list[Any]) -> State:
    """The state of a case's objects, as its replay makes it, with the settings that the objects bring."""
    config = case.get("config") or {}
    source = assemble(manifests_of(map(accepted_form, objects), case["name"]), KNOWN).snapshot.part(KoordinatorState)
    arguments = arguments_of(Field(ObjectKey("", "ElasticQuotaArgs", "", "args"), (), config.get("args") or {}))
    if source.arguments != Arguments():
        arguments = replace(source.arguments, place=None)
    gates = gates_of(config.get("featureGates") or {}, source.gates)
    return state_of(replace(source, arguments=arguments, gates=gates))


def changed(case: Any, pod: str, change: Change | None) -> State:
    objects = copy.deepcopy(case["objects"])
    if change is not None:
        change(objects, next(o for o in objects if o["kind"] == "Pod" and named(o) == pod))
    return state_in(case, objects)


def planned(case: Any, pod: str, change: Change | None = None) -> Plan:
    """The plan of one pod, once ``change`` has been made to the objects and to the pod."""
    of = changed(case, pod, change)
    return plan(of, next(p for p in of.source.pods if p.name == pod), None, remedied=False)


def named(of: Any) -> str:
    return f"{of['metadata']['namespace']}/{of['metadata']['name']}"


@cache
def asked(ends: tuple[str, ...], most: int = 3) -> list[tuple[Any, str]]:
    """Pods of recorded cases whose attempt ends so, for sure: the first of each of the cases, spread over all."""
    found = []
    for case in recorded():
        own = {named(o) for o in case["objects"] if o["kind"] == "Pod" and o["spec"].get("schedulerName") == SCHEDULER}
        pods = [name for name, pod in case["expected"]["pods"].items() if pod["outcome"] in ends and name in own]
        if pods and planned(case, pods[0]).fidelity.exact:
            found.append((case, pods[0]))
    return found[:: max(1, len(found) // most)][:most]


def placed() -> Iterator[tuple[Any, str]]:
    """Pods that get a node, at once or after preemption."""
    for case, pod in (*asked(("Schedulable",), 1), *asked(("Preempt",), 4)):
        if planned(case, pod).outcome in (Outcome.ADMITTED, Outcome.PREEMPTS):
            yield case, pod


def waiting() -> list[tuple[Any, str]]:
    return asked(("NoCandidate", "NotEligible"))


def field(name: str, value: Any) -> Change:
    def change(_: list[Any], pod: Any) -> None:
        ports = {"ports": [{"containerPort": 80}]} if name == "hostNetwork" else {}
        pod["spec"]["containers"] = [{**container, **ports} for container in pod["spec"]["containers"]]
        pod["spec"][name] = value

    return change


def mark(kind: str, names: dict[str, str]) -> Change:
    def change(_: list[Any], pod: Any) -> None:
        pod["metadata"].setdefault(kind, {}).update(names)

    return change


def mark_all(of: str, marks: dict[str, dict[str, str]]) -> Change:
    def change(objects: list[Any], _: Any) -> None:
        for each in (o for o in objects if o["kind"] == of):
            for kind, names in marks.items():
                each["metadata"].setdefault(kind, {}).update(names)

    return change


def thing(kind: str, group: str, **body: Any) -> Change:
    metadata = {"name": "x", "uid": "x", "resourceVersion": "1"}
    return lambda objects, _: objects.append(
        {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": metadata, **body}
    )


def together(*changes: Change) -> Change:
    def change(objects: list[Any], pod: Any) -> None:
        for each in changes:
            each(objects, pod)

    return change


def with_gate(gate: str, value: str) -> Change:
    container = {
        "name": "s",
        "image": "example.com/koord-scheduler:v1.8.0",
        "args": [f"--feature-gates={gate}={value}"],
    }
    spec = {"template": {"spec": {"containers": [container]}}}
    metadata = {"name": SCHEDULER, "namespace": "koordinator-system", "resourceVersion": "1"}
    made = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    return lambda objects, _: objects.append(made)


def configuration(args: dict[str, Any], **more: Any) -> Change:
    """A profile of the scheduler of all pods, as Koordinator's chart has it."""
    filters = [{"name": n} for n in ("LoadAwareScheduling", "NodeNUMAResource", "DeviceShare", "Reservation")]
    plugins = {
        "preFilter": {"enabled": [{"name": "ElasticQuota"}, {"name": "SchedulingHint"}]},
        "filter": {"enabled": filters},
        "postFilter": {
            "disabled": [{"name": "*"}],
            "enabled": [{"name": "ElasticQuota"}, {"name": "DefaultPreemption"}],
        },
        "reserve": {"enabled": [{"name": "ElasticQuota"}]},
    }
    configs = [{"name": "ElasticQuota", "args": args}, *more.pop("configs", ())]
    profile = {"schedulerName": SCHEDULER, "plugins": {**plugins, **more}, "pluginConfig": configs}
    made = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "metadata": {"name": "c", "resourceVersion": "1"},
        "profiles": [profile],
    }
    return lambda objects, _: objects.append(made)


LOADLESS = {"name": "LoadAwareScheduling", "args": {"usageThresholds": {"cpu": 0, "memory": 0}}}
LOADED = thing("NodeMetric", "slo.koordinator.sh", status={"nodeMetric": {"nodeUsage": {}}})
DEVICE = thing("Device", PLUGINS, spec={"devices": [{"type": "gpu"}]})
RESERVED = thing("Reservation", PLUGINS, spec={"owners": []}, status={"phase": "Available"})
ALIGNED = thing("NodeResourceTopology", "topology.node.k8s.io", topologyPolicies=["SingleNUMANodePodLevel"])


def cards(*names: str) -> Change:
    """Devices that all nodes count, in limits alone: the API server makes requests of them."""

    def change(objects: list[Any], pod: Any) -> None:
        pod["spec"]["containers"][0]["resources"]["limits"] = dict.fromkeys(names, "1")
        for node in (o for o in objects if o["kind"] == "Node"):
            node["status"]["allocatable"] |= dict.fromkeys(names, "8")

    return change


a_card = cards("nvidia.com/gpu")


def a_device(_: list[Any], pod: Any) -> None:
    pod["spec"]["containers"][0]["resources"]["limits"] = {"koordinator.sh/gpu-core": "0"}


def a_lonely_pod(objects: list[Any], _: Any) -> None:
    node = next(o for o in objects if o["kind"] == "Node")["metadata"]["name"]
    spec = {"containers": [{"name": "m"}], "affinity": {"podAntiAffinity": REQUIRED}, "priority": 0, "nodeName": node}
    metadata = {"name": "lonely", "namespace": "elsewhere", "uid": "lonely"}
    objects.append(
        {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Running"}}
    )


def a_deletion(kind: str) -> Change:
    def change(objects: list[Any], pod: Any) -> None:
        leaving = pod if kind == "Pod" else next(o for o in objects if o["kind"] == kind)
        leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"

    return change


def another_scheduler(_: list[Any], pod: Any) -> None:
    pod["spec"]["schedulerName"] = "default-scheduler"


PLACING: dict[str, Change] = {
    **{f"pod.spec.{name}": field(name, value) for name, values in GAPS.items() for value in values},
    **{name: mark("annotations", {name: value}) for name, value in POD_MARKS.items()},
    **{name: mark("labels", {name: value}) for name, value in POD_LABELS.items()},
    **{
        name: mark_all("Node", {kind: {name: value}})
        for kind, names in NODE_MARKS.items()
        for name, value in names.items()
    },
    **{
        gate: with_gate(gate, "false" if "Check" in gate or gate == "PodDisruptionBudget" else "true")
        for gate in GAP_GATES
    },
    "a gate of Kubernetes": with_gate("PodLevelResources", "false"),
    "a device": a_device,
    "a card where nodes have Devices": together(a_card, DEVICE),
    "cards of two vendors": cards("nvidia.com/gpu", "amd.com/gpu"),
    "a part of a card": cards("huawei.com/npu-core"),
    "a card with a hint": together(a_card, mark("annotations", {f"{PLUGINS}/device-allocate-hint": "x"})),
    "a Reservation": RESERVED,
    "NUMA nodes": ALIGNED,
    "load where nodes have thresholds": together(
        LOADED, mark_all("Node", {"annotations": {f"{PLUGINS}/usage-thresholds": "{}"}})
    ),
    "load without a configuration": LOADED,  # Koordinator's chart has thresholds
    "load with the default thresholds": together(LOADED, configuration({})),
    "hook plugins": configuration({"hookPlugins": [{"key": "h"}]}),
    "default spread": configuration(
        {}, configs=[{"name": "PodTopologySpread", "args": {"defaultConstraints": [{"maxSkew": 1}]}}]
    ),
    "an unknown plugin": configuration({}, filter={"enabled": [{"name": "Another"}]}),
    "no filter of amounts": configuration({}, filter={"disabled": [{"name": "NodeResourcesFit"}]}),
    "a lonely pod": a_lonely_pod,
    "the pod leaves": a_deletion("Pod"),
    "a node leaves": a_deletion("Node"),
    "a quota leaves": a_deletion("ElasticQuota"),
    "another scheduler": another_scheduler,
}
NOTHING: dict[str, Change] = {
    "fields of pods": together(*(field(name, value) for name, value in IDLE.items())),
    "annotations of pods": mark("annotations", IDLE_MARKS),
    "labels of pods": mark("labels", IDLE_MARKS),
    "marks of nodes": mark_all("Node", IDLE_NODE_MARKS),
    "marks of quotas": mark_all(
        "ElasticQuota", {"annotations": {f"{QUOTAS}/{name}": text for name, text in QUOTA_MARKS.items()}}
    ),
    "gates": with_gate("=true,".join(sorted(IDLE_GATES & SCHEDULER_GATES)), "true"),
    "a card without Devices": a_card,
    "an ended Reservation": thing("Reservation", PLUGINS, status={"phase": "Succeeded"}),
    "load with thresholds of 0": together(LOADED, configuration({}, configs=[LOADLESS])),
    "NUMA nodes without a policy": thing("NodeResourceTopology", "topology.node.k8s.io", topologyPolicies=["None"]),
    "a PodGroup that no pod names": thing("PodGroup", "scheduling.sigs.k8s.io", spec={"minMember": 9}),
    "a profile of new pods": thing("ClusterColocationProfile", "config.koordinator.sh", spec={}),
    "idle arguments": configuration(IDLE_ARGUMENTS, configs=[LOADLESS]),
}


def test_every_gate_of_the_scheduler_is_modelled_a_gap_or_of_no_account() -> None:
    classes = (MODELLED_GATES.keys() - IDLE_GATES, IDLE_GATES, set(GAP_GATES))
    assert {g: sum(g in each for each in classes) for g in SCHEDULER_GATES} == dict.fromkeys(SCHEDULER_GATES, 1)


@pytest.mark.parametrize("change", sampled(PLACING.values(), 4), ids=list(PLACING))
def test_what_is_not_modelled_takes_exact_from_every_placement(change: Change) -> None:
    for case, pod in placed():
        assert planned(case, pod, change).outcome is Outcome.UNKNOWN, (case["name"], pod)


@pytest.mark.parametrize("change", sampled(NOTHING.values(), 4), ids=list(NOTHING))
def test_what_is_of_no_account_changes_nothing(change: Change) -> None:
    for case, pod in (*placed(), *waiting()):
        before, after = planned(case, pod), planned(case, pod, change)
        assert (after.outcome, after.fidelity.doubts) == (before.outcome, before.fidelity.doubts), (case["name"], pod)


@pytest.mark.parametrize("name", ["a Reservation", "pod.koordinator.sh/replace-resources", "a quota leaves"])
def test_what_moves_sums_takes_exact_from_the_figures(name: str) -> None:
    for case, pod in placed():
        table = runtime_table(changed(case, pod, PLACING[name]), {})
        assert not table.fidelity.exact, case["name"]


@pytest.mark.parametrize("change", ["pod.spec.hostNetwork", "a lonely pod"])
@pytest.mark.parametrize("end", [("Preempt",), ("Error",)])
def test_a_further_filter_takes_exact_from_evictions_that_do_not_get_the_pod_in(
    end: tuple[str, ...], change: str
) -> None:
    """The pod waits, but every filter decides which pods are evicted before."""
    tried = 0
    for case, pod in asked(end, 5):
        if planned(case, pod).outcome in (Outcome.WAITS, Outcome.NEVER):
            tried += 1
            assert planned(case, pod, PLACING[change]).outcome is Outcome.UNKNOWN, (case["name"], pod)
    assert tried


def test_new_pods_are_not_exact_where_a_webhook_changes_or_rejects_them() -> None:
    case, pod = next(iter(placed()))

    def is_parent(objects: list[Any], asked: Any) -> None:
        name = asked["metadata"]["labels"][f"{QUOTAS}/name"]
        quota = next(o for o in objects if o["kind"] == "ElasticQuota" and o["metadata"]["name"] == name)
        quota["metadata"].setdefault("labels", {})[f"{QUOTAS}/is-parent"] = "true"

    profile = NOTHING["a profile of new pods"]
    for change in (is_parent, profile):
        of = changed(case, pod, change)
        found = next(p for p in of.source.pods if p.name == pod)
        as_new = replace(found, created=False)
        assert plan(of, found, None, remedied=False).fidelity.exact
        assert plan(of, as_new, None, remedied=False).outcome is Outcome.UNKNOWN


def test_every_argument_is_modelled_or_of_no_account() -> None:
    read = set(Arguments.__struct_fields__) - {"place", "given"}
    assert len(read) == len(ARGUMENTS)
    given = arguments_of(Field(ObjectKey("", "A", "", "a"), (), dict(IDLE_ARGUMENTS)))
    assert replace(given, place=None, given=frozenset()) == Arguments()
    assert json.dumps(sorted(given.given)) == json.dumps(sorted(IDLE_ARGUMENTS))
