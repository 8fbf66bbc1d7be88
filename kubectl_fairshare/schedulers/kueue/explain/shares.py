"""The shares of every Cohort and ClusterQueue, with balances and totals, as ``shares`` shows them.

Tested in ``tests/unit/schedulers/kueue/words/test_selection.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from math import inf
from typing import Annotated

from kubectl_fairshare.answers.answer import Amount, amount_of
from kubectl_fairshare.answers.counts import NO_WORK, QueueCounts, QueueWork, own_counts, total_counts
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import OMITTED, Quantity
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode
from kubectl_fairshare.model.amounts import UNLIMITED, add
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.accounting import over_quota
from kubectl_fairshare.schedulers.kueue.explain.past_usage import PastReport, past_report
from kubectl_fairshare.schedulers.kueue.gaps import (
    deleted_queues,
    fidelity_of,
    no_queues,
    reference_gaps,
    snapshot_gaps,
)
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.activity import Inactivity
from kubectl_fairshare.schedulers.kueue.tree.derivation import quota_place
from kubectl_fairshare.schedulers.kueue.tree.loans import Lendings, Loan, lendings, loans, total_lent
from kubectl_fairshare.schedulers.kueue.tree.state import State


class PairFigures(Value, frozen=True, rename="camel"):
    """One flavor-resource at one node, in the resource's units (cpu in milli); null means without limit.

    ``nominal`` is the node's own quota, ``subtree`` the quota of the node and of all nodes below it, ``usage`` what is
    used, ``borrowed`` the part of it above ``subtree``. ``lent`` is what others use now of the quota of this node and
    the nodes below (by the convention of ``Loan``: what leaves a cohort counts at the cohort, and at the nodes below
    it that own the quota). ``available`` is what could still be taken now (may be negative), ``potential`` the most
    that the node could ever use. ``place`` is the field of the quota.
    """

    flavor: Annotated[str, OMITTED]
    resource: Annotated[str, OMITTED]
    nominal: Quantity
    subtree: Annotated[int, OMITTED]
    local: Quantity
    usage: Annotated[int, OMITTED]
    borrowed: Annotated[int, OMITTED]
    lent: Annotated[int, OMITTED]
    available: Quantity
    potential: Annotated[int, OMITTED]
    borrowing_limit: Quantity | None = None
    lending_limit: Quantity | None = None
    place: Place | None = None


class NodeReport(Value, frozen=True, rename="camel"):
    """A Cohort or ClusterQueue; ``parent`` names the Cohort above it, null for a root.

    ``declared`` is false for an implicit cohort. ``borrowsFrom`` are the names of the cohorts that it borrows from,
    from the parent up. ``inactive`` says why a queue is inactive. ``pending`` and ``running`` count the workloads of
    the subtree.
    """

    kind: Annotated[str, OMITTED]
    name: Annotated[str, OMITTED]
    parent: Annotated[str | None, OMITTED]
    declared: bool
    weight: Annotated[float, OMITTED]
    share: Share = field(name="weightedShare")
    borrows_from: tuple[str, ...] = ()
    inactive: Inactivity | None = None
    running: Annotated[int, OMITTED] = 0
    pending: Annotated[int, OMITTED] = 0


KueueNode = QueueNode[NodeReport, PairFigures]


class Total(Value, frozen=True):
    """The totals of one flavor-resource in all trees."""

    flavor: str
    resource: str
    nominal: Quantity
    usage: Quantity


class UsageLine(Value, frozen=True):
    """Usage of one LocalQueue or one namespace per flavor-resource, with its numbers of workloads."""

    name: str
    cluster_queues: tuple[str, ...]
    usage: Mapping[FlavorResource, int]
    running: int
    pending: int


class ShareTree(Value, frozen=True, rename="camel", kw_only=True):
    """Who holds what: `queues` are the forest as a list, every parent before its children.

    ``cycles`` are the names of cohorts and queues whose ancestors form a cycle. ``stray`` are workloads that hold
    quota in a queue that does not exist. ``totals`` are nominal quota and usage in all trees.
    ``admissionFairSharing`` is what admission fair sharing orders by.
    """

    fair: bool = field(name="fairSharing")
    strategies: tuple[str, ...]
    running: int
    pending: int
    trees: tuple[KueueNode, ...] = field(name="queues")
    loans: tuple[Loan, ...] = field(name="balances")
    local_queues: tuple[UsageLine, ...]
    namespaces: tuple[UsageLine, ...]
    totals: tuple[Total, ...]
    cycles: tuple[str, ...]
    stray: tuple[str, ...]
    skipped: Mapping[str, int]
    past: PastReport | None = field(default=None, name="admissionFairSharing")
    fidelity: Fidelity


def share_tree(state: State) -> ShareTree:
    """All trees of a state, with balances and totals."""
    forest, kueue = state.forest, state.kueue
    owed = loans(state)
    lending, lenders = lendings(state, owed), _lenders(owed)
    waiting = [(state.cluster_queue_of(w), w) for w in kueue.pending]
    counts = _counts(state, waiting)
    gaps = (*snapshot_gaps(kueue), *reference_gaps(state), *no_queues(kueue), *deleted_queues(state))
    return ShareTree(
        fair=state.fair,
        strategies=kueue.configuration.strategies or (),
        trees=tuple(_tree(state, root, lending, lenders, counts) for root in forest.roots),
        loans=owed,
        local_queues=_lines(
            ((h.key.namespace, h.local_queue) for h in kueue.holders), kueue.holders, waiting, by_queue=True
        ),
        namespaces=_lines(((h.key.namespace, "") for h in kueue.holders), kueue.holders, waiting, by_queue=False),
        totals=tuple(_totals(state)),
        cycles=tuple(sorted({*forest.cyclic_cohorts, *forest.cyclic_queues})),
        stray=tuple(sorted(h.name for h in kueue.holders if h.cluster_queue not in kueue.cluster_queues)),
        running=len(kueue.holders),
        pending=len(kueue.pending),
        skipped=state.snapshot.skipped,
        fidelity=fidelity_of(kueue.configuration, gaps),
        past=past_report(state),
    )


def _counts(state: State, waiting: Iterable[tuple[str, Pending]]) -> dict[str, QueueCounts]:
    """The workloads of each ClusterQueue."""
    running = ((h.cluster_queue, QueueWork(runs=True, waits=False)) for h in state.kueue.holders)
    pending = ((name, QueueWork(runs=False, waits=True, created=w.created)) for name, w in waiting)
    return own_counts(chain(running, pending))


_Lenders = Mapping[tuple[str, FlavorResource], tuple[tuple[ObjectKey, int], ...]]
"""Who lends to each ClusterQueue, and how much."""


def _lenders(owed: Iterable[Loan]) -> _Lenders:
    """The lenders of each borrower. What is above the quota of the whole tree has none."""
    found: dict[tuple[str, FlavorResource], dict[ObjectKey, int]] = {}
    for loan in owed:
        if loan.lender is not None:
            parts = found.setdefault((loan.borrower, loan.pair), {})
            lender = cluster_key(loan.lender_kind, loan.lender)
            parts[lender] = add(parts.get(lender, 0), loan.amount)
    return {borrower: tuple(parts.items()) for borrower, parts in found.items()}


def _tree(
    state: State, root: int, lending: Lendings, lenders: _Lenders, counts: Mapping[str, QueueCounts]
) -> KueueNode:
    """The tree below a root; built from the leaves up without recursion, because chains of cohorts may be long."""
    order = state.forest.below(root)
    made: dict[int, KueueNode] = {}
    for node in order:  # potential is remembered from the root down
        for pair in state.forest.nodes[node].subtree:
            state.forest.potential(node, pair)
    for node in reversed(order):
        children = tuple(made.pop(child) for child in state.forest.nodes[node].children)
        own_work = counts.get(state.forest.nodes[node].name, NO_WORK) if state.forest.nodes[node].is_queue else NO_WORK
        work = total_counts(own_work, (child.counts for child in children))
        own = _report(state, node, work)
        pairs = sorted({*state.forest.nodes[node].subtree, *(p for p, n in state.ledger.usages(node).items() if n)})
        lent = {p: total_lent(lending.get((node, p), {})) for p in pairs}
        made[node] = QueueNode(
            key=cluster_key(own.kind, own.name),
            figures=tuple(_figures(state, node, p, lent[p], lenders.get((own.name, p), ())) for p in pairs),
            counts=work,
            own=own,
            parent=own.parent or "",
            weight=own.weight,
            share=inf if own.share.rank else own.share.value / 1000,
            children=children,
            label=own.name if own.declared else f"{own.name} (implicit)",
            remark="" if own.inactive is None else f" (inactive: {', '.join(own.inactive.reasons)})",
            dim=own.inactive is not None,
            implicit=not own.declared,
        )
    return made[root]


def _report(state: State, node: int, counts: QueueCounts) -> NodeReport:
    this = state.forest.nodes[node]
    return NodeReport(
        kind="ClusterQueue" if this.is_queue else "Cohort",
        name=this.name,
        parent=None if this.parent is None else state.forest.nodes[this.parent].name,
        declared=this.spec is not None,
        weight=this.weight,
        share=state.ledger.share(node),
        borrows_from=_borrow_path(state, node),
        inactive=state.inactive.get(this.name) if this.is_queue else None,
        running=counts.running,
        pending=counts.pending,
    )


def _figures(
    state: State, node: int, pair: FlavorResource, lends: int, lenders: tuple[tuple[ObjectKey, int], ...]
) -> QueueFigures[PairFigures]:
    own = _pair(state, node, pair, lends)
    limit = None if own.borrowing_limit is None else own.subtree + own.borrowing_limit
    return QueueFigures(
        pair.resource,
        pair.flavor,
        used=amount_of(pair.resource, own.usage, pair.flavor),
        own=own,
        guaranteed=amount_of(pair.resource, own.subtree, pair.flavor),
        limit=_limited(pair, limit),
        borrowed=amount_of(pair.resource, own.borrowed, pair.flavor),
        lent=amount_of(pair.resource, own.lent, pair.flavor),
        reachable=_limited(pair, own.potential),
        lenders=lenders if state.forest.nodes[node].is_queue else (),
    )


def _limited(pair: FlavorResource, value: int | None) -> Amount | None:
    return None if value is None or value >= UNLIMITED else amount_of(pair.resource, value, pair.flavor)


def _pair(state: State, node: int, pair: FlavorResource, lends: int) -> PairFigures:
    forest, ledger = state.forest, state.ledger
    quota = forest.quota(node, pair)
    subtree, usage = forest.subtree(node, pair), ledger.usage(node, pair)
    return PairFigures(
        *pair,
        nominal=quota.nominal,
        subtree=subtree,
        local=forest.local(node, pair),
        usage=usage,
        borrowed=over_quota(usage, subtree),
        lent=lends,
        available=ledger.available(node, pair),
        potential=forest.potential(node, pair),
        borrowing_limit=quota.borrowing_limit,
        lending_limit=quota.lending_limit,
        place=quota_place(forest.nodes[node], pair, "nominalQuota"),
    )


def _borrow_path(state: State, node: int) -> tuple[str, ...]:
    """The cohorts that a node borrows from: from its parent up to the first that does not borrow itself."""
    names = []
    for at, above in zip(path := state.forest.path(node), path[1:], strict=False):
        if not state.ledger.share(at).borrowing:
            break
        names.append(state.forest.nodes[above].name)
    return tuple(names)


def _lines(
    owners: Iterable[tuple[str, str]],
    holders: Iterable[Holder],
    waiting: Iterable[tuple[str, Pending]],
    *,
    by_queue: bool,
) -> tuple[UsageLine, ...]:
    """Usage per LocalQueue (``namespace/name``) or per namespace."""
    usage: dict[str, dict[FlavorResource, int]] = {}
    queues: dict[str, set[str]] = {}
    running: dict[str, int] = {}
    pending: dict[str, int] = {}
    for (namespace, queue), holder in zip(owners, holders, strict=True):
        name = f"{namespace}/{queue}" if by_queue else namespace
        total = usage.setdefault(name, {})
        for pair, amount in holder.usage.items():
            total[pair] = add(total.get(pair, 0), amount)
        queues.setdefault(name, set()).add(holder.cluster_queue)
        running[name] = running.get(name, 0) + 1
    for cluster_queue, workload in waiting:
        name = f"{workload.key.namespace}/{workload.local_queue}" if by_queue else workload.key.namespace
        queues.setdefault(name, set()).add(cluster_queue)
        pending[name] = pending.get(name, 0) + 1
    return tuple(
        UsageLine(
            n, tuple(sorted(queues[n])), dict(sorted(usage.get(n, {}).items())), running.get(n, 0), pending.get(n, 0)
        )
        for n in sorted(queues)
    )


def _totals(state: State) -> Iterator[Total]:
    """Nominal quota and usage of each flavor-resource over all trees."""
    nominal: dict[FlavorResource, int] = {}
    used: dict[FlavorResource, int] = {}
    for node in state.forest.nodes:
        for pair, quota in node.quotas.items():
            nominal[pair] = add(nominal.get(pair, 0), quota.nominal)
        if node.is_queue:
            for pair, amount in state.ledger.usages(node.id).items():
                used[pair] = add(used.get(pair, 0), amount)
    for pair in sorted({*nominal, *used}):
        yield Total(*pair, nominal.get(pair, 0), used.get(pair, 0))
