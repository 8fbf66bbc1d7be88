"""Made-up pods that are tried on running ones, as the schedulers that place one pod after another share them.

A newcomer names one node and tolerates its taints, so only that node decides. Which pods it could take at all is known
by conditions that are necessary, which each scheduler knows. The sizes here are those at which an outcome changes: all
that is free once every candidate has left, less what those of them hold that are put back.
Tested in ``tests/property/exact/test_pod_preemptors.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import islice, product
from math import prod
from typing import Final, NamedTuple, Protocol, TypeAlias

from kubectl_fairshare.answers.preemptors import Preemptors
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Toleration

MANY: Final = "there are too many newcomers to try: some of the queues may not get that far"
UNFOUND: Final = "no newcomer of some of the queues was found that gets that far"
NO_NODE: Final = "on a node that is not in the input no newcomers are tried: some of the queues may not get that far"
MOST_TRIES: Final = 10_000
"""Newcomers that are tried about one state: a few seconds."""
_MOST_SIZES: Final = 400
"""Newcomers of one priority that are tried on one node."""
_ANY_PRIORITY: Final = 1_000_000_000
"""The highest priority that a PriorityClass of users may have."""
_SYSTEM: Final = (2_000_000_000, 2_000_001_000)
"""``system-cluster-critical`` and ``system-node-critical``, the only priorities above."""
_MOST_SUMS: Final = 24

Request: TypeAlias = Mapping[str, int]
"""What a newcomer asks for, by resource."""


class Keyed(Protocol):
    """A pod, as far as it matters here."""

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""


class Newcomer(NamedTuple):
    """A made-up pod of a namespace or quota for one node."""

    queue: str
    node: str
    priority: int
    request: Request


class PodTakers(NamedTuple):
    """Who may preempt each pod. ``doubt`` is why some of them may not get that far, in a clause.

    ``newcomers`` are pods that take each pod, by the law of that.
    """

    of: Mapping[ObjectKey, Preemptors]
    doubt: str = ""
    newcomers: Mapping[tuple[ObjectKey, str], Sequence[Newcomer]] = {}


class NewcomerRoom(NamedTuple):
    """What newcomers may ask of one resource: at most ``most``.

    ``limits`` are the bounds on it once all candidates have left, each with what it counts of every candidate that is
    put back; ``others`` are further sizes up to which a decision is the same.
    """

    resource: str
    most: int
    limits: Sequence[tuple[int, Sequence[int]]]
    others: Sequence[int] = ()

    @property
    def sizes(self) -> list[int]:
        """The largest size of each outcome, the largest first: between two of them, no comparison changes."""
        found = {self.most, *self.others}
        for limit, held in self.limits:
            found |= {limit - less for less in _sums(held)}
        return sorted((size for size in found if 0 < size <= self.most), reverse=True)

    @property
    def has_all_sizes(self) -> bool:
        """Whether there are few enough of them."""
        return all(len(_sums(held)) < _MOST_SUMS for _, held in self.limits)


def _sums(amounts: Iterable[int]) -> set[int]:
    """What some of the amounts come to, the smallest such sums."""
    found = {0}
    for amount in sorted(each for each in amounts if each > 0):
        found = {*sorted(found | {known + amount for known in found})[:_MOST_SUMS]}
    return found


class Requests:
    """What newcomers ask for; ``is_complete``: no other request has another outcome."""

    def __init__(self, rooms: Iterable[NewcomerRoom]) -> None:
        self._rooms = [room for room in rooms if room.most > 0]
        self._sizes = [room.sizes for room in self._rooms]
        all_ways = prod(len(sizes) + 1 for sizes in self._sizes)
        self.is_complete = all_ways <= _MOST_SIZES and all(room.has_all_sizes for room in self._rooms)

    def __iter__(self) -> Iterator[Request]:
        """All that there is, nothing, each resource alone, then several together."""
        names = [room.resource for room in self._rooms]
        yield {room.resource: room.most for room in self._rooms}
        yield {}
        yield from ({name: size} for name, sizes in zip(names, self._sizes, strict=True) for size in sizes)
        for chosen in islice(product(*((0, *sizes) for sizes in self._sizes)), _MOST_SIZES):
            yield {name: size for name, size in zip(names, chosen, strict=True) if size}


class Trials:
    """The newcomers that are tried about one state, at most so many; ``is_over`` once no more may be."""

    def __init__(self) -> None:
        self._left = MOST_TRIES

    @property
    def is_over(self) -> bool:
        """Whether there were too many."""
        return self._left <= 0

    def taken(
        self, wanted: Set[ObjectKey], asked: Iterable[Request], victims: Callable[[Request], Iterable[ObjectKey]]
    ) -> Mapping[ObjectKey, Request]:
        """What of the wanted pods some of the newcomers take, each with the first that does."""
        found: dict[ObjectKey, Request] = {}
        for request in asked:
            if len(found) == len(wanted) or self.is_over:
                break
            self._left -= 1
            found |= {key: request for key in victims(request) if key in wanted and key not in found}
        return found

    def by_priority(
        self,
        wanted: Set[ObjectKey],
        priorities: Iterable[int],
        candidates: Callable[[int], "NewcomerCandidates | None"],
        victims: Callable[[int, Request], Iterable[ObjectKey]],
    ) -> tuple[Mapping[ObjectKey, tuple[int, Request]], bool]:
        """What of the wanted pods newcomers of some priorities take, each with the first that does.

        And whether no other newcomer has another outcome.
        """
        found, complete = dict[ObjectKey, tuple[int, Request]](), True
        for priority in priorities:
            of, left = candidates(priority), wanted - found.keys()
            if of is not None and not left.isdisjoint(pod.key for pod in of.pods):
                asked = Requests(of.rooms)
                taken = self.taken(left, asked, partial(victims, priority))
                found |= {key: (priority, request) for key, request in taken.items()}
                complete &= asked.is_complete
        return found, complete

    def doubt(self, *, has_node: bool, complete: bool) -> str:
        """Why a pod that none of the newcomers takes may be taken by another, in a clause; empty if it may not."""
        if not has_node:
            return NO_NODE
        return MANY if self.is_over else "" if complete else UNFOUND


class NewcomerCandidates(Protocol):
    """The candidates of a newcomer of one priority, and what it may ask for."""

    @property
    def pods(self) -> Sequence[Keyed]:
        """The pods that it may take."""

    @property
    def rooms(self) -> Sequence[NewcomerRoom]:
        """What it may ask for, by resource."""


def higher_priority(priority: int) -> int | None:
    """The lowest priority above another one that a new pod may have; None above the highest."""
    return next((each for each in (min(priority + 1, _ANY_PRIORITY), *_SYSTEM) if each > priority), None)


def demand_of(node: str) -> NodeDemand:
    """That of a pod which names one node and tolerates everything."""
    here = NodeTerm(fields=(Requirement("metadata.name", "In", (node,)),))
    return NodeDemand(affinity=(here,), tolerations=(Toleration(operator="Exists"),))
