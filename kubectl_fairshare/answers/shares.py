"""What each queue holds, in the form that all schedulers share: a tree of queues with figures for each resource."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.counts import NO_WORK, QueueCounts, total_counts
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace

Detail_co = TypeVar("Detail_co", covariant=True)
Own = TypeVar("Own")
Record = TypeVar("Record")
Own_co = TypeVar("Own_co", covariant=True)
Record_co = TypeVar("Record_co", covariant=True)


class QueueFigures(Value, Generic[Record_co], frozen=True):
    """One resource at one queue, or one resource in one pool; None for a figure that the scheduler does not have.

    ``guaranteed`` is the queue's own amount, ``limit`` the most that its settings allow, ``used`` what it holds,
    ``borrowed`` the part above its guarantee, ``lent`` the part of its guarantee that others hold, ``fair_share`` its
    entitlement when every queue requests without end, ``reachable`` the most that it could hold now. ``lenders`` are
    the queues whose guarantee is ``borrowed``, each with its part; None where the scheduler's figures do not say whose
    it is. ``own`` are the scheduler's figures. A row that is ``dim`` has no effect.
    """

    resource: str
    pool: str
    used: Amount
    own: Record_co
    guaranteed: Amount | None = None
    limit: Amount | None = None
    borrowed: Amount | None = None
    lent: Amount | None = None
    fair_share: Amount | None = None
    reachable: Amount | None = None
    lenders: tuple[tuple[ObjectKey, int], ...] | None = None
    dim: bool = False


class QueueNode(Value, Generic[Own_co, Record_co], frozen=True):
    """A queue, or a group of queues, with its children.

    ``parent`` is the name of the parent, empty for a root. ``share`` compares what queues hold with their entitlement,
    if the scheduler has such a number. ``counts`` are of workloads, including those of descendants.
    ``own`` is what the scheduler knows besides. ``label`` names it on screens, ``remark`` follows it once. One that
    is ``implicit`` is declared by no object; one that is ``around`` others was not asked for.
    """

    key: ObjectKey
    figures: tuple[QueueFigures[Record_co], ...]
    counts: QueueCounts
    own: Own_co
    parent: str = ""
    weight: float | None = None
    share: float | None = None
    children: tuple["QueueNode[Own_co, Record_co]", ...] = ()
    label: str = ""
    remark: str = ""
    dim: bool = False
    implicit: bool = False
    around: bool = False

    @property
    def name(self) -> str:
        """The queue's name."""
        return self.key.name

    @property
    def running(self) -> int:
        """The number of workloads that run here or below."""
        return self.counts.running

    @property
    def pending(self) -> int:
        """The number of workloads that wait here or below."""
        return self.counts.pending

    @property
    def pairs(self) -> Mapping[tuple[str, str], Record_co]:
        """The scheduler's figures by pool and resource."""
        return {(each.pool, each.resource): each.own for each in self.figures}

    def __iter__(self) -> Iterator["QueueNode[Own_co, Record_co]"]:
        """The queue and its descendants, parents first. Iterative, because trees may be deep."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


AnyQueue = QueueNode[object, object]
AnyFigures = QueueFigures[object]


class PoolTotal(Value, frozen=True):
    """All that there is of a resource in a pool, and what of it is used; ``unit`` says what the amounts are of."""

    whole: Amount
    used: Amount
    unit: str


class Shares(Value, Generic[Detail_co], frozen=True):
    """The trees of queues. ``titles`` are the scheduler's own terms for the figures, by field name.

    ``outside`` counts the workloads that no queue of the trees counts, as theirs is not in the input, ``elsewhere``
    those of node pools that are not asked about. ``totals`` are of the whole input; without one for a resource of which
    the input does not say how much there is. ``split`` is the headline where requests are assumed: who gets how much.
    """

    scheduler: str
    trees: tuple[AnyQueue, ...]
    titles: Mapping[str, str]
    fidelity: Fidelity
    detail: Detail_co
    outside: QueueCounts = NO_WORK
    totals: tuple[PoolTotal, ...] = ()
    split: str = ""
    elsewhere: QueueCounts = NO_WORK

    @property
    def counts(self) -> QueueCounts:
        """The workloads that run and that wait, in the queues that were asked for: every answer has these numbers."""
        asked = [*self.trees]
        for node in asked:  # below one that is around others are those that were asked for
            asked.extend(node.children if node.around else ())
        return total_counts(self.outside.plus(self.elsewhere), (node.counts for node in asked if not node.around))


def selected(
    trees: Sequence[QueueNode[Own, Record]],
    whole: Callable[[QueueNode[Own, Record]], bool],
    each: Callable[[QueueNode[Own, Record]], bool],
    shown: Callable[[AnyFigures], bool],
    order: Callable[[list[QueueNode[Own, Record]]], Sequence[QueueNode[Own, Record]]] = tuple,
) -> tuple[QueueNode[Own, Record], ...]:
    """The queues for which ``each`` holds, at or below one for which ``whole`` does, with all of their ancestors.

    They keep the figures that are ``shown``; ``order`` sorts siblings. No calls that nest, as trees may be deep.
    """
    walk = [(root, whole(root)) for root in trees]
    for node, inside in walk:
        walk.extend((child, inside or whole(child)) for child in node.children)
    kept: dict[int, QueueNode[Own, Record]] = {}
    for node, inside in reversed(walk):
        children = [kept.pop(id(child)) for child in node.children if id(child) in kept]
        asked = inside and each(node)
        if children or asked:
            figures = tuple(filter(shown, node.figures))
            kept[id(node)] = replace(node, figures=figures, children=tuple(order(children)), around=not asked)
    return tuple(order([kept[id(root)] for root in trees if id(root) in kept]))
