"""The room of each queue, in units of a workload of one shape.

Each figure is decided: a workload of that size gets in, and one that is a unit larger does not. Where to look first
follows from quotas; the answer does not rest on that.
Why not quota less use: a queue with 10 of its own and 4 in use has room for 6 only if nodes, topologies and the queues
above it agree. And sizes that get in need not be all up to the largest: with more victims a larger one may get in where
a smaller does not, so an answer is one that does, next to one that does not.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from math import isqrt
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.capacity import CapacityAnswer, CapacityRow, Promise, Room
from kubectl_fairshare.answers.fidelity import Gap, merged_fidelity
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.policy.capacity.backlog import backlog_rows
from kubectl_fairshare.policy.capacity.smaller import smaller_requests
from kubectl_fairshare.policy.capacity.spans import SpanSearch
from kubectl_fairshare.schedulers.described import POD_COUNT
from kubectl_fairshare.schedulers.sandbox import EVERY_TAINT, MadeUpWork, PromisedQuotas, Ruling, Sandbox, Site
from kubectl_fairshare.schedulers.scheduler import Scheduler

_NODE: Final = ("", "Node")
_MOST: Final = 1 << 40
"""Units beyond which nothing is tried."""
_PATIENCE: Final = 3
"""Guesses that may fail to halve what is in question before it is halved."""


class ScaledShape(Value, frozen=True):
    """The workload that is counted in: ``unit`` is what one unit asks for; one alone per resource if it is empty.

    ``copies`` and ``preempting`` are further figures. ``backlog`` are requests of workloads that are to run all.
    ``tolerations`` are those of all pods.
    """

    unit: Mapping[str, int]
    copies: bool = True
    preempting: bool = True
    backlog: tuple[Mapping[str, int], ...] = ()
    tolerations: tuple[Toleration, ...] = EVERY_TAINT

    def works(self, queue: str) -> list[MadeUpWork]:
        """The workloads of the backlog in a queue."""
        return [MadeUpWork(queue, load, tolerations=self.tolerations) for load in self.backlog]


def capacity(
    scheduler: Scheduler, snapshot: Snapshot, shape: ScaledShape, queues: Sequence[str], resources: Sequence[str]
) -> CapacityAnswer:
    """The room of the ``queues``, or of all, for the shape or for each of the ``resources`` alone.

    Raises ``FairshareError`` for more figures than can be found in one call.
    """
    sandbox = scheduler.review.sandbox(snapshot)
    sites = [site for site in sandbox.sites if not queues or site.queue in queues]
    usual = {resource for site in sandbox.sites for resource in site.resources}
    asked = [each for site in sites for each in _questions(site, shape, resources, usual, alone=sandbox.single_pods)]
    _refuse_too_many(len(asked), sandbox)
    most_copies = sandbox.most_copies(len(asked)) if shape.copies else None
    busy, idle = _Ground(sandbox), _Ground(sandbox.idle())
    found = [_row(each, busy, idle, shape, most_copies) for each in asked]
    rows = tuple(row for row, _ in found)
    gaps = dict.fromkeys(gap for _, some in found for gap in some)
    units = tuple(_unit_amounts(shape, rows))
    promises = tuple(_promises(sandbox.promised, snapshot, resources))
    backlog = [row for site in sites if shape.backlog for row in backlog_rows(sandbox, shape.works(site.queue), gaps)]
    fidelity = merged_fidelity([scheduler.review.fidelity(snapshot)], gaps)
    notes = (*sandbox.notes, _tolerated(shape.tolerations))
    return CapacityAnswer(scheduler.name, fidelity, units, rows, promises, notes, tuple(backlog))


def _tolerated(tolerations: Sequence[Toleration]) -> str:
    """Which taints the workloads tolerate, in a clause."""
    if tolerations == EVERY_TAINT:
        return "the pods tolerate every taint, also that of cordoned nodes (`--toleration` names others, or `none`)"
    return f"the pods tolerate {', '.join(map(_toleration_text, tolerations)) or 'no taint'}"


def _toleration_text(of: Toleration) -> str:
    value = f"={of.value}" if of.operator == "Equal" else ""
    return f"{of.key}{value}{f':{of.effect}' if of.effect else ''}"


def _refuse_too_many(figures: int, sandbox: Sandbox) -> None:
    most = sandbox.most_figures
    if most is not None and figures > most:
        raise FairshareError(
            Problem(
                f"{figures} figures are too many for one answer: each is decided on the whole state",
                help=f"ask about at most {most} queues and resources at once, with `--queue` and `--resource`",
            )
        )


def _unit_amounts(shape: ScaledShape, rows: Sequence[CapacityRow]) -> Iterator[Amount]:
    named = shape.unit or {resource: _unit(resource) for resource in sorted({row.resource for row in rows})}
    for resource, value in named.items():
        yield Amount(resource, value, amount(resource, value))


def _unit(resource: str) -> int:
    """One of a resource: a core, a device, a mebibyte."""
    return 1 << 20 if quantity.is_binary(resource) else quantity.amount(resource, 1)


def _questions(
    site: Site, shape: ScaledShape, resources: Sequence[str], usual: Collection[str], *, alone: bool
) -> Iterator["_Asked"]:
    """One for the shape, which may use several pools; or one for each pool and resource.

    One without a bound is asked about if it is among the ``resources`` in question, or if some queue has a bound for it
    (``usual``), or none has any. A quota of pods binds nothing where pods are admitted ``alone``: none requests it.
    """
    if shape.unit:
        yield _Asked(site, "", shape.unit, shape.tolerations)
        return
    wanted = resources or usual
    unbounded = (pair for pair in site.unbounded if not wanted or pair[1] in wanted)
    for pool, resource in (*site.guaranteed, *unbounded):
        if (not resources or resource in resources) and not (alone and resource == POD_COUNT):
            yield _Asked(site, pool, {resource: _unit(resource)}, shape.tolerations)


class _Asked:
    """Workloads of one shape in one queue, by their number of units."""

    def __init__(
        self, site: Site, pool: str, unit: Mapping[str, int], tolerations: tuple[Toleration, ...] = EVERY_TAINT
    ) -> None:
        self.site, self.pool, self.unit, self.tolerations = site, pool, unit, tolerations
        self.resource = next(iter(unit))
        self.each = unit[self.resource]

    def work(self, units: int) -> MadeUpWork:
        """One workload of so many units, in one pod; or of so many pods, where those are the units."""
        if self.resource == POD_COUNT:
            return MadeUpWork(self.site.queue, {}, units, tolerations=self.tolerations)
        request = {resource: value * units for resource, value in self.unit.items()}
        return MadeUpWork(self.site.queue, request, tolerations=self.tolerations)

    def rulings(self, ask: Callable[[MadeUpWork, str], Ruling], wanted: frozenset[Outcome]) -> "_Rulings":
        """What ``ask`` says of each number of units."""
        return _Rulings(
            lambda units: ask(self.work(units), self.pool), wanted, self.each, lambda work: ask(work, self.pool)
        )

    def hints(self, ground: "_Ground") -> list[int]:
        """The sizes at which room may end: first what the house says, then where quotas end, the largest first.

        Those are the rest of the queue's own quota, and what it can ever hold.
        """
        known, used = ground.hints(self.site.queue), ground.used(self.site.queue)
        likely: list[int] = []
        found: set[int] = set()
        for pair, own in self.site.guaranteed.items():
            pool, resource = pair
            if self.unit.get(resource) and self.pool in ("", pool):
                most, held = self.site.most.get(pair), used.get(pair, 0)
                limits = (own, own - held, *(() if most is None else (most, most - held)))
                likely += [max(0, limit) // self.unit[resource] for limit in known.get(pair, ())]
                found.update(max(0, limit) // self.unit[resource] for limit in limits)
        return list(dict.fromkeys((*likely, *sorted(found, reverse=True))))

    def amount(self, units: int) -> Amount:
        """So many units of the first resource."""
        value = self.each * units
        return Amount(self.resource, value, amount(self.resource, value), self.pool)


class _Rulings:
    """What the scheduler says ``of`` each number of units, asked once for each number; one unit is ``each``.

    ``of_work`` is what it says of any workload.
    """

    def __init__(
        self,
        ask: Callable[[int], Ruling],
        wanted: frozenset[Outcome],
        each: int,
        of_work: Callable[[MadeUpWork], Ruling],
    ) -> None:
        self.of, self.wanted, self._each, self.of_work = cache(ask), wanted, each, of_work
        self.doubts: Callable[[int], tuple[Gap, ...]] = cache(self._doubts)

    def about(self, wanted: frozenset[Outcome]) -> "_Rulings":
        """The same rulings, of which others are wanted."""
        same = _Rulings(self.of, wanted, self._each, self.of_work)
        same.doubts = self.doubts
        return same

    def fits(self, units: int) -> bool:
        """Whether it gets in; nothing always does."""
        return units == 0 or self.of(units).outcome in self.wanted

    def _doubts(self, units: int) -> tuple[Gap, ...]:
        """What is not modelled of the ruling, and what it rests on by chance: a scheduler may decide often for that."""
        ruling = self.of(units)
        return (*ruling.gaps, *ruling.chance())

    def within(self, units: int) -> int | None:
        """The units that the search for victims came to, if there was one."""
        within = self.of(units).within() if units else None
        return None if within is None else within // self._each

    def proposal(self, low: int, high: int) -> int | None:
        """The largest size, by spans of sizes that are decided in the same way; None where these are not known."""
        sizes = self.of(high).sizes
        return None if sizes is None else SpanSearch(sizes, self.fits, self._each, low, high).proposed()


_IN: Final = frozenset({Outcome.ADMITTED})
_AT_LAST: Final = frozenset({Outcome.ADMITTED, Outcome.PREEMPTS})


class _Ground:
    """A sandbox, and what it says of each queue: asked once for all rows of the queue."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.hints, self.used = cache(sandbox.hints), cache(sandbox.used)


