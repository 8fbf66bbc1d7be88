"""KAI's queues as the answer that all schedulers share, and the derivation of one queue."""

from collections.abc import Collection, Mapping
from math import isinf
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.blocks import CsvColumns, Layout
from kubectl_fairshare.answers.counts import NO_WORK
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import NOTHING, split_text
from kubectl_fairshare.answers.shares import PoolTotal, QueueFigures, QueueNode, Shares, selected
from kubectl_fairshare.model.demand import ENDLESS
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import did_you_mean, likely
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.documents.shares import SHARES
from kubectl_fairshare.schedulers.kai.explain.forest import (
    KaiForest,
    KaiNode,
    KaiQueueReport,
    LeftOutNode,
    LostKaiQueue,
    Misplaced,
    QueueResourceFigures,
)
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, TimeAware
from kubectl_fairshare.schedulers.kai.session.report import KaiShares, QueueReport
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.words.plan_answer import SCHEDULER, amount_of
from kubectl_fairshare.schedulers.kai.words.screens import figures
from kubectl_fairshare.schedulers.kai.words.shares_layout import kai_layout
from kubectl_fairshare.schedulers.question import SharesQuestion, unanswered

TITLES: Final[Mapping[str, str]] = {
    "guaranteed": "QUOTA",
    "limit": "LIMIT",
    "used": "HOLDS",
    "fair_share": "FAIR SHARE",
    "reachable": "MAY HOLD",
}
_GPU: Final = "nvidia.com/gpu"
_UNITS: Final = {"gpu": "GPU", "cpu": "cores"}
"""What amounts are of, where it is not the name of the resource."""


def _shown_name(of: KaiQueueReport) -> str:
    return of.display_name if of.display_name != of.name else ""


def _ratio(of: QueueResourceFigures) -> float | None:
    return of.saturation if of.allocated else None


_QUEUE: Final = (
    Figure("queue", read=lambda of: of.name),
    Figure("parent"),
    Figure("priority", "PRIORITY", rank=3, idle="100"),
    Figure("", "RUNNING", read=lambda of: of.running, csv=False, rank=2),
    Figure("", "PENDING", read=lambda of: of.pending, csv=False, rank=1),
    Figure("", "", read=_shown_name, csv=False, right=False, kept=False),
)
_RESOURCE: Final = (
    Figure("quota", "QUOTA", figures.bound, rank=1),
    Figure("limit", "LIMIT", figures.bound, rank=3),
    Figure("weight", "WEIGHT", lambda _, value: figures.number(value), rank=5, idle="1"),
    Figure("usage", "USAGE", lambda _, value: figures.number(value, 4), scarce=True),
    Figure("requested", "ASKS", figures.some, rank=2),
    Figure("allocated", "HOLDS", figures.some),
    Figure("allocated_non_preemptible", "FIXED", figures.some, rank=6),
    Figure("fair_share", "FAIR SHARE", figures.amount),
    Figure("", "RATIO", lambda _, value: figures.ratio(value), read=_ratio, csv=False, none=NOTHING, rank=4),
    Figure("saturation"),
)


class KaiSharesDetail(Value, frozen=True):
    """What only KAI's shares have: requests, weights, usage over time, queues and nodes that KAI ignores."""

    shares: KaiShares
    trees: tuple[KaiNode, ...]

    def document(self) -> WrittenAnswer:
        """The tree as a document."""
        return WrittenAnswer(SHARES, _forest(self.shares, self.trees))

    def columns(self) -> CsvColumns:
        """One line per queue and resource: cpu in millicores, memory in bytes, −1 for unlimited."""
        return CsvColumns(_QUEUE, _RESOURCE)

    def layout(self) -> Layout:
        """The tree, and one table per resource."""
        return kai_layout(self.shares, self.trees, _QUEUE, _RESOURCE)


def shares_answer(shares: KaiShares, question: SharesQuestion) -> Shares[KaiSharesDetail]:
    """The answer for all queues, or for the queues that the question names with their ancestors.

    Raises ``UsageError`` for a resource that KAI does not count, and ``UnansweredError`` for a view that KAI lacks.
    """
    refuse_foreign_views(question)
    shown, labelled = replace(shares, resources=_resources(question.resources)), question.labelled
    trees = selected(
        tuple(_node(tree, shares) for tree in shares.trees),
        lambda node: question.queue in ("", node.name),
        lambda node: labelled is None or node.key in labelled,
        lambda figures: figures.resource in shown.resources,
    )
    some = bool(question.queue) or labelled is not None
    outside, elsewhere = (NO_WORK, NO_WORK) if some else (shares.outside, shares.elsewhere)
    totals = tuple(_total(shares, r) for r in range(len(RESOURCES)) if shares.totals.total[r])
    split = _split(shares, question) if shares.asked else ""
    detail = KaiSharesDetail(shown, trees)
    return Shares(SCHEDULER, trees, TITLES, shares.fidelity, detail, outside, totals, split, elsewhere)


def _split(shares: KaiShares, question: SharesQuestion) -> str:
    """The fair shares of the queues in which jobs run, of the scarcest resource that the cluster has."""
    resource = next((name for name in figures.SHOWN if shares.totals.total[RESOURCES.index(name)]), RESOURCES[0])
    leaves = [node for tree in shares.trees for node in _node(tree, shares) if not node.children]
    given = ((node.name, node.pairs["", resource].fair_share) for node in leaves)
    parts = ((name, share, figures.amount(resource, share)) for name, share in given)
    condition = "when all are busy" if question.demand == ENDLESS else "with this demand"
    return split_text(condition, parts, _UNITS.get(resource, resource))


