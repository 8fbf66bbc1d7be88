"""Which part of a share tree to show, and in which order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, some_of
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.explain.shares import NodeReport, ShareTree, UsageLine
from kubectl_fairshare.schedulers.kueue.model.objects import LocalQueue
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.question import SharesQuestion

SORTS: Final = ("name", "share", "usage", "borrowed", "lent", "available", "nominal", "weight", "pending", "running")
_NEAR: Final = 3


class Selection(Value, frozen=True):
    """What to show: ``queue`` with its ancestors, and pairs of these resources and flavors; empty means all.

    ``labelled`` names the queues and cohorts that a selector matches, None without a selector.
    """

    queue: str = ""
    local_queue: str = ""
    resources: tuple[str, ...] = ()
    flavors: tuple[str, ...] = ()
    sort: str = "name"
    labelled: frozenset[str] | None = None

    def has_pair(self, pair: FlavorResource) -> bool:
        """Whether the flavor-resource is to be shown."""
        by_resource = not self.resources or pair.resource in self.resources
        return by_resource and (not self.flavors or pair.flavor in self.flavors)


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


def unknown(kind: str, name: str, known: Iterable[str], option: str) -> UsageError:
    """The error for a name that matches nothing, with similar names."""
    names = sorted(set(known))
    others = some_of([f"`{each}`" for each in names], _NEAR) or "none in the input"
    remedy = did_you_mean(likely(name, names, _NEAR, 0.5)) or f"there is {others}"
    return UsageError(Problem(f"no {kind} `{name}` in the input", option, remedy))


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
    labelled = None
    if question.labelled is not None:
        labelled = frozenset(key.name for key in question.labelled if key.kind in ("ClusterQueue", "Cohort"))
    return Selection(queue, local_queue, question.resources, question.flavors, question.sort, labelled)


def shown_tree(tree: ShareTree, selection: Selection) -> ShareTree:
    """The selected part of the tree. Raises ``UsageError`` for a resource or flavor without quota and usage."""
    check_pairs(tree, selection)
    return select(tree, selection)


def select(tree: ShareTree, selection: Selection) -> ShareTree:
    """The selected part of the tree, in the selected order."""
    trees = _in_order([n for root in tree.trees for n in _selected_nodes(root, selection)], selection)
    whole = not selection.queue and selection.labelled is None
    return replace(
        tree,
        trees=tuple(trees),
        running=tree.running if whole else sum(root.running for root in trees),
        pending=tree.pending if whole else sum(root.pending for root in trees),
        cycles=tree.cycles if whole else (),
        stray=tree.stray if whole else (),
        loans=tuple(
            loan
            for loan in tree.loans
            if selection.has_pair(loan.pair) and selection.queue in ("", loan.borrower, loan.lender)
        ),
        local_queues=_lines(tree.local_queues, selection, selection.local_queue),
        namespaces=_lines(tree.namespaces, selection, selection.local_queue.partition("/")[0]),
        totals=_pairs(tree.totals, selection),
    )


def _selected_nodes(root: NodeReport, selection: Selection) -> list[NodeReport]:
    """The part of the tree that leads to the selected queue; for a Cohort, everything below it too."""
    order = [(root, selection.queue in ("", root.name))]
    for node, whole in order:
        order.extend((child, whole or child.name == selection.queue) for child in node.children)
    kept: dict[int, list[NodeReport]] = {}
    for node, whole in reversed(order):
        children = [found for child in node.children for found in kept.pop(id(child))]
        shown = replace(node, pairs=_pairs(node.pairs, selection), children=tuple(_in_order(children, selection)))
        meant = whole and (selection.labelled is None or node.name in selection.labelled)
        kept[id(node)] = [shown] if meant or children else []
    return kept[id(root)]


def _pairs(of: Mapping[FlavorResource, Any], selection: Selection) -> dict[FlavorResource, Any]:
    return {pair: value for pair, value in of.items() if selection.has_pair(pair)}


def _lines(lines: Sequence[UsageLine], selection: Selection, name: str) -> tuple[UsageLine, ...]:
    """The lines of the selected queue, with the selected usage, in the selected order."""
    kept = [
        replace(line, usage=_pairs(line.usage, selection))
        for line in lines
        if (not selection.queue or selection.queue in line.cluster_queues) and name in ("", line.name)
    ]
    key = _LINE_KEYS.get(selection.sort)
    return tuple(sorted(kept, key=key, reverse=True) if key is not None else kept)


def _in_order(nodes: list[NodeReport], selection: Selection) -> list[NodeReport]:
    """Siblings in the selected order: largest number first, then by name."""
    if selection.sort == "name":
        return sorted(nodes, key=lambda n: n.name)
    return sorted(nodes, key=_KEYS[selection.sort], reverse=True)


def _sum(field: str) -> Callable[[NodeReport], tuple[float, ...]]:
    """The sums of a figure over flavors, one for each resource, in order of the resources' names."""

    def sums(node: NodeReport) -> tuple[float, ...]:
        resources = sorted({pair.resource for pair in node.pairs})
        return tuple(sum(getattr(at, field) for p, at in node.pairs.items() if p.resource == r) for r in resources)

    return sums


_KEYS: Final[Mapping[str, Callable[[NodeReport], Any]]] = {
    "share": lambda node: node.share.order,
    "weight": lambda node: node.weight,
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
