"""The manifests of a case, read into plain dictionaries."""

from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from kubectl_fairshare.model import quantity
from tests.property.obvious.amounts import Amounts, FlavorResource, merged, quota
from tests.property.obvious.pods import pod_requests

Node = tuple[str, str]
"""(kind, name), the kind being ``ClusterQueue`` or ``Cohort``: the two may share a name."""

Manifest = dict[str, Any]
DEFAULT_STRATEGIES = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]


@dataclass
class PodSet:
    """One pod set of a workload: how many pods, and what each of them asks for."""

    name: str
    count: int
    min_count: int
    reclaimable: int
    per_pod: dict[str, int]
    pod: Manifest
    group: str | None


@dataclass
class Workload:
    """A workload that runs or waits. ``usage`` and ``assigned`` are empty for one that waits."""

    key: str
    namespace: str
    uid: str
    priority: int
    queued_since: datetime
    queue: str
    pod_sets: list[PodSet]
    running: bool
    being_evicted: bool
    reserved_at: datetime
    usage: Amounts = field(default_factory=dict)
    assigned: set[FlavorResource] = field(default_factory=set)


@dataclass
class World:
    """Everything a case declares. ``strategies`` is None under classical preemption."""

    strategies: list[str] | None
    flavors: dict[str, Manifest]
    queues: dict[str, Manifest]
    parents: dict[Node, Node | None]
    nominal: dict[Node, Amounts]
    borrowing_limit: dict[Node, Amounts]
    lending_limit: dict[Node, Amounts]
    weights: dict[Node, float]
    namespaces: dict[str, dict[str, str]]
    running: dict[str, Workload]
    pending: dict[str, Workload]


def read_world(case: Manifest) -> World:
    """Read a case ``{now, config, objects}``."""
    objects = case["objects"]
    fair = case["config"].get("fairSharing")
    world = World(
        strategies=None if fair is None else fair.get("preemptionStrategies") or DEFAULT_STRATEGIES,
        flavors={_name(o): o.get("spec") or {} for o in objects if o["kind"] == "ResourceFlavor"},
        queues={_name(o): o["spec"] for o in objects if o["kind"] == "ClusterQueue"},
        parents={},
        nominal={},
        borrowing_limit={},
        lending_limit={},
        weights={},
        namespaces={_name(o): _labels(o) for o in objects if o["kind"] == "Namespace"},
        running={},
        pending={},
    )
    for manifest in objects:
        if manifest["kind"] in ("ClusterQueue", "Cohort"):
            _read_node(world, (manifest["kind"], _name(manifest)), manifest.get("spec") or {})
    _add_implicit_cohorts(world)
    _read_workloads(world, objects, datetime.fromisoformat(case["now"]))
    return world


def _name(manifest: Manifest) -> str:
    return str(manifest["metadata"]["name"])


def _labels(namespace: Manifest) -> dict[str, str]:
    return {"kubernetes.io/metadata.name": _name(namespace)} | (namespace["metadata"].get("labels") or {})


def _read_node(world: World, node: Node, spec: Manifest) -> None:
    parent = spec.get("cohortName" if node[0] == "ClusterQueue" else "parentName")
    weight = (spec.get("fairSharing") or {}).get("weight", 1)
    world.parents[node] = ("Cohort", parent) if parent else None
    world.weights[node] = float(Fraction(quantity.nano(weight), 10**9))
    world.nominal[node] = _quotas(spec, "nominalQuota")
    world.borrowing_limit[node] = _quotas(spec, "borrowingLimit")
    world.lending_limit[node] = _quotas(spec, "lendingLimit")


def _quotas(spec: Manifest, what: str) -> Amounts:
    return {
        (flavor["name"], resource["name"]): quota(resource["name"], resource[what])
        for group in spec.get("resourceGroups") or []
        for flavor in group["flavors"]
        for resource in flavor["resources"]
        if resource.get(what) is not None
    }


def _add_implicit_cohorts(world: World) -> None:
    for parent in list(world.parents.values()):
        if parent is not None and parent not in world.parents:
            world.parents[parent] = None
            world.weights[parent] = 0.0
            world.nominal[parent] = {}
            world.borrowing_limit[parent] = {}
            world.lending_limit[parent] = {}


