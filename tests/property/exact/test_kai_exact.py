"""No plan of KAI is exact where a field, an object or a setting that is not modelled can change it.

On recorded whole plans, a feature of a pod, of a PodGroup, of the nodes or of the shard that is a gap takes ``exact``
from every job that gets in, and one of no account changes nothing.
"""

import copy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.conformance.run import cases
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.conformance.decisions import state_of
from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.reading.shards import PLUGINS
from kubectl_fairshare.schedulers.kai.session.session import open_session
from tests.property.exact.pod_fields import IDLE, SPREAD
from tests.sampling import sampled

RECORDED = Path(__file__).resolve().parents[3] / "testdata" / "conformance" / "kai-plan.jsonl.gz"
GETS_IN = (Outcome.ADMITTED, Outcome.PREEMPTS)
Change = Callable[[list[Any], list[Any]], None]
"""What is changed of a case: all its objects, and the waiting pods of the job."""
PLACING_ARGS = {
    "detailed-fit-errors": "true",
    "feature-gates": "MatchLabelKeysInPodAffinity=false",
    "mig-worker-node-label-key": "other",
    "partition-label-value": "other",
    "scheduler-conf": "/other",
    "scheduler-name": "other",
    "nodepool-label-key": "other",
    "resource-reservation-app-label": "other",
    "restrict-node-scheduling": "true",
    "stuck-in-releasing-threshold": "9m",
}


@cache
def recorded() -> list[Any]:
    return list(cases(RECORDED))


def pods_of(objects: list[Any], job: str) -> list[Any]:
    """The waiting pods of a job."""
    waiting = []
    for each in (o for o in objects if o["kind"] == "Pod"):
        named = (each["metadata"].get("annotations") or {}).get("pod-group-name") == job
        if named and not each["spec"].get("nodeName"):
            waiting.append(each)
    return waiting


def planned(case: Any, job: str, change: Change | None = None) -> Plan:
    objects = copy.deepcopy(case["objects"])
    if change is not None:
        change(objects, pods_of(objects, job))
    return plan(open_session(state_of({**case, "objects": objects})), job, advise=False)


@cache
def placed() -> list[tuple[Any, str]]:
    """Jobs that get in by each action, for sure, ask for GPUs, and are bound by no quota."""
    found = {}
    for case in recorded():
        for name, job in case["expected"]["jobs"].items():
            by = (job.get("alone") or {}).get("by")
            if by and by not in found and "GPU" in str(case["objects"]).upper() and not case.get("nondeterministic"):
                answer = planned(case, name)
                bound = not answer.job.preemptible or not answer.job.request.gpu
                if answer.fidelity.exact and answer.computed in GETS_IN and not bound:
                    found[by] = (case, name)
    return list(found.values())


def spec(**fields: Any) -> Change:
    def change(_: list[Any], pods: list[Any]) -> None:
        for pod in pods:
            pod["spec"] |= fields

    return change


def claims(_: list[Any], pods: list[Any]) -> None:
    for pod in pods:
        pod["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimName": "one"}]


def slices(_: list[Any], pods: list[Any]) -> None:
    for pod in pods:
        for container in pod["spec"]["containers"]:
            container["resources"] = {"requests": {"nvidia.com/mig-1g.5gb": "1"}}


def of(kind: str, **fields: Any) -> Change:
    def change(objects: list[Any], _: list[Any]) -> None:
        for each in (o for o in objects if o["kind"] == kind):
            each["spec"] = {**(each.get("spec") or {}), **fields}

    return change


def sliced_nodes(objects: list[Any], _: list[Any]) -> None:
    for node in (o for o in objects if o["kind"] == "Node"):
        node["metadata"].setdefault("labels", {})["node-role.kubernetes.io/mig-enabled"] = "true"


