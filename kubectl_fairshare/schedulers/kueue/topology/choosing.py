"""Which domains the pods go to: the level and its domains first, then the way down to the leaves.

Why not the domain with the most room: racks have room for 5 and 10, and 5 pods ask for a rack. The one with 5 is taken,
so that 10 stay together for a larger job; where a topology is not required, the domains with the least room come first.
Source: ``findLevelWithFitDomains``, ``updateCountsToMinimumGeneric``, ``prioritizeLeaderDomain`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/tas_flavor_snapshot.go, KEP-2724; "topology"
in ``docs/laws.md``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.model.topology import LATEST, PlacementLaws
from kubectl_fairshare.schedulers.kueue.topology.counting import DomainCounts
from kubectl_fairshare.schedulers.kueue.topology.tree import Span, TopologyTree


class DomainGain(Protocol):
    """What a domain gets: pods, and the leader if ``leaders`` is 1."""

    @property
    def domain(self) -> int:
        """The number of the domain."""

    @property
    def pods(self) -> int:
        """The pods that it gets."""

    @property
    def leaders(self) -> int:
        """The leaders that it gets."""


class DomainShare(NamedTuple):
    """What a domain gets, once and for all."""

    domain: int
    pods: int
    leaders: int


class PlacementGoal(Value, frozen=True):
    """What is looked for: ``count`` pods in slices of ``size``, and a leader or none.

    ``level`` is where one domain is looked for, ``slice_level`` where a slice must stay together, ``inner`` by level
    the sizes of further layers. ``least_free``: domains with the least room first; otherwise those that fit best.
    """

    count: int
    size: int
    level: int
    slice_level: int
    inner: Mapping[int, int]
    leaders: int
    required: bool
    unconstrained: bool
    least_free: bool
    laws: PlacementLaws = LATEST


class TooFew(Value, frozen=True):
    """There is no such set of domains. ``level`` is where the search stopped, ``fits`` how many slices fit there."""

    level: int
    fits: int


class ChosenDomains(Value, frozen=True):
    """Domains of one level that together have room enough."""

    level: int
    domains: Sequence[int]


class _Column(NamedTuple):
    """One level's domains by what is given out there, slices or pods: alone, next to a leader, and pods alone."""

    alone: Sequence[int]
    beside: Sequence[int]


