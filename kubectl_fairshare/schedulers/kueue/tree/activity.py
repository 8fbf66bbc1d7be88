"""Which ClusterQueues are inactive, and why.

Why the order of reasons counts: a condition has one. A ClusterQueue that is stopped and names a flavor that does not
exist is Stopped, and its message names both; one that is being deleted is Terminating, and nothing else is looked at.
Source: ``inactiveReason`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/clusterqueue.go;
"activity" in ``docs/laws.md``.
Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.model.state import KueueState

MULTIKUEUE = "kueue.x-k8s.io/multikueue"
NOT_SYNCED = "TopologyNotSynced"
"""A queue with a MultiKueue check whose flavor names no Topology: Kueue says that it is active, and admits nothing."""
PROVISIONING = "kueue.x-k8s.io/provisioning-request"


class Inactivity(Value, frozen=True):
    """Kueue's reasons, first the one that it reports, and the object of each."""

    reasons: tuple[str, ...]
    objects: tuple[str, ...]


def shows_active(inactivity: Inactivity | None) -> bool:
    """Whether the condition Active of the ClusterQueue is True: that of one in a cohort cycle stays as it is."""
    # Kueue's status is computed from neither: a cohort cycle leaves the condition as it is, and a topology that is not
    # synced only leaves the queue out of cycles.
    return inactivity is None or inactivity.reasons in (("CohortCycle",), (NOT_SYNCED,))


def inactive_queues(state: KueueState) -> dict[str, Inactivity]:
    """The ClusterQueues that cannot admit, with the reasons in Kueue's order; cohort cycles are not included."""
    found = {}
    for name, queue in state.cluster_queues.items():
        causes = list(_causes(state, queue))
        if causes:
            found[name] = Inactivity(tuple(c[0] for c in causes), tuple(o for c in causes for o in c[1]))
    return found


def _causes(state: KueueState, queue: ClusterQueue) -> list[tuple[str, tuple[str, ...]]]:
    if queue.terminating:
        return [("Terminating", ())]
    causes: list[tuple[str, tuple[str, ...]]] = []
    if queue.stop_policy != "None":
        causes.append(("Stopped", ()))
    flavors = _flavors(queue)
    missing = tuple(sorted(f for f in flavors if f not in state.flavors))
    if missing:
        causes.append(("FlavorNotFound", missing))
    causes += _check_causes(state, queue, flavors)
    known = [state.flavors[f] for f in flavors if f in state.flavors]
    lost = tuple(sorted([f.name for f in known if f.topology is not None and f.topology not in state.topologies]))
    if lost and state.configuration.topology:
        remote = _uses(state, queue, MULTIKUEUE)
        causes.append(("TopologyNotFound", lost) if not remote else (NOT_SYNCED, lost))
    return causes


def _flavors(queue: ClusterQueue) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f for group in queue.groups for f in group.flavors))


def _uses(state: KueueState, queue: ClusterQueue, controller: str) -> tuple[str, ...]:
    """The queue's checks with the controller ``controller``."""
    return tuple(
        sorted(c.name for c in queue.checks if c.name in state.checks and state.checks[c.name].controller == controller)
    )


def _check_causes(
    state: KueueState, queue: ClusterQueue, flavors: tuple[str, ...]
) -> list[tuple[str, tuple[str, ...]]]:
    if not queue.checks:
        return []
    names = sorted(c.name for c in queue.checks)
    missing = tuple(n for n in names if n not in state.checks)
    idle = tuple(n for n in names if n in state.checks and state.checks[n].active is False)
    remote = _uses(state, queue, MULTIKUEUE)
    narrow = tuple(
        sorted(c.name for c in queue.checks if c.name in remote and c.on_flavors and {*flavors} != {*c.on_flavors})
    )
    both = _uses(state, queue, PROVISIONING) if remote else ()
    found = (
        ("AdmissionCheckNotFound", missing),
        ("AdmissionCheckInactive", idle),
        ("MultipleMultiKueueAdmissionChecks", remote if len(remote) > 1 else ()),
        ("MultiKueueAdmissionCheckAppliedPerFlavor", narrow),
        ("MultiKueueWithProvisioningRequest", both),
    )
    return [(reason, objects) for reason, objects in found if objects]