def _row(
    asked: _Asked, full: _Ground, empty: _Ground, shape: ScaledShape, most_copies: int | None
) -> tuple[CapacityRow, tuple[Gap, ...]]:
    """The figures of one row, and what is not modelled of any of them; without ``most_copies`` no copies."""
    busy, idle, likely = full.sandbox, empty.sandbox, asked.hints(full)
    most, never_more = _room(asked, asked.rulings(idle.entry, _IN), asked.hints(empty))
    entries = asked.rulings(busy.entry, _IN)
    now, not_now = _room(asked, entries, likely)
    ends = _units(now, asked), _units(most, asked)
    room, last = None, tuple[Gap, ...]()
    if shape.preempting:
        # One ruling answers both questions then, and none is asked twice.
        rulings = entries.about(_AT_LAST) if busy.enters_as_ruled else asked.rulings(busy.ruling, _AT_LAST)
        room, last = _room(asked, rulings, sorted(likely, reverse=True), ends)
    copies, more = None, False
    if most_copies is not None:
        # One more than is said shows whether there are more.
        number = busy.copies(asked.work(1), asked.pool, most_copies + 1)
        copies, more = min(number, most_copies), number > most_copies
    row = CapacityRow(asked.site.queue, asked.pool, asked.resource, now, room, most, copies, more)
    return row, (*never_more, *not_now, *last)


