"""Heads get the same again, as long as what their nominations rest on lasts.

Only for speed: after each release of quota the heads of a whole tree are tried again, most of them in vain. What a
nomination reads is below the side of the root that the head is on, but for what is used at the root and what its other
sides pass on to it. So it stays as it was while nothing comes or goes on its own side, each amount that had no room
still has none, each that had some still has it, and each search is still known to fail (``FailureGround``).
Example: a head asks for 8, its queue can have 5, and 20 are used at the root. It gets nothing as long as nothing ends
on its own side, more than 17 are used at the root, and its search for victims is known to fail.
Why not the last one alone: 8 are released at the root, all heads fit, and one of them takes the 8. The others get what
they got before.
``python -m tests.bench.without`` prints what this buys.
Source: https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go, ``nominate``, which does it
anew for every head, with the same result.
Tested in ``tests/property/test_lasting.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.flavors.placing import topology_placing
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.failure import FailureGround
from kubectl_fairshare.schedulers.kueue.preemption.targets import SearchResult
from kubectl_fairshare.schedulers.kueue.tree.state import State

_FAR: Final = 1 << 61
"""Amounts below this stay numbers in all sums of a tree, and none becomes unlimited."""


_MOST: Final = 3
"""The most nominations that are kept for one head."""


class _Kept(NamedTuple):
    """A nomination: on which side of which root, after how many changes it was made, and what it rests on.

    ``rooms`` are the least (excluded) and the most that may be used at the root of each flavor-resource.
    """

    nomination: Nomination
    side: int
    root: int
    made: int
    rooms: Mapping[FlavorResource, tuple[int, int]]
    grounds: tuple[FailureGround, ...]

    def holds(self, state: State) -> bool:
        """Whether it is what the head gets on a state in which its own side is as it was."""
        used, root = state.ledger.usage, self.root
        if not all(least < used(root, pair) <= most for pair, (least, most) in self.rooms.items()):
            return False
        return all(ground.holds(state, root, self.side) for ground in self.grounds)


class LastingNominations:
    """The last nominations of the heads of trees, by UID, the newest first."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Kept, ...]] = {}
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
        """Takes the nomination of a head that was just made; it is kept if it is known what it rests on."""
        found = _kept(nomination, state, self._changes)
        if found is not None:
            uid = nomination.workload.uid
            self._known[uid] = (found, *self._lasting(nomination.workload)[: _MOST - 1])

    def again(self, workload: Pending, state: State) -> Nomination | None:
        """What a head would get now, if that is known to be what it got."""
        return next((each.nomination for each in self._lasting(workload) if each.holds(state)), None)

    def _lasting(self, workload: Pending) -> tuple[_Kept, ...]:
        """What was kept for a head since its own side changed."""
        known = self._known.get(workload.uid)
        if known is None:
            return ()
        newest = known[0]
        same = newest.nomination.workload is workload or newest.nomination.workload == workload
        if not same or self._changed_at.get(newest.side, 0) > newest.made:
            del self._known[workload.uid]
            return ()
        since = self._changed_at.get(newest.side, 0)
        return tuple(each for each in known if each.made >= since)


def _side(state: State, queue: int) -> int:
    """The child of the root that the queue is under, or is; the root itself if it is alone."""
    return state.forest.path(queue)[-2:][0]


def _kept(nomination: Nomination, state: State, made: int) -> _Kept | None:
    """The nomination with what it rests on; None if it rests on more than that."""
    queue, assignment = nomination.queue, nomination.assignment
    if queue is None or assignment is None or assignment.may_crash:
        return None
    if nomination.replaced or nomination.second or nomination.placed or nomination.placements:
        return None
    workload, root = nomination.workload, state.forest.root(queue)
    if root == queue or workload.is_drawn or not state.chance.fixed:
        return None
    if any(p.min_count is not None for p in workload.pod_sets) or topology_placing(state, queue, workload.pod_sets):
        return None
    grounds = {id(search.ground): search.ground for search in _made_for(nomination)}
    if None in grounds.values():
        return None
    rooms = _rooms(state, queue, root, assignment.measured)
    if rooms is None:
        return None
    found = tuple(ground for ground in grounds.values() if ground is not None)
    return _Kept(nomination, _side(state, queue), root, made, rooms, found)


def _made_for(nomination: Nomination) -> Iterator[SearchResult]:
    """The searches that were made: a head that fits, or that nothing fits, has no search for the whole of it."""
    yield from (search for *_, search in nomination.simulations)
    if nomination.search is not None and nomination.mode is Mode.PREEMPT:
        yield nomination.search


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
