"""What topologies add to Kueue's state: nodes, what is on them, and holders that ask for a place again.

Source: Kueue v0.19, KEP-2724; "topology" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem, misread
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.nodes import is_hypothetical
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.pending import pending_of
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.topology import HOSTNAME, Node, TopologyAssignment
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, PodSet, PodSetAdmission, SecondPass
from kubectl_fairshare.schedulers.kueue.reading import topology
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted
from kubectl_fairshare.schedulers.kueue.reading.typed import WRONG_SHAPE


def with_topology(state: KueueState, accepted: Accepted, context: Context) -> KueueState:
    """The state with its nodes, what pods take of them, and the places of those that hold quota."""
    nodes = [m for m in accepted.others if (m.key.group, m.key.kind) == topology.NODE]
    pods = [m for m in accepted.others if (m.key.group, m.key.kind) == topology.POD]
    manifests = {m.key: m for m in accepted.of("Workload")}
    second = []
    for holder in state.holders:
        manifest = manifests[holder.key]
        try:
            found = _place(state, holder, manifest, context)
        except (FairshareError, ValueError, *WRONG_SHAPE) as error:
            accepted.problems.extend(_problems(manifest, error))
        else:
            second += found
    known = tuple(accepted.read(nodes, topology.node))
    if any(map(is_hypothetical, nodes)):
        accepted.problems.extend(_placed_elsewhere(state.holders, known))
    return replace(
        state,
        nodes=known,
        occupied=topology.occupied_by(pods, accepted.problems, state.configuration.release),
        second_pass=tuple(second),
        pods_given=bool(pods) or (bool(nodes) and all(map(is_hypothetical, nodes))),
    )


def _placed_elsewhere(holders: Iterable[Holder], nodes: Iterable[Node]) -> Iterator[Problem]:
    """A problem for each holder with pods in a domain of no Node: the room that they leave is not defined."""
    values = {value for node in nodes for value in node.labels.values()}
    for holder in holders:
        lost = [d.values[-1] for p in holder.placements for d in p.domains if d.values[-1] not in values]
        if lost:
            message = f"{holder.key} has pods in domain `{lost[0]}`, which no Node in the input has"
            remedy = "add the Nodes of the cluster to the input, or remove the Workload, or remove `--nodes`"
            yield Problem(message, Place(holder.key, ("status", "admission")), remedy)


def _problems(manifest: Manifest, error: Exception) -> tuple[Problem, ...]:
    if isinstance(error, FairshareError):
        return tuple(error.problems)
    remedy = "fix the field, then ask again"
    place = Place(manifest.key, ("status", "admission"))
    return (Problem(f"{manifest.key} cannot be read: {misread(error)}", place, remedy),)


def _place(state: KueueState, holder: Holder, manifest: Manifest, context: Context) -> list[SecondPass]:
    """Notes where the pods of a holder are; what it asks for again, if it does."""
    status: Mapping[str, Any] = manifest.data["status"]
    assignments = status["admission"]["podSetAssignments"]
    if any(each.get("topologyAssignment") for each in assignments):
        holder.placements = topology.placements(
            manifest, state.flavors, context, charged=state.configuration.release.charges_on_nodes
        )
    elif not any(each.get("delayedTopologyRequest") for each in assignments):
        return []
    if holder.evicted:
        return []
    lost = _lost_nodes(manifest, context.absent.deleted)
    return [_second_pass(holder, manifest, context, lost)] if _needs_place(status, lost) else []


def _lost_nodes(manifest: Manifest, deleted: Collection[ObjectKey]) -> tuple[str, ...]:
    """The lost nodes of a workload: those that its status names, and one that the question takes away.

    Kueue notes a deleted node at once, and evicts a workload that loses a second one: raises ``FairshareError`` for it.
    """
    status: Mapping[str, Any] = manifest.data["status"]
    marked = tuple(each["name"] for each in status.get("unhealthyNodes") or ())
    gone = {key.name for key in deleted if key[:2] == topology.NODE}
    if not gone or not _is_admitted(status):
        return marked
    hosts = (d.values[-1] for found in _assigned(status) if found.levels[-1:] == (HOSTNAME,) for d in found.domains)
    lost = tuple(dict.fromkeys((*marked, *(host for host in hosts if host in gone))))
    if len(lost) > max(1, len(marked)):
        names = ", ".join(lost)
        remedy = "ask for one of them after the other, or delete the Workload, too"
        message = f"{manifest.key} loses more than one node ({names}): Kueue evicts it, and in the input it still runs"
        raise FairshareError(Problem(message, Place(manifest.key, ("status", "admission")), remedy))
    return lost


def _is_admitted(status: Mapping[str, Any]) -> bool:
    return any(c["type"] == "Admitted" and c["status"] == "True" for c in status.get("conditions") or ())


def _assigned(status: Mapping[str, Any]) -> Iterator[TopologyAssignment]:
    """The places of the pod sets that have one."""
    assigned = (topology.assignment(a.get("topologyAssignment")) for a in status["admission"]["podSetAssignments"])
    yield from (found for found in assigned if found is not None)


def _needs_place(status: Mapping[str, Any], lost: Sequence[str]) -> bool:
    """Whether a lost node is among the workload's, or its checks are ready and its place is still to be found.

    The assignment alone decides: the flavors that it names need not exist.
    """
    if _is_admitted(status):
        return bool(lost) and any(d.values[-1] in lost for found in _assigned(status) for d in found.domains)
    assignments = status["admission"]["podSetAssignments"]
    checks = status.get("admissionChecks") or ()
    pending = any(a.get("delayedTopologyRequest") == "Pending" for a in assignments)
    return bool(checks) and pending and all(c.get("state") == "Ready" for c in checks)


def _second_pass(holder: Holder, manifest: Manifest, context: Context, lost: tuple[str, ...]) -> SecondPass:
    status: Mapping[str, Any] = manifest.data["status"]
    workload = pending_of(manifest, context)
    by_name = {a.get("name") or "main": a for a in status["admission"]["podSetAssignments"]}
    admitted = tuple(_admission(by_name.get(p.name) or {}, p) for p in workload.pod_sets)
    if not context.configuration.topology:
        bare = tuple(replace(each, topology=None, delayed=False) for each in admitted)
        return SecondPass(workload, holder, bare, anew=True)
    stays = context.configuration.lone_pods_stay and _is_of_one_pod(manifest)
    return SecondPass(workload, holder, admitted, lost, stays)


def _admission(assignment: Mapping[str, Any], pod_set: PodSet) -> PodSetAdmission:
    """What the pod set was given; pods that can be reclaimed have given their quota back."""
    written = assignment.get("count")
    assigned = pod_set.count if written is None else written
    left = min(assigned, max(0, pod_set.count - pod_set.reclaimable))
    usage = {r: quantity.amount(r, v) for r, v in (assignment.get("resourceUsage") or {}).items()}
    return PodSetAdmission(
        left,
        dict(assignment.get("flavors") or {}),
        usage if left == assigned else {r: v // assigned * left for r, v in usage.items()},
        topology.assignment(assignment.get("topologyAssignment")),
        assignment.get("delayedTopologyRequest") == "Pending",
    )


def _is_of_one_pod(manifest: Manifest) -> bool:
    """Whether one Pod that is in no group owns the workload."""
    metadata = root_of(manifest).at("metadata")
    owners = metadata.at("ownerReferences").entries()
    if len(owners) != 1 or metadata.at("annotations").texts().get("kueue.x-k8s.io/is-group-workload") == "true":
        return False
    return owners[0].at("kind").text() == "Pod" and owners[0].at("apiVersion").text() == "v1"
