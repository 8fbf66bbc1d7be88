"""The queues that may preempt running workloads: those of which a newcomer of some size and priority takes them.

First all queues whose policies and usage make a workload a candidate; then newcomers of them are tried. Where that
takes too long, or topologies place pods, queues stay that may not get that far, and the answer says so.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import fall
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.cycle.stopping import stopping_head
from kubectl_fairshare.schedulers.kueue.explain.preemptors.candidacies import Candidacies
from kubectl_fairshare.schedulers.kueue.explain.preemptors.newcomers import MANY, Newcomers, Taking
from kubectl_fairshare.schedulers.kueue.explain.preemptors.shortage import ShortPairs
from kubectl_fairshare.schedulers.kueue.gaps import transformed_gaps
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_MOST_TAKINGS: Final = 20_000
_ALONE: Final = 20
"""What a try costs without any workload, counted in workloads of the tree."""
_MOST_STEPS: Final = 300_000
"""Newcomers that are tried, times the workloads of their tree: a few seconds."""


_CHARGED: Final = (
    "newcomers ask for what Kueue charges, and the Configuration transforms or excludes some of it: some of the queues "
    "may not get that far"
)


class Takers(NamedTuple):
    """Who may preempt each workload. ``doubt`` is why some of them may not get that far, in a clause.

    ``newcomers`` are Workloads of each queue that do it, where one was found.
    """

    of: Mapping[ObjectKey, Preemptors]
    doubt: str = ""
    newcomers: Mapping[int, Mapping[Taking, Pending | None]] = {}


def takers(state: State, numbers: PreemptorNumbers, holders: Iterable[Holder]) -> Takers:
    """Who may preempt each of the workloads: no queue where the manager dies of a head, as nothing is scheduled."""
    asked = {holder.key: holder for holder in holders}
    if stopping_head(state) is not None:
        return Takers({key: numbers.set_of(()) for key in asked})
    shortage = ShortPairs(state)
    candidacies = Candidacies(state, numbers, shortage)
    found = {key: candidacies.of(holder) for key, holder in asked.items()}
    if sum(map(len, found.values())) > _MOST_TAKINGS:
        return Takers(found, MANY)
    wanted: dict[int, dict[Taking, Holder]] = {}
    for key, known in found.items():
        for each in known:
            wanted.setdefault(state.forest.queue_ids[each.queue], {})[key, Law(each.law)] = asked[key]
    takings, doubt = _takings(state, shortage, wanted)
    queues = state.forest.queue_ids
    taken = {
        key: numbers.set_of(each for each in known if (key, Law(each.law)) in takings[queues[each.queue]])
        for key, known in found.items()
    }
    return Takers(taken, doubt, takings)


def left_below(state: State, holder: Holder) -> Iterator[tuple[FlavorResource, int]]:
    """How far the queue is below its own quota once the workload has left, where it borrows now."""
    queue = state.forest.queue_ids.get(holder.cluster_queue)
    if queue is None:
        return
    for pair, amount in sorted(holder.usage.items()):
        less = fall(state.ledger.usage(queue, pair), state.forest.subtree(queue, pair), amount)
        if less:
            yield pair, less


def _takings(
    state: State, shortage: ShortPairs, wanted: Mapping[int, Mapping[Taking, Holder]]
) -> tuple[Mapping[int, Mapping[Taking, Pending | None]], str]:
    """What of it newcomers of each queue take, and why that may be too much."""
    takings, doubts, left = dict[int, Mapping[Taking, Pending | None]](), set[str](), _MOST_STEPS
    for queue in sorted(wanted):
        newcomers = Newcomers(state, shortage, queue, wanted[queue])
        each = _ALONE + len(newcomers.holders)
        newcomers.run(left // each)
        left -= newcomers.tries * each
        takings[queue] = newcomers.taken
        doubts |= newcomers.doubts
        found = [pods for each in newcomers.taken.values() if each is not None for pods in each.pod_sets]
        if any(transformed_gaps(state.configuration, pods.requests) for pods in found):
            doubts.add(_CHARGED)
    return takings, "; ".join(sorted(doubts))