def shard(part: str, name: str, value: Any) -> Change:
    def change(objects: list[Any], _: list[Any]) -> None:
        shards = [o for o in objects if o["kind"] == "SchedulingShard"]
        if not shards:
            metadata = {"name": "default", "resourceVersion": "1"}
            shards = [{"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": metadata, "spec": {}}]
            objects += shards
        for each in shards:
            each.setdefault("spec", {}).setdefault(part, {})[name] = value

    return change


def annotated(**annotations: str) -> Change:
    def change(_: list[Any], pods: list[Any]) -> None:
        for pod in pods:
            pod["metadata"].setdefault("annotations", {}).update(annotations)

    return change


def device_class(objects: list[Any], pods: list[Any]) -> None:
    """The GPUs of the waiting pods are devices."""
    requests = pods[0]["spec"]["containers"][0]["resources"]["requests"]
    (name,) = [each for each in requests if each.endswith("gpu")]
    spec = {"extendedResourceName": name}
    objects.append({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "x"}, "spec": spec})


def implicit_devices(_: list[Any], pods: list[Any]) -> None:
    for container in pods[0]["spec"]["containers"]:
        container.setdefault("resources", {}).setdefault("requests", {})["deviceclass.resource.kubernetes.io/x"] = "1"


def other_reservation(objects: list[Any], _: list[Any]) -> None:
    spec = {"binder": {"resourceReservation": {"appLabel": "other"}}}
    metadata = {"name": "kai-config", "resourceVersion": "1"}
    objects.append({"apiVersion": "kai.scheduler/v1", "kind": "Config", "metadata": metadata, "spec": spec})


