"""Who holds what, in the form that all schedulers' answers share: a tree of queues with figures for each resource."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import dataclass

Detail_co = TypeVar("Detail_co", covariant=True)


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """One resource at one queue, or one resource in one pool; None is a figure that the scheduler does not have.

    ``guaranteed`` is the queue's by right, ``limit`` the most that settings allow it, ``used`` what it holds,
    ``borrowed`` what of that exceeds its guarantee, ``lent`` what others hold of its guarantee, ``fair_share`` what it
    is entitled to when all ask, ``reachable`` the most that it could hold as things are.
    """

    resource: str
    pool: str
    used: Amount
    guaranteed: Amount | None = None
    limit: Amount | None = None
    borrowed: Amount | None = None
    lent: Amount | None = None
    fair_share: Amount | None = None
    reachable: Amount | None = None


@dataclass(frozen=True, slots=True)
class QueueNode:
    """A queue, or a group of queues, with those below it.

    ``parent`` is the name of the queue above, empty at the top. ``share`` orders queues by what they hold of what they
    may, where the scheduler has such a number. ``running`` and ``pending`` count workloads, those below included.
    """

    key: ObjectKey
    figures: tuple[QueueFigures, ...]
    running: int
    pending: int
    parent: str = ""
    weight: float | None = None
    share: float | None = None
    children: tuple["QueueNode", ...] = ()

    def __iter__(self) -> Iterator["QueueNode"]:
        """The queue and all below it, parents first; without recursion, as trees may be deep."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


@dataclass(frozen=True, slots=True)
class Shares(Generic[Detail_co]):
    """The trees of queues. ``titles`` are the scheduler's own words for the figures, by the names of their fields."""

    scheduler: str
    trees: tuple[QueueNode, ...]
    titles: Mapping[str, str]
    fidelity: Fidelity
    detail: Detail_co