def _units(room: Room, asked: _Asked) -> int | None:
    return None if room.size is None else int(room.size.value) // asked.each


def _room(
    asked: _Asked, rulings: _Rulings, hints: Sequence[int], bounds: tuple[int | None, int | None] = (0, None)
) -> tuple[Room, tuple[Gap, ...]]:
    """The largest size that gets in, next to one that does not; and what is not modelled of it.

    ``bounds`` are a size that is known to get in, and one that may be the largest.
    """
    size = _largest(rulings, hints, bounds)
    if size is None:
        return Room(None), ()
    beyond = rulings.of(size + 1)
    last = rulings.of(size) if size else beyond
    less = [] if size or asked.pool else [*smaller_requests(asked.work(1), rulings.of_work, rulings.wanted)]
    doubts = [gap for _, gaps in less for gap in gaps]
    doubts += (*(rulings.doubts(size) if size else ()), *rulings.doubts(size + 1))
    smaller = tuple(each for each, _ in less)
    return Room(asked.amount(size), beyond.what_binds(), last.queues if size else (), smaller), tuple(doubts)


def _largest(rulings: _Rulings, hints: Sequence[int], bounds: tuple[int | None, int | None]) -> int | None:
    """A size that fits while one unit more does not, found from the bounds, from a hint, or by bisection."""
    low, most = bounds[0], bounds[1] or 0
    if low is None:
        return None
    # Two rulings, and often the end: nothing else binds than in a state without work.
    if most > low and rulings.fits(most) and not rulings.fits(most + 1):
        return most
    found = rulings.proposal(low, most) if most > low else None
    if found is not None and rulings.fits(found) and not rulings.fits(found + 1):
        return found
    for hint in () if most > low and rulings.within(most) is not None else hints:
        if rulings.fits(hint) and not rulings.fits(hint + 1):
            return hint
    high = max(low + 1, most)
    while rulings.fits(high):
        low, high = high, high * 2
        # Nothing bounds it.
        if high > _MOST:
            return None
    return _between(rulings, low, high)


