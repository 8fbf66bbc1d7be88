"""The loads that are tried: kinds of workloads, all sequences of few of them, and drawn sequences of more.

Why both: three kinds in a certain order are rare among drawn sequences of 12 from 30 kinds, and are surely among all
27,000 sequences of 3; what needs ten workloads is only ever drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.described import POD_COUNT
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox, Site

_PRIORITIES: Final = (0, 100)
_BYTES: Final = (1 << 30, 1 << 20, 1 << 10)


class LoadSpace(Value, frozen=True):
    """What loads are made of: one resource in so many ``sizes``, in some queues, with some priorities.

    ``units`` are the smallest amounts by resource; drawn workloads ask for other resources, too, in multiples of them.
    """

    resource: str
    sizes: tuple[int, ...]
    kinds: tuple[MadeUpWork, ...]
    queues: int
    units: Mapping[str, int]


def space_of(sandbox: Sandbox, resource: str = "", sizes: Sequence[int] = (), queues: Sequence[str] = ()) -> LoadSpace:
    """The loads of a policy: by default of the scarcest resource, in the sizes at which decisions change.

    These are a unit, what a queue has of its own, and the most that any can hold. Raises ``UsageError`` where no
    queue has quota.
    """
    sites = [site for site in sandbox.sites if not queues or site.queue in queues]
    named = resource or _scarcest(sites)
    if named == POD_COUNT:
        raise UsageError(Problem(f"a pod cannot request `{POD_COUNT}`", help="name another resource"))
    chosen = [site for site in sites if named in site.resources]
    if not chosen:
        what = f"`{named}`" if named else "anything"
        raise UsageError(Problem(f"no queue has quota for {what}", help="name a resource that queues have quota for"))
    amounts = tuple(sizes) or _sizes(chosen, named)
    prioritised = any(site.prioritised for site in chosen)
    kinds = (
        MadeUpWork(site.queue, {named: size}, 1, priority)
        for site in chosen
        for size in amounts
        for priority in (_PRIORITIES if prioritised else _PRIORITIES[:1])
        if _fits_ever(site, named, size)
    )
    others = sorted({each for site in chosen for each in site.resources} - {named, POD_COUNT})
    units = {named: min(amounts), **{each: _sizes(sites, each)[0] for each in others}}
    return LoadSpace(named, amounts, tuple(kinds), len(chosen), units)


def _scarcest(sites: Sequence[Site]) -> str:
    """An accelerator that all queues have, otherwise the resource that most have; none requests pods."""
    counts: dict[str, int] = {}
    for site in sites:
        for resource in {*site.resources} - {POD_COUNT}:
            counts[resource] = counts.get(resource, 0) + 1
    # Devices have a domain in their names; the name itself makes the choice the same each time.
    return max(counts, key=lambda resource: (counts[resource], "/" in resource, resource), default="")


def _sizes(sites: Sequence[Site], resource: str) -> tuple[int, ...]:
    """A sixth, a third and all but a unit of the most that a queue can hold, and the smallest quota: in whole units."""
    own = [amount for site in sites for (_, name), amount in site.guaranteed.items() if name == resource and amount]
    most = [bound for site in sites for (_, name), bound in site.most.items() if name == resource and bound]
    largest = max([*own, *most], default=1)
    unit = _unit(resource, largest, min(own, default=largest))
    # All but a unit of the most leaves room for one small workload: there the order of arrivals decides.
    parts = (largest // 6, largest // 3, largest - unit, min(own, default=0))
    return tuple(sorted({max(unit, part // unit * unit) for part in parts}))


def _unit(resource: str, largest: int, smallest: int) -> int:
    """One of the resource; of bytes the largest of Gi, Mi and Ki that divides no size and no quota to nothing."""
    if quantity.is_binary(resource):
        least = min(largest // 6, smallest)
        return next((unit for unit in _BYTES if unit <= least), 1)
    one = quantity.amount(resource, 1)
    return one if largest >= one else 1


def _fits_ever(site: Site, resource: str, size: int) -> bool:
    """Whether the queue could ever hold the workload; work that can never run shows nothing."""
    # One pool with room is enough; which pool a workload gets is left to the scheduler.
    bounds = [bound for (_, name), bound in site.most.items() if name == resource]
    return any(bound is None or bound >= size for bound in bounds)


def names() -> Iterator[str]:
    """What workloads are called, in the order of their arrival: ``w1``, then ``w2``."""
    number = 0
    while True:
        number += 1
        yield f"w{number}"


class SeededNumbers:
    """Numbers that look like chance and are the same for the same seed on every machine: SplitMix64."""

    __slots__ = ("_state",)

    _MASK: Final = (1 << 64) - 1

    def __init__(self, seed: int) -> None:
        self._state = seed & self._MASK

    def below(self, bound: int) -> int:
        """A number from 0 to below ``bound``."""
        # Python's own generator may draw otherwise in another release, and a seed is part of an answer.
        self._state = (self._state + 0x9E3779B97F4A7C15) & self._MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & self._MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & self._MASK
        return (mixed ^ (mixed >> 31)) % bound


def draw_work(space: LoadSpace, draws: SeededNumbers, most: int) -> list[MadeUpWork]:
    """A sequence of up to ``most`` workloads; now and then one of another size than the space has."""
    found = []
    # Two at least: each workload alone has been tried.
    for _ in range(2 + draws.below(max(most - 1, 1))):
        kind = space.kinds[draws.below(len(space.kinds))]
        # Sizes between those of the kinds find what happens between two quotas.
        if draws.below(3) == 0:
            size = kind.request[space.resource]
            kind = MadeUpWork(kind.queue, {space.resource: max(1, size * (1 + draws.below(4)) // 2)}, 1, kind.priority)
        found.append(_with_others(kind, space, draws))
    return found


def _with_others(kind: MadeUpWork, space: LoadSpace, draws: SeededNumbers) -> MadeUpWork:
    """The workload with some of the other resources, in most cases."""
    request = dict(kind.request)
    for resource, unit in space.units.items():
        if resource != space.resource and (amount := unit * draws.below(6)):
            request[resource] = amount
    return MadeUpWork(kind.queue, request, kind.count, kind.priority)
