"""KAI's queues as the answer that all schedulers share, and the derivation of one queue."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode, Shares
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import did_you_mean, likely
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.documents.shares import kai_derivation_document, shares_fields
from kubectl_fairshare.schedulers.kai.explain.derivation import Derivation
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED
from kubectl_fairshare.schedulers.kai.session.report import KaiShares, QueueReport
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.words.plan_answer import SCHEDULER, amount_of
from kubectl_fairshare.schedulers.kai.words.rows import kai_names, kai_shares_csv
from kubectl_fairshare.schedulers.kai.words.screens.explain import kai_derivation_screen
from kubectl_fairshare.schedulers.kai.words.screens.shares import kai_shares_screen
from kubectl_fairshare.schedulers.question import SharesQuestion, unanswered

TITLES: Final[Mapping[str, str]] = {
    "guaranteed": "QUOTA",
    "limit": "LIMIT",
    "used": "HOLDS",
    "fair_share": "FAIR SHARE",
    "reachable": "MAY HOLD",
}
_GPU: Final = "nvidia.com/gpu"


class KaiSharesDetail(Value, frozen=True):
    """What only KAI's shares have: requests, weights, usage over time, queues and nodes that KAI ignores."""

    shares: KaiShares

    def screen(self, view: View) -> str:
        """The tree, and one table per resource."""
        return kai_shares_screen(self.shares, view)

    def document(self, places: Places) -> Document:
        """The tree as a document."""
        return shares_fields(self.shares, places)

    def names(self) -> Iterable[str]:
        """The queues."""
        return kai_names(self.shares)

    def csv(self) -> str:
        """One line per queue and resource."""
        return kai_shares_csv(self.shares)


def shares_answer(shares: KaiShares, question: SharesQuestion) -> Shares[KaiSharesDetail]:
    """The answer for all queues, or for the queues that the question names with their ancestors.

    Raises ``UsageError`` for a resource that KAI does not count, and ``UnansweredError`` for a view that KAI lacks.
    """
    refuse_foreign_views(question)
    trees = shares.trees
    if question.queue:
        trees = _with_ancestors(trees, lambda one: one.name == question.queue, whole=True)
    if question.labelled is not None:
        labelled = question.labelled
        trees = _with_ancestors(trees, lambda one: queue_key(one) in labelled, whole=False)
    shown = replace(shares, trees=trees, resources=_resources(question.resources))
    return Shares(
        SCHEDULER,
        tuple(_node(tree, shown.resources) for tree in trees),
        TITLES,
        shares.fidelity,
        KaiSharesDetail(shown),
    )


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


def _with_ancestors(
    trees: tuple[QueueReport, ...], picks: Callable[[QueueReport], bool], *, whole: bool
) -> tuple[QueueReport, ...]:
    """The chosen queues with their ancestors; ``whole`` adds all their descendants."""
    kept = []
    for tree in trees:
        if whole and picks(tree):
            kept.append(tree)
            continue
        below = _with_ancestors(tree.children, picks, whole=whole)
        if below or picks(tree):
            kept.append(replace(tree, children=below))
    return tuple(kept)


def _node(one: QueueReport, resources: Collection[str]) -> QueueNode[None, None]:
    return QueueNode(
        key=queue_key(one),
        figures=tuple(_figures(one, r) for r, name in enumerate(RESOURCES) if name in resources),
        running=one.running,
        pending=one.pending,
        own=None,
        parent=one.standing.queue.parent,
        children=tuple(_node(child, resources) for child in one.children),
    )


def _figures(one: QueueReport, r: int) -> QueueFigures[None]:
    standing, queue = one.standing, one.standing.queue
    held, quota = standing.allocated[r], queue.quota[r]
    return QueueFigures(
        RESOURCES[r],
        "",
        used=amount_of(r, held),
        own=None,
        guaranteed=_bounded(r, quota),
        limit=_bounded(r, queue.limit[r]),
        borrowed=amount_of(r, 0.0 if quota == UNLIMITED else max(held - quota, 0.0)),
        fair_share=amount_of(r, standing.fair_share[r]),
        reachable=_bounded(r, standing.allocatable[r]),
    )


def _bounded(r: int, value: float) -> Amount | None:
    return None if value == UNLIMITED else amount_of(r, value)


class KaiDerivation(Value, frozen=True):
    """The fair share of one queue, as a screen and as a document."""

    derivation: Derivation
    session: Session
    fidelity: Fidelity

    @property
    def exit_code(self) -> int:
        """0: the question is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The fair share, term by term."""
        session = self.session
        return kai_derivation_screen(self.derivation, session.shard, session.state.past, self.fidelity, view)

    def document(self, places: Places) -> Document:
        """The fair share with the steps behind it."""
        return kai_derivation_document(self.derivation, self.fidelity, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: a derivation lists no objects."""
        raise UsageError(Problem("`--explain` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: a derivation is not a table."""
        raise UsageError(Problem("`--explain` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))