def _between(rulings: _Rulings, low: int, high: int) -> int:
    """A size from ``low``, which fits, to ``high``, which does not: where searches for victims end, else by bisection.

    What a search came to is a guess: a smaller workload may have more victims, a larger one fewer.
    """
    beyond: list[tuple[int, int]] = []
    asked, patience = high, _PATIENCE
    while high - low > 1:
        width, within = high - low, rulings.within(asked)
        if within is not None and asked == high:
            beyond.append((asked, within))
        guess = _guess(low, asked, within, beyond) if within is not None and patience else _middle(low, high)
        asked = min(max(guess, low + 1), high - 1)
        low, high = (asked, high) if rulings.fits(asked) else (low, asked)
        patience = _PATIENCE if 2 * (high - low) <= width or not patience else patience - 1
    return low


def _guess(low: int, asked: int, within: int, beyond: Sequence[tuple[int, int]]) -> int:
    """Where room may end: what a search that fits came to, or where a line through those that fail meets its size.

    ``beyond`` are the sizes that fail and what they came to, the last one last. A single one has a line that falls by
    one: under fair sharing, each unit more that is asked for is often one unit less that may be taken.
    """
    if asked == low:
        return within
    if within <= low:
        return _middle(low, asked)
    size, reached = beyond[-2] if len(beyond) > 1 and beyond[-2][1] > low else (asked + 1, within - 1)
    return asked - (asked - within) * (size - asked) // max(1, size - asked + within - reached)


def _middle(low: int, high: int) -> int:
    """Half way; of sizes that are far apart, by their ratio."""
    # Between 1 and 2⁴⁰, half way by ratio comes near an end of 10 in some five steps, by difference in 37.
    return isqrt(max(1, low) * high) if 4 * low < high else (low + high) // 2


def _promises(promised: PromisedQuotas, snapshot: Snapshot, resources: Sequence[str]) -> Iterator[Promise]:
    """All quotas together, next to what the nodes can allocate."""
    nodes = [manifest.data for manifest in snapshot.manifests.values() if manifest.key[:2] == _NODE]
    for resource, total in sorted(promised.amounts.items()):
        if resources and resource not in resources:
            continue
        there = sum(_allocatable(node, resource) for node in nodes)
        held = Amount(resource, there, amount(resource, there)) if nodes else None
        of = promised.names.get(resource, promised.of)
        yield Promise(resource, Amount(resource, total, amount(resource, total)), of, held)


def _allocatable(node: Mapping[str, object], resource: str) -> int:
    try:
        return quantity.amount(resource, mapping(node, "status", "allocatable").get(resource, 0))
    except quantity.QuantityError:
        return 0
