"""The choice of domains for a leader and its workers as it was before the leader was sure of its place.

The search takes domains without a place for the leader, and what it counts out on the way down can come to too many
pods, or to none. Domains keep what was counted for them, and one may be taken twice.
Why not the later law: a leader of 2 cpu and workers of 1; the smallest host holds the leader or a worker, not both. The
earlier search takes it for both, and admits the pods without any place.
Source: ``findLevelWithFitDomains``, ``updateCountsToMinimumGeneric`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.17.8/pkg/cache/scheduler/tas_flavor_snapshot.go; "topology" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/topology/test_older_releases.py``.
"""

from collections.abc import Iterable, Sequence

from kubectl_fairshare.schedulers.kueue.topology.choosing import (
    ChosenDomains,
    DomainChoice,
    DomainGain,
    PlacementGoal,
    TooFew,
)
from kubectl_fairshare.schedulers.kueue.topology.counting import DomainCounts
from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree


class _RoomLeft:
    """What is left to count out of a domain, and then what it got."""

    __slots__ = ("alone", "beside", "domain", "leaders", "pods", "pods_beside")

    def __init__(self, domain: int, pods: int, pods_beside: int, leaders: int) -> None:
        self.domain = domain
        self.pods = pods
        self.pods_beside = pods_beside
        self.leaders = leaders
        self.alone = 0
        self.beside = 0


class EarlierChoice(DomainChoice):
    """One search over the counts of workers and their leader."""

    def __init__(self, tree: TopologyTree, counts: DomainCounts, wanted: PlacementGoal) -> None:
        super().__init__(tree, counts, wanted)
        self._rooms: dict[tuple[int, int], _RoomLeft] = {}

    def _first_with_room(self, level: int, ordered: Iterable[int]) -> int | None:
        # Without a look at the leader: it may have no place there.
        return next((domain for domain in ordered if self.counts.slices[level][domain] >= self.slices), None)

    def _best(self, level: int, domains: Sequence[int], slices: int, leaders: int) -> int:
        column = self.counts.slices_beside[level] if leaders else self.counts.slices[level]
        # Whether the leader has a place there is not asked either.
        enough = [domain for domain in domains if column[domain] >= slices]
        return min(enough, key=lambda domain: column[domain], default=domains[0])

    def _several(self, level: int, ordered: Sequence[int]) -> "ChosenDomains | TooFew":
        alone, beside, places = self.counts.slices[level], self.counts.slices_beside[level], self.counts.leaders[level]
        results: list[int] = []
        rest, leaders, at = self.slices, self.wanted.leaders, 0
        while leaders > 0 and at < len(ordered) and places[ordered[at]]:
            last = not self.wanted.least_free and beside[ordered[at]] >= rest
            results.append(self._best(level, ordered[at:], rest, leaders) if last else ordered[at])
            leaders -= places[results[-1]]
            rest -= beside[results[-1]]
            at += 1
        if leaders > 0:
            return TooFew(level, self.wanted.leaders - leaders)
        left = self._sorted(level, ordered[at:])
        for i, following in enumerate(left):
            if rest <= 0:
                break
            last = not self.wanted.least_free and alone[following] >= rest
            results.append(self._best(level, left[i:], rest, 0) if last else following)
            rest -= alone[results[-1]]
        return TooFew(level, self.slices - rest) if rest > 0 else ChosenDomains(level, results)

    def _sorted(self, level: int, domains: Iterable[int]) -> list[int]:
        """By what is left to count out, where something was."""
        rooms = self._rooms
        if not rooms:
            return super()._sorted(level, domains)
        sign = 1 if self.wanted.least_free else -1
        slices, pods = self.counts.slices[level], self.counts.pods[level]
        known = ((d, rooms.get((level, d))) for d in domains)
        keys = [(sign * slices[d], pods[d], d) if r is None else (sign * r.alone, r.pods, d) for d, r in known]
        return [domain for _, _, domain in sorted(keys)]

    def _take(
        self,
        level: int,
        domains: Sequence[int],
        count: int,
        leaders: int,
        size: int,
        *,
        by_slices: bool,
        inner: bool = False,
    ) -> Sequence[DomainGain]:
        rooms = [self._room(level, domain) for domain in domains]
        for room in rooms if inner else ():
            room.alone, room.beside = room.pods // size, room.pods_beside // size
        rest = count // size if by_slices else count
        results: list[_RoomLeft] = []
        for i, following in enumerate(rooms):
            if leaders > 0:
                room = self._taking_leader(rooms[i:], following, rest, leaders)
                results.append(room)
                if room.beside >= rest and room.leaders >= leaders:
                    room.alone, room.leaders, room.pods = rest, leaders, rest * size
                    return results
                part, lead = (min(room.beside, rest), min(room.leaders, leaders)) if by_slices else (0, 0)
                rest, leaders = rest - (part if by_slices else room.beside), leaders - room.leaders
                if by_slices:
                    room.beside, room.pods, room.leaders = part, part * size, lead
                else:  # the pods stay as many as without a leader, and the leader is lost
                    room.beside, room.leaders = min(room.beside, rest), min(room.leaders, leaders)
                continue
            room = following
            if not self.wanted.least_free and room.alone >= rest:
                room = _tightest(rooms[i:], rest, beside=False)
            results.append(room)
            room.leaders = 0
            if room.alone >= rest:
                room.alone, room.pods = rest, rest * size
                return results
            room.pods = room.alone * size
            rest -= room.alone
        return []

    def _taking_leader(self, rooms: Sequence[_RoomLeft], first: _RoomLeft, rest: int, leaders: int) -> _RoomLeft:
        """The domain that is next for the leader: that with the least room, if the first one has enough."""
        last = not self.wanted.least_free and first.beside >= rest and first.leaders >= leaders
        return _tightest(rooms, rest, beside=True) if last else first

    def _room(self, level: int, domain: int) -> _RoomLeft:
        known = self._rooms.get((level, domain))
        if known is None:
            counts = self.counts
            known = _RoomLeft(
                domain, counts.pods[level][domain], counts.pods_beside[level][domain], counts.leaders[level][domain]
            )
            known.alone, known.beside = counts.slices[level][domain], counts.slices_beside[level][domain]
            self._rooms[level, domain] = known
        return known


def _tightest(rooms: Sequence[_RoomLeft], rest: int, *, beside: bool) -> _RoomLeft:
    """The first room with the least that is enough."""
    enough = [room for room in rooms if (room.beside if beside else room.alone) >= rest]
    return min(enough, key=lambda room: room.beside if beside else room.alone, default=rooms[0])