def _total(shares: KaiShares, r: int) -> PoolTotal:
    used = sum(tree.standing.allocated[r] for tree in shares.trees)
    return PoolTotal(amount_of(r, shares.totals.total[r]), amount_of(r, used), _UNITS.get(RESOURCES[r], RESOURCES[r]))


def refuse_foreign_views(question: SharesQuestion) -> None:
    """Raises ``UnansweredError`` for a view that KAI has no figures for."""
    reasons = {
        "shares --by": (question.by, "KAI charges queues and keeps no sums by namespace"),
        "shares --flavor": (question.flavors, "KAI's quotas name resources, not flavors"),
        "shares --sort": (question.sort != "name", "the order of siblings in KAI depends on the next job of each"),
    }
    for view, (given, reason) in reasons.items():
        if given:
            raise unanswered("KAI", view, reason, f"leave `{view.split()[1]}` out")


def check_queue(session: Session, name: str) -> None:
    """Raises ``UsageError`` for a queue that KAI does not know."""
    if name in session.standings:
        return
    lost = next((one for one in session.lost if one.queue.name == name), None)
    if lost is not None:
        message = f"queue `{name}` has no figures: its parents do not lead to a root queue, so KAI ignores it"
        remedy = f"check `{lost.parent}`: create it, or change `parentQueue`"
        raise UsageError(Problem(message, help=remedy))
    remedy = did_you_mean(likely(name, session.standings, 1)) or "name a Queue of the input"
    raise UsageError(Problem(f"no queue is called `{name}`", help=remedy))


def queue_key(one: QueueReport) -> ObjectKey:
    """The object of a queue. A queue that KAI creates itself gets the name that its object would have."""
    return one.standing.queue.key or ObjectKey(QUEUE_GROUP, "Queue", "", one.name)


def _resources(names: Collection[str]) -> tuple[str, ...]:
    """The resources in question, in KAI's order; all of them if the question names none."""
    wished = {"gpu" if name == _GPU else name for name in names}
    unknown = sorted(wished - set(RESOURCES))
    if unknown:
        remedy = f"write one of {', '.join(RESOURCES)}"
        raise UsageError(Problem(f"KAI does not count `{unknown[0]}`", "--resource", remedy))
    return tuple(name for name in RESOURCES if not wished or name in wished)


def _node(one: QueueReport, shares: KaiShares) -> KaiNode:
    queue = one.standing.queue
    counts = one.counts.running, one.counts.pending
    own = KaiQueueReport(queue.display_name, queue.priority, not one.children, queue.name, queue.parent, *counts)
    figures = tuple(_figures(one, r, shares) for r in range(len(RESOURCES)))
    children = tuple(_node(child, shares) for child in one.children)
    return QueueNode(queue_key(one), figures, one.counts, own, parent=queue.parent, children=children)


def _figures(one: QueueReport, r: int, shares: KaiShares) -> QueueFigures[QueueResourceFigures]:
    standing, queue, resource = one.standing, one.standing.queue, RESOURCES[r]
    held, quota, share = standing.allocated[r], queue.quota[r], standing.fair_share[r]
    known = shares.undefined.get(queue.name, {}).get(resource, ())
    own = QueueResourceFigures(
        resource,
        quota,
        queue.limit[r],
        queue.weight[r],
        standing.usage[r],
        standing.request[r],
        held,
        one.preemptible[r],
        standing.non_preemptible[r],
        share,
        standing.allocatable[r],
        one.saturation[r],
        tuple(value for value in known if value != share),
    )
    return QueueFigures(
        resource,
        "",
        used=amount_of(r, held),
        own=own,
        guaranteed=_bounded(r, quota),
        limit=_bounded(r, own.limit),
        borrowed=amount_of(r, 0.0 if quota == UNLIMITED else max(held - quota, 0.0)),
        fair_share=amount_of(r, share),
        reachable=_bounded(r, own.allocatable),
        dim=own.limit != UNLIMITED and own.limit <= 0,
    )


def _forest(shares: KaiShares, trees: tuple[KaiNode, ...]) -> KaiForest:
    totals, shard = shares.totals, shares.shard
    return KaiForest(
        fidelity=shares.fidelity,
        shard=shard.name,
        other_shards=tuple(name for name, _ in shares.others),
        time_aware=shard.time_aware.value,
        k=None if shard.time_aware is not TimeAware.KAI or isinf(shard.k) else shard.k,
        usage=shares.past,
        asked=shares.asked,
        total=totals.total,
        unassigned=shares.unassigned,
        left_out_nodes=tuple(LeftOutNode(*each) for each in totals.left_out),
        nodes_of_other_shards=totals.elsewhere,
        held_by_other_schedulers=totals.foreign,
        trees=trees,
        lost_queues=tuple(LostKaiQueue(lost.queue.name, lost.parent, lost.cycle) for lost in shares.lost),
        misplaced=tuple(Misplaced(*each) for each in shares.misplaced),
    )


def _bounded(r: int, value: float) -> Amount | None:
    return None if value == UNLIMITED else amount_of(r, value)
