"""What each queue holds, in the form that all schedulers share: a tree of queues with figures for each resource."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value

Detail_co = TypeVar("Detail_co", covariant=True)


class QueueFigures(Value, frozen=True):
    """One resource at one queue, or one resource in one pool; None for a figure that the scheduler does not have.

    ``guaranteed`` is the queue's own amount, ``limit`` the most that its settings allow, ``used`` what it holds,
    ``borrowed`` the part above its guarantee, ``lent`` the part of its guarantee that others hold, ``fair_share`` its
    entitlement when every queue requests without end, ``reachable`` the most that it could hold now.
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


class QueueNode(Value, frozen=True):
    """A queue, or a group of queues, with its children.

    ``parent`` is the name of the parent, empty for a root. ``share`` compares what queues hold with their entitlement,
    if the scheduler has such a number. ``running`` and ``pending`` count workloads, including those of descendants.
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
        """The queue and its descendants, parents first. Iterative, because trees may be deep."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class Shares(Value, Generic[Detail_co], frozen=True):
    """The trees of queues. ``titles`` are the scheduler's own terms for the figures, by field name."""

    scheduler: str
    trees: tuple[QueueNode, ...]
    titles: Mapping[str, str]
    fidelity: Fidelity
    detail: Detail_co