class DomainChoice:
    """One search over the counts of one unit."""

    def __init__(self, tree: TopologyTree, counts: DomainCounts, wanted: PlacementGoal) -> None:
        self.tree = tree
        self.counts = counts
        self.wanted = wanted
        self.slices = wanted.count // wanted.size

    def run(self) -> "Sequence[DomainGain] | TooFew":
        """The search from the level of the request down to the leaves."""
        found = self._level(self.wanted.level)
        return found if isinstance(found, TooFew) else self._descend(found)

    # the level and its domains

    def _level(self, level: int) -> "ChosenDomains | TooFew":
        """The widest set of domains needed: one of ``level``, otherwise one of a level above, otherwise several."""
        wanted = self.wanted
        ordered = self._with_leader_first(level)
        top = ordered[0]
        if not wanted.least_free and self._holds_all(level, top):
            top = self._best(level, ordered, self.slices, wanted.leaders)
        if wanted.least_free:
            found = self._first_with_room(level, ordered)
            if found is not None:
                return ChosenDomains(level, (found,))
            if wanted.required:
                # Pods and not slices, and of the last domain: Kueue's own text counts so here.
                return TooFew(level, self.counts.pods[level][ordered[-1]])
        if self._holds_all(level, top):
            return ChosenDomains(level, (top,))
        if wanted.required:
            return TooFew(level, self.counts.slices[level][top])
        # What is only preferred climbs until one domain holds all; what is unconstrained stays at its level.
        if level > 0 and not wanted.unconstrained:
            return self._level(level - 1)
        return self._several(level, ordered)

    def _holds_all(self, level: int, domain: int) -> bool:
        beside, places = self.counts.slices_beside[level], self.counts.leaders[level]
        return beside[domain] >= self.slices and places[domain] >= self.wanted.leaders

    def _first_with_room(self, level: int, ordered: Iterable[int]) -> int | None:
        column = self.counts.slices_beside[level] if self.wanted.leaders else self.counts.slices[level]
        leaders = self.counts.leaders[level]
        for domain in ordered:
            if leaders[domain] >= self.wanted.leaders and column[domain] >= self.slices:
                return domain
        return None

    def _several(self, level: int, ordered: Sequence[int]) -> "ChosenDomains | TooFew":
        """As many domains of the level as it takes, the leader's first."""
        column = _Column(self.counts.slices[level], self.counts.slices_beside[level])
        ordered = self._leader_domain_first(level, ordered, column, self.slices, self.wanted.leaders)
        results: list[int] = []
        rest = self.slices
        if self.wanted.leaders:
            domain = ordered[0]
            if not self.counts.leaders[level][domain]:
                return TooFew(level, 0)
            if not self.wanted.least_free and column.beside[domain] >= rest:
                domain = self._best(level, ordered, rest, self.wanted.leaders)
            results.append(domain)
            rest -= column.beside[domain]
            # The first in order leaves the list even if another one was taken for fitting best, as in Kueue: that one
            # may be taken twice.
            ordered = ordered[1:]
        left = self._sorted(level, ordered) if self.wanted.leaders else ordered  # without a leader they are sorted
        for i, following in enumerate(left):
            if rest <= 0:
                break
            # Speed alone: a domain without room gets nothing. With a leader it stays, as on the level below Kueue looks
            # for the leader's place anew, in all domains that are left.
            if not column.alone[following] and not self.wanted.leaders:
                continue
            last = not self.wanted.least_free and column.alone[following] >= rest
            domain = self._best(level, left[i:], rest, 0) if last else following
            results.append(domain)
            rest -= column.alone[domain]
        return TooFew(level, self.slices - rest) if rest > 0 else ChosenDomains(level, results)

    # orders

    def _sorted(self, level: int, domains: Iterable[int]) -> list[int]:
        """Most slices first, or fewest; then fewest pods; then by values."""
        sign = 1 if self.wanted.least_free else -1
        slices, pods = self.counts.slices[level], self.counts.pods[level]
        # Fewest pods in both directions: of domains with as many slices the one with the smallest remainder. Numbers
        # are in the order of values.
        return [domain for _, _, domain in sorted([(sign * slices[d], pods[d], d) for d in domains])]

    def _with_leader_first(self, level: int) -> list[int]:
        """As ``_sorted``, by what fits next to a leader, domains with a place for one first."""
        if not self.wanted.leaders:
            return self._sorted(level, range(len(self.counts.pods[level])))
        leaders, slices, pods = (
            self.counts.leaders[level],
            self.counts.slices_beside[level],
            self.counts.pods_beside[level],
        )
        sign = 1 if self.wanted.least_free else -1
        return sorted(range(len(pods)), key=lambda d: (-leaders[d], sign * slices[d], pods[d], d))

    def _best(self, level: int, domains: Sequence[int], slices: int, leaders: int) -> int:
        """The first of the domains with the least room that is enough; the first of all where none has enough."""
        column = self.counts.slices_beside[level] if leaders else self.counts.slices[level]
        return _tightest(domains, column, self.counts.leaders[level], slices, leaders)

    def _leader_domain_first(
        self, level: int, domains: Sequence[int], column: _Column, needed: int, leaders: int
    ) -> Sequence[int]:
        """The domains with the first one in front that can take the leader and leaves room enough in all."""
        if not leaders or len(domains) < 2:
            return domains
        have = sum(column.alone[d] for d in domains)
        places = self.counts.leaders[level]
        for i, domain in enumerate(domains):
            cost = column.alone[domain] - column.beside[domain]
            # The first that keeps enough for the workers, not the cheapest: the order above has decided which is
            # better.
            if places[domain] >= leaders and have - cost >= needed:
                return [domain, *domains[:i], *domains[i + 1 :]]
        return domains

    # the way down

    def _descend(self, chosen: ChosenDomains) -> Sequence[DomainGain]:
        wanted, depth = self.wanted, len(self.tree.levels)
        level = chosen.level
        given = self._take(level, chosen.domains, wanted.count, wanted.leaders, wanted.size, by_slices=True)
        while level < min(depth - 1, wanted.slice_level):
            # Above the level of slices all children compete, whatever their parents got: Kueue only keeps the whole
            # count.
            children = [c for g in given for c in self._children(level, g.domain)]
            level += 1
            ordered = self._sorted(level, children)
            given = self._take(level, ordered, wanted.count, wanted.leaders, wanted.size, by_slices=True)
        while level < depth - 1:
            # From the level of slices on each parent keeps its pods, as they must not leave it any more.
            size = wanted.inner.get(level + 1, 1)
            parents, level = given, level + 1
            found: list[DomainGain] = []
            for parent in parents:
                ordered = self._sorted(level, self._children(level - 1, parent.domain))
                found += self._take(level, ordered, parent.pods, parent.leaders, size, by_slices=size > 1, inner=True)
            given = found
        return given

    def _children(self, level: int, domain: int) -> range:
        span: Span = self.tree.children[level][domain]
        return range(span.first, span.end)

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
        """Gives ``count`` pods and the leader to the domains in their order, the last part where it fits best.

        Empty where not all can be given.
        """
        column = self._column(level, size, by_slices=by_slices, inner=inner)
        # Rounded down: pods that fill no slice were refused before, or are of a lost node.
        needed = count // size if by_slices else count
        domains = self._leader_domain_first(level, domains, column, needed, leaders)
        places, best_fit = self.counts.leaders[level], not self.wanted.least_free
        results: list[DomainShare] = []
        for i, following in enumerate(domains):
            domain = following
            if leaders:
                if best_fit and column.beside[domain] >= needed and places[domain] >= leaders:
                    domain = _tightest(domains[i:], column.beside, places, needed, leaders)
                if column.beside[domain] >= needed and places[domain] >= leaders:
                    return [*results, DomainShare(domain, needed * size, leaders)]
                part, lead = min(column.beside[domain], needed), min(places[domain], leaders)
                results.append(DomainShare(domain, part * size, lead))
                needed -= part
                leaders -= lead
                continue
            if needed and not column.alone[domain] and not self.wanted.leaders:
                continue  # as above
            if best_fit and column.alone[domain] >= needed:
                domain = _tightest(domains[i:], column.alone, places, needed, 0)
            if column.alone[domain] >= needed:
                return [*results, DomainShare(domain, needed * size, 0)]
            results.append(DomainShare(domain, column.alone[domain] * size, 0))
            needed -= column.alone[domain]
        return []

    def _column(self, level: int, size: int, *, by_slices: bool, inner: bool) -> _Column:
        counts = self.counts
        if not by_slices:
            return _Column(counts.pods[level], counts.pods_beside[level])
        if not inner:
            return _Column(counts.slices[level], counts.slices_beside[level])
        return _Column([p // size for p in counts.pods[level]], [p // size for p in counts.pods_beside[level]])


def _tightest(domains: Sequence[int], column: Sequence[int], places: Sequence[int], needed: int, leaders: int) -> int:
    # The first of the tightest, and the first of all if none is enough: Kueue keeps its order there.
    found, least = domains[0], None
    for domain in domains:
        if places[domain] >= leaders and column[domain] >= needed and (least is None or column[domain] < least):
            found, least = domain, column[domain]
    return found