def _read_workloads(world: World, objects: list[Manifest], now: datetime) -> None:
    local_queues = {
        (o["metadata"]["namespace"], _name(o)): o["spec"].get("clusterQueue", "")
        for o in objects
        if o["kind"] == "LocalQueue"
    }
    for manifest in objects:
        if manifest["kind"] == "Workload" and manifest["spec"].get("active", True) and not _is(manifest, "Finished"):
            workload = _read_workload(manifest, local_queues, now)
            (world.running if workload.running else world.pending)[workload.key] = workload


def _read_workload(manifest: Manifest, local_queues: dict[tuple[str, str], str], now: datetime) -> Workload:
    metadata, spec, status = manifest["metadata"], manifest["spec"], manifest.get("status") or {}
    admission = status.get("admission")
    running = admission is not None and _is(manifest, "QuotaReserved")
    reserved = _condition(manifest, "QuotaReserved")
    pod_sets = [_read_pod_set(pod_set, status) for pod_set in spec["podSets"]]
    workload = Workload(
        key=f"{metadata['namespace']}/{metadata['name']}",
        namespace=metadata["namespace"],
        uid=metadata.get("uid", ""),
        priority=spec.get("priority", 0),
        queued_since=_queued_since(manifest),
        queue=local_queues.get((metadata["namespace"], spec.get("queueName", "")), ""),
        pod_sets=pod_sets,
        running=running,
        being_evicted=_is(manifest, "Evicted"),
        reserved_at=datetime.fromisoformat(reserved["lastTransitionTime"]) if running else now,
    )
    if running and admission is not None:
        workload.queue = admission["clusterQueue"]
        for assignment in admission["podSetAssignments"]:
            pod_set = next(p for p in pod_sets if p.name == assignment["name"])
            workload.usage = merged(workload.usage, _assigned_usage(assignment, pod_set))
            workload.assigned |= {(flavor, resource) for resource, flavor in assignment["flavors"].items()}
    return workload


def _condition(manifest: Manifest, kind: str) -> Manifest:
    conditions = (manifest.get("status") or {}).get("conditions") or []
    return next((c for c in conditions if c["type"] == kind), {})


def _is(manifest: Manifest, kind: str) -> bool:
    return bool(_condition(manifest, kind).get("status") == "True")


def _queued_since(manifest: Manifest) -> datetime:
    """Creation, or the eviction by a readiness timeout or an admission check."""
    evicted = _condition(manifest, "Evicted")
    if _is(manifest, "Evicted") and evicted.get("reason") in ("PodsReadyTimeout", "AdmissionCheck"):
        return datetime.fromisoformat(evicted["lastTransitionTime"])
    return datetime.fromisoformat(manifest["metadata"]["creationTimestamp"])


def _read_pod_set(pod_set: Manifest, status: Manifest) -> PodSet:
    count = pod_set.get("count", 1)
    minimum = pod_set.get("minCount")
    reclaimable = {entry["name"]: entry["count"] for entry in status.get("reclaimablePods") or []}
    name = pod_set.get("name", "main")
    return PodSet(
        name=name,
        count=count,
        min_count=count if minimum is None else minimum,
        reclaimable=reclaimable.get(name, 0),
        per_pod=pod_requests(pod_set["template"]["spec"]),
        pod=pod_set["template"]["spec"],
        group=(pod_set.get("topologyRequest") or {}).get("podSetGroupName"),
    )


def _assigned_usage(assignment: Manifest, pod_set: PodSet) -> Amounts:
    """What one pod set holds: the recorded total, or that of the pods left once some are reclaimable."""
    count = assignment.get("count", pod_set.count)
    left = max(0, pod_set.count - pod_set.reclaimable)
    usage: Amounts = {}
    for resource, value in (assignment.get("resourceUsage") or {}).items():
        total = quantity.amount(resource, value)
        held = total // count * left if left < count else total
        usage = merged(usage, {(assignment["flavors"][resource], resource): held})
    return usage
