"""The shares of every Cohort and ClusterQueue, with balances and totals, as ``shares`` shows them.

Tested in ``tests/unit/schedulers/kueue/words/test_selection.py``.
"""

from collections.abc import Iterable, Mapping

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
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
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.activity import Inactivity
from kubectl_fairshare.schedulers.kueue.tree.derivation import quota_place
from kubectl_fairshare.schedulers.kueue.tree.loans import Lendings, Loan, lendings, loans, total_lent
from kubectl_fairshare.schedulers.kueue.tree.state import State


class PairFigures(Value, frozen=True):
    """One flavor-resource at one node, in the resource's units (cpu in milli).

    ``nominal`` is the node's own quota, ``subtree`` the quota of the node and of all nodes below it, ``usage`` what is
    used, ``borrowed`` the part of it above ``subtree``. ``lent`` is what others use now of the quota of this node and
    the nodes below (by the convention of ``Loan``: what leaves a cohort counts at the cohort, and at the nodes below
    it that own the quota). ``available`` is what could still be taken now (may be negative), ``potential`` the most
    that the node could ever use. ``place`` is the field of the quota.
    """

    nominal: int
    subtree: int
    local: int
    usage: int
    borrowed: int
    lent: int
    available: int
    potential: int
    borrowing_limit: int | None
    lending_limit: int | None
    place: Place | None


class NodeReport(Value, frozen=True):
    """One Cohort or ClusterQueue with its children.

    ``declared`` is False for an implicit cohort. ``borrow_path`` are the names of the cohorts that it borrows
    from, from the parent up. ``inactive`` is the reason
    why a queue is inactive. ``pending`` and ``running`` count the workloads of the subtree.
    """

    name: str
    kind: str
    declared: bool
    weight: float
    share: Share
    rounded_share: int
    pairs: Mapping[FlavorResource, PairFigures]
    borrow_path: tuple[str, ...]
    inactive: Inactivity | None
    running: int
    pending: int
    children: tuple["NodeReport", ...] = ()


class UsageLine(Value, frozen=True):
    """Usage of one LocalQueue or one namespace per flavor-resource, with its numbers of workloads."""

    name: str
    cluster_queues: tuple[str, ...]
    usage: Mapping[FlavorResource, int]
    running: int
    pending: int


class ShareTree(Value, frozen=True):
    """All trees, balances and totals, and what belongs to no tree.

    ``cycles`` are the names of cohorts and queues whose ancestors form a cycle. ``stray`` are workloads that hold
    quota in a queue that does not exist. ``totals`` maps a flavor-resource to its nominal quota and usage in all trees.
    ``past`` is what admission fair sharing orders by.
    """

    fair: bool
    strategies: tuple[str, ...]
    trees: tuple[NodeReport, ...]
    loans: tuple[Loan, ...]
    local_queues: tuple[UsageLine, ...]
    namespaces: tuple[UsageLine, ...]
    totals: Mapping[FlavorResource, tuple[int, int]]
    cycles: tuple[str, ...]
    stray: tuple[str, ...]
    running: int
    pending: int
    skipped: Mapping[str, int]
    fidelity: Fidelity
    past: PastReport | None = None


def share_tree(state: State) -> ShareTree:
    """All trees of a state, with balances and totals."""
    forest, kueue = state.forest, state.kueue
    owed = loans(state)
    lending = lendings(state, owed)
    waiting = [(state.cluster_queue_of(w), w) for w in kueue.pending]
    counts = _counts(state, waiting)
    gaps = (*snapshot_gaps(kueue), *reference_gaps(state), *no_queues(kueue), *deleted_queues(state))
    return ShareTree(
        fair=state.fair,
        strategies=kueue.configuration.strategies or (),
        trees=tuple(_tree(state, root, lending, counts) for root in forest.roots),
        loans=owed,
        local_queues=_lines(
            ((h.key.namespace, h.local_queue) for h in kueue.holders), kueue.holders, waiting, by_queue=True
        ),
        namespaces=_lines(((h.key.namespace, "") for h in kueue.holders), kueue.holders, waiting, by_queue=False),
        totals=_totals(state),
        cycles=tuple(sorted({*forest.cyclic_cohorts, *forest.cyclic_queues})),
        stray=tuple(sorted(h.name for h in kueue.holders if h.cluster_queue not in kueue.cluster_queues)),
        running=len(kueue.holders),
        pending=len(kueue.pending),
        skipped=state.snapshot.skipped,
        fidelity=fidelity_of(kueue.configuration, gaps),
        past=past_report(state),
    )


def _counts(state: State, waiting: Iterable[tuple[str, Pending]]) -> dict[int, tuple[int, int]]:
    """The number of running and of pending workloads in the subtree of each node."""
    counts: dict[int, tuple[int, int]] = {}
    names = [(h.cluster_queue, 1, 0) for h in state.kueue.holders] + [(name, 0, 1) for name, _ in waiting]
    for name, running, pending in names:
        queue = state.forest.queue_ids.get(name)
        for node in () if queue is None else state.forest.path(queue):
            before = counts.get(node, (0, 0))
            counts[node] = (before[0] + running, before[1] + pending)
    return counts


def _tree(state: State, root: int, lending: Lendings, counts: Mapping[int, tuple[int, int]]) -> NodeReport:
    """The tree below a root; built from the leaves up without recursion, because chains of cohorts may be long."""
    order = state.forest.below(root)
    made: dict[int, NodeReport] = {}
    for node in order:  # potential is remembered from the root down
        for pair in state.forest.nodes[node].subtree:
            state.forest.potential(node, pair)
    for node in reversed(order):
        made[node] = _node(state, node, lending, counts, made)
    return made[root]


def _node(
    state: State,
    node: int,
    lending: Lendings,
    counts: Mapping[int, tuple[int, int]],
    made: Mapping[int, NodeReport],
) -> NodeReport:
    this = state.forest.nodes[node]
    share = state.ledger.share(node)
    running, pending = counts.get(node, (0, 0))
    kind = "ClusterQueue" if this.is_queue else "Cohort"
    pairs = sorted({*this.subtree, *(p for p, used in state.ledger.usages(node).items() if used)})
    return NodeReport(
        name=this.name,
        kind=kind,
        declared=this.spec is not None,
        weight=this.weight,
        share=share,
        rounded_share=share.rounded,
        pairs={p: _figures(state, node, p, total_lent(lending.get((node, p), {}))) for p in pairs},
        borrow_path=_borrow_path(state, node),
        inactive=state.inactive.get(this.name) if this.is_queue else None,
        running=running,
        pending=pending,
        children=tuple(made[child] for child in this.children),
    )


def _figures(state: State, node: int, pair: FlavorResource, lends: int) -> PairFigures:
    forest, ledger = state.forest, state.ledger
    quota = forest.quota(node, pair)
    subtree, usage = forest.subtree(node, pair), ledger.usage(node, pair)
    return PairFigures(
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


def _totals(state: State) -> dict[FlavorResource, tuple[int, int]]:
    """Nominal quota and usage of each flavor-resource over all trees."""
    nominal: dict[FlavorResource, int] = {}
    used: dict[FlavorResource, int] = {}
    for node in state.forest.nodes:
        for pair, quota in node.quotas.items():
            nominal[pair] = add(nominal.get(pair, 0), quota.nominal)
        if node.is_queue:
            for pair, amount in state.ledger.usages(node.id).items():
                used[pair] = add(used.get(pair, 0), amount)
    return {pair: (nominal.get(pair, 0), used.get(pair, 0)) for pair in sorted({*nominal, *used})}