def repelling_neighbour(objects: list[Any], _: list[Any]) -> None:
    """A pod on a node keeps others away, those of namespaces with a label."""
    chosen = {"matchLabels": {"a": "b"}}
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {}, "namespaceSelector": chosen}
    far = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    node = next(o["metadata"]["name"] for o in objects if o["kind"] == "Node")
    metadata = {"name": "far", "namespace": "far", "uid": "far"}
    spec = {"nodeName": node, "affinity": far, "containers": [{"name": "c"}]}
    running = {"phase": "Running"}
    objects.append({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": running})


def unlike_keys(_: list[Any], pods: list[Any]) -> None:
    term = {"topologyKey": "zone", "labelSelector": {}, "mismatchLabelKeys": ["a"]}
    for pod in pods:
        pod["spec"]["affinity"] = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def another_affinity(_: list[Any], pods: list[Any]) -> None:
    term = {"topologyKey": "zone", "labelSelector": {}, "namespaceSelector": {"matchLabels": {"a": "b"}}}
    for pod in pods:
        pod["spec"]["affinity"] = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


GAPS: dict[str, Change] = {
    "claims": claims,
    "devices by the name of a resource": device_class,
    "devices by the name of their class": implicit_devices,
    "a neighbour that selects namespaces": repelling_neighbour,
    "keys of labels that must differ": unlike_keys,
    "another label of reservation pods": other_reservation,
    "MIG by an annotation": annotated(**{"nvidia.com/mig-1g.5gb": "1"}),
    "MIG": slices,
    "nodes with MIG": sliced_nodes,
    "a claim for a volume": spec(volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]),
    "an ephemeral volume": spec(volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": {}}}]),
    "selected namespaces": another_affinity,
    "a topology": of("PodGroup", topologyConstraint={"topology": "t", "requiredTopologyLevel": "zone"}),
    **{name: shard("args", name, value) for name, value in PLACING_ARGS.items()},
    **{name: shard("plugins", name, {"enabled": False}) for name in PLUGINS if name not in ("gpuspread", "minruntime")},
    "an unknown plugin": shard("plugins", "numa", {"enabled": True}),
    "an unknown action": shard("actions", "another", {"enabled": True}),
    "another order of plugins": shard("plugins", "predicates", {"priority": 1}),
}
OF_NO_ACCOUNT: dict[str, Change] = {
    "fields of pods": spec(**{k: v for k, v in IDLE.items() if k != "ephemeralContainers"}),
    "debugging": spec(ephemeralContainers=IDLE["ephemeralContainers"]),
    "gates of volumes": spec(volumes=[{"name": "v", "emptyDir": {}}, {"name": "s", "secret": {"secretName": "s"}}]),
    "what its filters leave to Kubernetes' scheduler": spec(
        schedulingGroup={"podGroupName": "g"}, topologySpreadConstraints=[SPREAD]
    ),
    "the plugin for snapshots": shard("plugins", "snapshot", {"enabled": False}),
    "what KAI notes of a pod": annotated(**{"received-resource-type": "Regular", "runai-calculated-status": "x"}),
    "volumes that no filter asks about": spec(
        volumes=[{"name": each, each: {"x": "y"}} for each in ("awsElasticBlockStore", "iscsi", "rbd", "hostPath")]
    ),
    "how long taints are tolerated": spec(
        tolerations=[{"key": "x", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}]
    ),
    **{f"the flag {name}": shard("args", name, "1") for name in ("v", "qps", "burst", "schedule-csi-storage")},
}


def test_jobs_of_several_actions_are_asked() -> None:
    assert len(placed()) >= 3


@pytest.mark.parametrize("change", sampled(GAPS.values(), 4), ids=list(GAPS))
def test_what_is_not_modelled_takes_exact_from_jobs_that_get_in(change: Change) -> None:
    for case, job in placed():
        found = planned(case, job, change)
        assert not found.fidelity.exact, (case["name"], job)
        assert found.outcome in (Outcome.UNKNOWN, Outcome.NEVER, Outcome.WAITS), (case["name"], job)


@pytest.mark.parametrize("change", sampled(OF_NO_ACCOUNT.values(), 4), ids=list(OF_NO_ACCOUNT))
def test_what_is_of_no_account_changes_nothing(change: Change) -> None:
    for case, job in placed():
        before, after = planned(case, job), planned(case, job, change)
        assert (after.outcome, after.placement) == (before.outcome, before.placement), (case["name"], job)
        assert after.fidelity.exact, (case["name"], job)


@pytest.mark.parametrize("feature", ["LimitRange", "RuntimeClassScheduling"])
def test_a_new_pod_that_an_api_server_changes_or_rejects_is_not_exact(feature: str) -> None:
    case, job = placed()[0]
    state = state_of(case)
    pods = tuple(replace(p, added=(feature,) if p.group == job else ()) for p in state.pods)
    assert plan(open_session(replace(state, pods=pods)), job, advise=False).outcome is Outcome.UNKNOWN


def test_terminating_pods_take_exact_from_a_question_without_a_moment() -> None:
    """KAI waits for a terminating pod, but not for one that takes over two minutes."""
    case, job = placed()[0]

    def leaves(objects: list[Any], _: list[Any]) -> None:
        there = next(o for o in objects if o["kind"] == "Pod" and (o.get("status") or {}).get("phase") == "Running")
        there["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"

    objects = copy.deepcopy(case["objects"])
    leaves(objects, [])
    state = state_of({**case, "objects": objects})
    assert plan(open_session(replace(state, now=None)), job, advise=False).outcome is Outcome.UNKNOWN
    assert plan(open_session(state), job, advise=False).fidelity.exact


def test_minimum_runtimes_take_exact_from_evictions_without_a_moment() -> None:
    case, job = next((c, j) for c, j in placed() if planned(c, j).computed is Outcome.PREEMPTS)
    state = state_of(case)
    queues = {name: replace(q, reclaim_min_runtime=1, preempt_min_runtime=1) for name, q in state.queues.items()}
    groups = tuple(replace(group, last_start=1) for group in state.pod_groups)
    undated = replace(state, queues=queues, pod_groups=groups, now=None)
    assert plan(open_session(undated), job, advise=False).outcome is Outcome.UNKNOWN
    assert plan(open_session(replace(undated, now=state.now)), job, advise=False).fidelity.exact
