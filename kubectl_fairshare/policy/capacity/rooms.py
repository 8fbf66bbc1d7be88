"""The room of each queue, in units of a workload of one shape.

Each figure is decided: a workload of that size gets in, and one that is a unit larger does not. Where to look first
follows from quotas; the answer does not rest on that.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.capacity import CapacityAnswer, CapacityRow, Promise, Room
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.text.figures import amount
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Ruling, Sandbox, Site
from kubectl_fairshare.schedulers.scheduler import Scheduler

_NODE: Final = ("", "Node")
_MOST: Final = 1 << 40
"""Units beyond which nothing is tried."""
_MOST_COPIES: Final = 1000


@dataclass(frozen=True, slots=True)
class ScaledShape:
    """The workload that is counted in: ``unit`` is what one unit asks for; one alone per resource if it is empty."""

    unit: Mapping[str, int]
    copies: bool = True


def capacity(
    scheduler: Scheduler, snapshot: Snapshot, shape: ScaledShape, queues: Sequence[str], resources: Sequence[str]
) -> CapacityAnswer:
    """The room of the ``queues``, or of all, for the shape or for each of the ``resources`` alone."""
    sandbox = scheduler.review.sandbox(snapshot)
    sites = [site for site in sandbox.sites if not queues or site.queue in queues]
    idle = sandbox.idle()
    rows = tuple(row for site in sites for row in _rows(site, sandbox, idle, shape, resources))
    units = tuple(_unit_amounts(shape, rows))
    promises = tuple(_promises(sandbox.sites, snapshot, resources))
    return CapacityAnswer(scheduler.name, scheduler.version, units, rows, promises, tuple(sandbox.notes))


def _unit_amounts(shape: ScaledShape, rows: Sequence[CapacityRow]) -> Iterator[Amount]:
    named = shape.unit or {resource: _unit(resource) for resource in sorted({row.resource for row in rows})}
    for resource, value in named.items():
        yield Amount(resource, value, amount(resource, value))


def _unit(resource: str) -> int:
    """One of a resource: a core, a device, a mebibyte."""
    return 1 << 20 if quantity.is_binary(resource) else quantity.amount(resource, 1)


def _rows(
    site: Site, sandbox: Sandbox, idle: Sandbox, shape: ScaledShape, resources: Sequence[str]
) -> Iterator[CapacityRow]:
    """One row for the shape, which may use several pools; or one for each pool and resource."""
    if shape.unit:
        yield _row(site, sandbox, idle, _Asked(site, "", shape.unit), copies=shape.copies)
        return
    for pool, resource in site.guaranteed:
        if not resources or resource in resources:
            asked = _Asked(site, pool, {resource: _unit(resource)})
            yield _row(site, sandbox, idle, asked, copies=shape.copies)


class _Asked:
    """Workloads of one shape in one queue, by their number of units."""

    def __init__(self, site: Site, pool: str, unit: Mapping[str, int]) -> None:
        self.site, self.pool, self.unit = site, pool, unit
        self.resource = next(iter(unit))

    def work(self, units: int) -> MadeUpWork:
        """One workload of so many units, in one pod."""
        return MadeUpWork(self.site.queue, {resource: value * units for resource, value in self.unit.items()})

    def guesses(self, sandbox: Sandbox) -> list[int]:
        """The sizes at which quotas end: what is left of the queue's own, and of what it can ever hold."""
        found: set[int] = set()
        for (pool, resource), own in self.site.guaranteed.items():
            if resource in self.unit and self.pool in ("", pool) and self.unit[resource]:
                used = sandbox.used(self.site.queue).get((pool, resource), 0)
                most = self.site.most.get((pool, resource))
                limits = (own, own - used, *(() if most is None else (most, most - used)))
                found.update(max(0, limit) // self.unit[resource] for limit in limits)
        return sorted(found, reverse=True)

    def amount(self, units: int) -> Amount:
        """So many units of the first resource."""
        value = self.unit[self.resource] * units
        return Amount(self.resource, value, amount(self.resource, value), self.pool)


def _row(site: Site, sandbox: Sandbox, idle: Sandbox, asked: _Asked, *, copies: bool) -> CapacityRow:
    ever = _room(asked, idle, {Outcome.ADMITTED})
    now = _room(asked, sandbox, {Outcome.ADMITTED})
    preempting = _room(asked, sandbox, {Outcome.ADMITTED, Outcome.PREEMPTS})
    number = _copies(asked, sandbox) if copies else 0
    return CapacityRow(site.queue, asked.pool, asked.resource, now, preempting, ever, number)


def _room(asked: _Asked, sandbox: Sandbox, wanted: set[Outcome]) -> Room:
    """The largest size with a wanted outcome, next to one that has another."""
    known: dict[int, Ruling] = {}

    def ruling(units: int) -> Ruling:
        if units not in known:
            known[units] = sandbox.ruling(asked.work(units), asked.pool)
        return known[units]

    def fits(units: int) -> bool:
        return units == 0 or ruling(units).outcome in wanted

    size = _largest(fits, asked.guesses(sandbox))
    if size is None:
        return Room(None)
    victims = ruling(size).queues if size else ()
    return Room(asked.amount(size), ruling(size + 1).binding, victims)


def _largest(fits: Callable[[int], bool], guesses: Sequence[int]) -> int | None:
    """A size that fits while one unit more does not; the largest of the guesses that does, else by bisection."""
    for guess in guesses:
        if fits(guess) and not fits(guess + 1):
            return guess
    low, high = 0, 1
    while fits(high):
        low, high = high, high * 2
        if high > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _copies(asked: _Asked, sandbox: Sandbox) -> int:
    """How many workloads of one unit get in now, one after another and without preemption."""
    number = 0
    while number < _MOST_COPIES and sandbox.ruling(asked.work(1), asked.pool).outcome is Outcome.ADMITTED:
        number += 1
        sandbox = sandbox.placed(f"copy-{number}", asked.work(1), asked.pool)
    return number


def _promises(sites: Sequence[Site], snapshot: Snapshot, resources: Sequence[str]) -> Iterator[Promise]:
    """All quotas together, next to what the nodes can allocate."""
    nodes = [manifest.data for manifest in snapshot.manifests.values() if manifest.key[:2] == _NODE]
    totals: dict[str, int] = {}
    for site in sites:
        for (_, resource), own in site.guaranteed.items():
            totals[resource] = min(totals.get(resource, 0) + own, UNLIMITED)
    for resource, total in sorted(totals.items()):
        if resources and resource not in resources:
            continue
        there = sum(_allocatable(node, resource) for node in nodes)
        held = Amount(resource, there, amount(resource, there)) if nodes else None
        yield Promise(resource, Amount(resource, total, amount(resource, total)), held)


def _allocatable(node: Mapping[str, object], resource: str) -> int:
    try:
        return quantity.amount(resource, mapping(node, "status", "allocatable").get(resource, 0))
    except quantity.QuantityError:
        return 0
