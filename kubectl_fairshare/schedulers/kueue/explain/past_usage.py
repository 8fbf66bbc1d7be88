"""What admission fair sharing orders by, and where that order is in doubt.

Tested in ``tests/unit/cli/test_admission_sharing.py``.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.model.objects import AdmissionSharing, cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import Entry, LocalQueueName
    from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
    from kubectl_fairshare.schedulers.kueue.cycle.play import Play
    from kubectl_fairshare.schedulers.kueue.tree.state import State


class PastReport(Value, frozen=True):
    """The past usage of the LocalQueues of each ClusterQueue that orders by it, and the workload that is next there."""

    sharing: AdmissionSharing
    queues: "tuple[tuple[str, tuple[tuple[LocalQueueName, Entry], ...], Pending | None], ...]"


def past_report(state: "State") -> PastReport | None:
    """The report; None without admission fair sharing, or if no ClusterQueue orders by it."""
    past = state.past
    if past is None or not past.scoped:
        return None
    heads = {name: queue[0] for name, queue in waiting(state).items()}
    found = []
    for name in sorted(past.scoped):
        mine = [each for each, queue in state.kueue.local_queues.items() if queue.cluster_queue == name]
        entries = sorted(((each, past.of(each)) for each in mine), key=lambda item: (item[1].usage, item[0]))
        found.append((name, tuple(entries), heads.get(name)))
    return PastReport(past.sharing, tuple(found))


HEAD: Final = "AdmissionFairSharing"
VICTIMS: Final = "AdmissionFairSharingTie"
LOST: Final = "LostLocalQueue"


def lost_queue_doubts(state: "State") -> Iterator[Gap]:
    """A gap for each Workload that stops the scheduler: past usage orders it, and its LocalQueue is gone."""
    if state.past is None or not state.configuration.release.needs_local_queues:
        return
    active = (queue for queue in state.holders.queues if state.is_active(queue))
    scoped = ((queue, name) for queue in active if (name := state.forest.nodes[queue].name) in state.past.scoped)
    for queue, name in sorted(scoped):
        for holder in state.holders.of(queue):
            if (holder.key.namespace, holder.local_queue) not in state.kueue.local_queues:
                yield Gap(LOST, (_scope(name), Place(holder.key)), touches=True, subject=str(holder.key))


def head_doubts(state: "State") -> Iterator[Gap]:
    """A gap for each ClusterQueue whose head depends on what only the manager remembers."""
    if state.past is None:
        return
    yield from lost_queue_doubts(state)
    from kubectl_fairshare.schedulers.kueue.admission_sharing.firmness import has_firm_head

    for name, queue in waiting(state).items():
        if not has_firm_head(state.past, name, queue):
            yield _head_gap(name)


def play_doubts(state: "State", play: "Play") -> Iterator[Gap]:
    """The same for the next cycle of a play."""
    if state.past is None:
        return
    from kubectl_fairshare.schedulers.kueue.admission_sharing.firmness import has_firm_head

    for name, queue in play.candidates():
        if not has_firm_head(state.past, name, queue):
            yield _head_gap(name)


def _head_gap(name: str) -> Gap:
    return Gap(HEAD, (_scope(name),), touches=True, subject=f"which workload of {name} is next")


def victim_doubts(state: "State", nomination: "Nomination") -> Iterator[Gap]:
    """A gap for each ClusterQueue whose workloads a nomination tried as victims in an order that is not certain.

    A search in vain among several queues may find some in another order: a queue is asked no further once it is back
    within its quota.
    """
    past = state.past
    if past is None:
        return
    yield from lost_queue_doubts(state)
    from kubectl_fairshare.schedulers.kueue.admission_sharing.firmness import has_firm_order
    from kubectl_fairshare.schedulers.kueue.admission_sharing.order import has_same_names, is_ambiguous

    searches = [found for _, _, found in nomination.simulations]
    searches += [] if nomination.search is None else [nomination.search]
    tried = [(found, {trial.queue for trial in found.trials}) for found in searches]
    own = frozenset({nomination.queue})
    asked = {queue for found, queues in tried if found.targets or not queues <= own for queue in queues}
    for queue in sorted(asked):
        name = state.forest.nodes[queue].name
        if name not in past.scoped:
            continue
        holders = state.holders.of(queue)
        names = [(holder.key.namespace, holder.local_queue) for holder in holders]
        others = [holder for other in asked - {queue, nomination.queue} for holder in state.holders.of(other)]
        if not has_firm_order(past, name, names):
            yield Gap(HEAD, (_scope(name),), touches=True, subject=f"which workload of {name} leaves first")
        elif has_same_names(names) or (queue != nomination.queue and is_ambiguous(holders, others)):
            yield Gap(VICTIMS, (_scope(name),), touches=True, subject=name)


def _scope(cluster_queue: str) -> Place:
    return Place(cluster_key("ClusterQueue", cluster_queue), ("spec", "admissionScope", "admissionMode"))
