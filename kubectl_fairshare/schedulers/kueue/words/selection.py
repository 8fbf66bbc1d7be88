"""Which part of a share tree to show, and in which order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.shares import selected
from kubectl_fairshare.model.errors import AbsentSubjectError, Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import did_you_mean, likely, some_of
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.explain.shares import KueueNode, ShareTree, UsageLine
from kubectl_fairshare.schedulers.kueue.model.objects import LocalQueue
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.question import SharesQuestion

SORTS: Final = ("name", "share", "usage", "borrowed", "lent", "available", "nominal", "weight", "pending", "running")
_NEAR: Final = 3


class Selection(Value, frozen=True):
    """What to show: ``queue`` with its ancestors, and pairs of these resources and flavors; empty means all.

    ``labelled`` are the queues and cohorts that a selector matches, None without a selector.
    """

    queue: str = ""
    local_queue: str = ""
    resources: tuple[str, ...] = ()
    flavors: tuple[str, ...] = ()
    sort: str = "name"
    labelled: frozenset[ObjectKey] | None = None

    def has(self, flavor: str, resource: str) -> bool:
        """Whether the flavor-resource is to be shown."""
        by_resource = not self.resources or resource in self.resources
        return by_resource and (not self.flavors or flavor in self.flavors)

    def has_queue(self, *names: str | None) -> bool:
        """Whether one of these queues or cohorts is to be shown for itself, not as an ancestor."""
        labelled = self.labelled is None or any(key.name in names for key in self.labelled)
        return labelled and self.queue in ("", *names)


def queue_named(state: KueueState, name: str, option: str) -> tuple[str, str]:
    """The ClusterQueue or Cohort that ``name`` means, and the LocalQueue, if it is one (``namespace/name``).

    Raises ``UsageError``, with similar names, if no such object exists.
    """
    if "/" in name:
        namespace, _, local = name.partition("/")
        found = state.local_queues.get((namespace, local))
        if found is None:
            raise unknown("LocalQueue", name, [_full(q) for q in state.local_queues.values()], option)
        return _target(state, found, name, option), name
    cohorts = {c for c in (*state.cohorts, *_named_cohorts(state)) if c}
    if name not in state.cluster_queues and name not in cohorts:
        raise unknown("ClusterQueue or Cohort", name, [*state.cluster_queues, *cohorts], option)
    return name, ""


def _target(state: KueueState, local: LocalQueue, name: str, option: str) -> str:
    if local.cluster_queue is None or local.cluster_queue not in state.cluster_queues:
        message = f"LocalQueue `{name}` points to ClusterQueue `{local.cluster_queue or ''}`, which is not in the input"
        raise UsageError(Problem(message, option, "add the file with that ClusterQueue"))
    return local.cluster_queue


def _named_cohorts(state: KueueState) -> Iterable[str | None]:
    yield from (c.parent for c in state.cohorts.values())
    yield from (q.cohort for q in state.cluster_queues.values())


def _full(queue: LocalQueue) -> str:
    return f"{queue.namespace}/{queue.name}"


def unknown(kind: str, name: str, known: Iterable[str], option: str) -> AbsentSubjectError:
    """The error for a name that matches nothing, with similar names."""
    names = sorted(set(known))
    others = some_of([f"`{each}`" for each in names], _NEAR) or "none in the input"
    remedy = did_you_mean(likely(name, names, _NEAR, 0.5)) or f"there is {others}"
    return AbsentSubjectError(Problem(f"no {kind} `{name}` in the input", option, remedy))


def check_pairs(tree: ShareTree, selection: Selection) -> None:
    """Raises ``UsageError`` for a resource or flavor without quota and usage."""
    for option, wished, known in (
        ("--resource", selection.resources, [p.resource for p in tree.totals]),
        ("--flavor", selection.flavors, [p.flavor for p in tree.totals]),
    ):
        for name in wished:
            if name not in known:
                raise unknown(option.removeprefix("--"), name, known, option)


def selection_of(snapshot: Snapshot, question: SharesQuestion) -> Selection:
    """The part of the forest that a question is about. Raises ``UsageError`` for an unknown queue."""
    queue, local_queue = "", ""
    if question.queue:
        queue, local_queue = queue_named(snapshot.part(KueueState), question.queue, "--queue")
    return Selection(queue, local_queue, question.resources, question.flavors, question.sort, question.labelled)


def shown_tree(tree: ShareTree, selection: Selection) -> ShareTree:
    """The selected part of the tree. Raises ``UsageError`` for a resource or flavor without quota and usage."""
    check_pairs(tree, selection)
    return select(tree, selection)


def select(tree: ShareTree, selection: Selection) -> ShareTree:
    """The selected part of the tree, in the selected order."""
    trees = selected(
        tree.trees,
        lambda node: selection.queue in ("", node.name),
        lambda node: selection.labelled is None or node.key in selection.labelled,
        lambda figures: selection.has(figures.pool, figures.resource),
        lambda siblings: _in_order(siblings, selection),
    )
    whole = not selection.queue and selection.labelled is None
    return replace(
        tree,
        trees=trees,
        running=tree.running if whole else sum(root.running for root in trees),
        pending=tree.pending if whole else sum(root.pending for root in trees),
        cycles=tree.cycles if whole else (),
        stray=tree.stray if whole else (),
        loans=tuple(
            loan for loan in tree.loans if selection.has(*loan.pair) and selection.has_queue(loan.borrower, loan.lender)
        ),
        local_queues=_lines(tree.local_queues, selection, selection.local_queue),
        namespaces=_lines(tree.namespaces, selection, selection.local_queue.partition("/")[0]),
        totals=tuple(total for total in tree.totals if selection.has(total.flavor, total.resource)),
    )


def _lines(lines: Sequence[UsageLine], selection: Selection, name: str) -> tuple[UsageLine, ...]:
    """The lines of the selected queue, with the selected usage, in the selected order."""
    whole = not selection.resources and not selection.flavors
    kept = [
        line if whole else replace(line, usage={p: used for p, used in line.usage.items() if selection.has(*p)})
        for line in lines
        if selection.has_queue(*line.cluster_queues) and name in ("", line.name)
    ]
    key = _LINE_KEYS.get(selection.sort)
    return tuple(sorted(kept, key=key, reverse=True) if key is not None else kept)


def _in_order(nodes: list[KueueNode], selection: Selection) -> list[KueueNode]:
    """Siblings in the selected order: largest number first, then by name."""
    if selection.sort == "name":
        return sorted(nodes, key=lambda n: n.name)
    return sorted(nodes, key=_KEYS[selection.sort], reverse=True)


def _sum(field: str) -> Callable[[KueueNode], tuple[float, ...]]:
    """The sums of a figure over flavors, one for each resource, in order of the resources' names."""

    def sums(node: KueueNode) -> tuple[float, ...]:
        found: dict[str, float] = {}
        for each in node.figures:
            found[each.resource] = found.get(each.resource, 0) + getattr(each.own, field)
        return tuple(found[resource] for resource in sorted(found))

    return sums


_KEYS: Final[Mapping[str, Callable[[KueueNode], Any]]] = {
    "share": lambda node: node.own.share.order,
    "weight": lambda node: node.own.weight,
    "pending": lambda node: node.pending,
    "running": lambda node: node.running,
    "usage": _sum("usage"),
    "borrowed": _sum("borrowed"),
    "lent": _sum("lent"),
    "available": _sum("available"),
    "nominal": _sum("nominal"),
}
_LINE_KEYS: Final[Mapping[str, Callable[[UsageLine], Any]]] = {
    "usage": lambda line: [line.usage[pair] for pair in sorted(line.usage)],
    "pending": lambda line: line.pending,
    "running": lambda line: line.running,
}
