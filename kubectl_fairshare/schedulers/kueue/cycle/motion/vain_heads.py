"""Heads that got nothing get nothing again, as long as what the searches for their victims rest on lasts.

Only for speed: after each release of quota the heads of a whole tree are tried again, most of them in vain. What a
nomination reads is below the side of the root that the head is on, but for what is used at the root and what its other
sides pass on to it. So it stays as it was while nothing comes or goes on its own side, each amount that had no room
still has none, each that had some still has it, and each search is still foreseen to fail (``FailureGround``).
Example: a head asks for 8, its queue can have 5, and 20 are used at the root. It gets nothing as long as nothing ends
on its own side, more than 17 are used at the root, and its search for victims is foreseen to fail.
``python -m tests.bench.without`` prints what this buys.
Source: https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go, ``nominate``, which does it
anew for every head, with the same result.
Tested in ``tests/property/test_vain_heads.py``.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.flavors.placing import topology_placing
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.foresight import FailureGround
from kubectl_fairshare.schedulers.kueue.tree.state import State

_FAR: Final = 1 << 61
"""Amounts below this stay numbers in all sums of a tree, and none becomes unlimited."""


class _Vain(NamedTuple):
    """A nomination in vain: on which side of which root, after how many changes it was made, and what it rests on.

    ``rooms`` are the least (excluded) and the most that may be used at the root of each flavor-resource.
    """

    nomination: Nomination
    side: int
    root: int
    made: int
    rooms: Mapping[FlavorResource, tuple[int, int]]
    grounds: tuple[FailureGround, ...]


class VainHeads:
    """The last nominations in vain of the heads of trees, by UID."""

    def __init__(self) -> None:
        self._known: dict[str, _Vain] = {}
        self._changes = 0
        self._changed_at: dict[int, int] = {}

    def note_change(self, state: State, holders: Iterable[Holder]) -> None:
        """These came, went, or began to leave."""
        self._changes += 1
        for holder in holders:
            queue = state.forest.queue_ids.get(holder.cluster_queue)
            if queue is not None:
                self._changed_at[_side(state, queue)] = self._changes

    def keep(self, nomination: Nomination, state: State) -> None:
        """Takes the nomination of a head that was just made; it is kept if it is in vain and known to stay so."""
        uid, found = nomination.workload.uid, _vain(nomination, state, self._changes)
        if found is not None:
            self._known[uid] = found
        else:
            self._known.pop(uid, None)

    def again(self, workload: Pending, state: State) -> Nomination | None:
        """What a head would get now, if that is known to be what it got: nothing."""
        known = self._known.get(workload.uid)
        if known is None or self._changed_at.get(known.side, 0) > known.made:
            return None
        if known.nomination.workload is not workload and known.nomination.workload != workload:
            return None
        used, root = state.ledger.usage, known.root
        if not all(least < used(root, pair) <= most for pair, (least, most) in known.rooms.items()):
            return None
        holds = all(ground.holds(state, root, known.side) for ground in known.grounds)
        return known.nomination if holds else None


def _side(state: State, queue: int) -> int:
    """The child of the root that the queue is under, or is; the root itself if it is alone."""
    return state.forest.path(queue)[-2:][0]


def _vain(nomination: Nomination, state: State, made: int) -> _Vain | None:
    """The nomination with what it rests on; None if it is not in vain, or rests on more than that."""
    queue, assignment = nomination.queue, nomination.assignment
    if queue is None or assignment is None or assignment.mode is Mode.FIT or assignment.may_crash:
        return None
    if nomination.replaced or nomination.second or nomination.placed or nomination.placements:
        return None
    workload, root = nomination.workload, state.forest.root(queue)
    if root == queue or workload.is_drawn or not state.fair or not state.chance.fixed:
        return None
    if any(p.min_count is not None for p in workload.pod_sets) or topology_placing(state, queue, workload.pod_sets):
        return None
    searches, rooms = nomination.searches, _rooms(state, queue, root, assignment.measured)
    grounds = {id(search.ground): search.ground for search in searches if search.ground is not None}
    if rooms is None or any(search.ground is None for search in searches):
        return None
    return _Vain(nomination, _side(state, queue), root, made, rooms, tuple(grounds.values()))


def _rooms(
    state: State, queue: int, root: int, measured: Iterable[tuple[FlavorResource, int]]
) -> dict[FlavorResource, tuple[int, int]] | None:
    """Between which amounts the usage of the root leaves each measured amount the room that it has, or has not.

    A queue has at most so much more room as less is used at the root. None where amounts are without bound.
    """
    found: dict[FlavorResource, tuple[int, int]] = {}
    for pair, amount in measured:
        used, free = state.ledger.usage(root, pair), state.ledger.available(queue, pair)
        if max(abs(used), abs(amount)) >= _FAR:
            return None
        least, most = found.get(pair, (-_FAR, _FAR))
        if amount > max(0, free):
            least = max(least, used - (amount - free))
        elif amount > 0:
            most = min(most, used + (free - amount))
        found[pair] = least, most
    return found
