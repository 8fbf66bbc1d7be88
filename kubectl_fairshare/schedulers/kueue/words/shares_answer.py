"""Kueue's shares: which figures a cohort forest has, and what is said of them."""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

from kubectl_fairshare.answers import number_text
from kubectl_fairshare.answers.answer import amount_of
from kubectl_fairshare.answers.blocks import Block, CsvColumns, Grid, Items, Layout, Remark, Section
from kubectl_fairshare.answers.counts import NO_WORK, QueueCounts, total_counts
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import NOTHING, amount, count, some
from kubectl_fairshare.answers.shares import PoolTotal, Shares
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.explain.shares import NodeReport, PairFigures, ShareTree, UsageLine
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.release import NAME
from kubectl_fairshare.schedulers.kueue.tree.loans import Loan
from kubectl_fairshare.schedulers.kueue.words.figures import pair_text, share_text
from kubectl_fairshare.schedulers.question import SharesQuestion

TITLES: Final[Mapping[str, str]] = {
    "guaranteed": "SUBTREE",
    "limit": "LIMIT",
    "used": "USED",
    "borrowed": "BORROWED",
    "lent": "LENT",
    "reachable": "POTENTIAL",
}
BORROWS: Final = "▲"
_SHARE_NOTE: Final = (
    "share: borrowed ÷ lendable of the most-borrowed resource, divided by weight (0 = borrows nothing); Kueue's "
    "weightedShare is 1000 times it. ▲ borrows."
)
_CONVENTION: Final = (
    "Kueue does not record lenders; these follow the tree upwards (help lent): at each cohort its own quota first, "
    "then what its children do not use, in order of their names."
)


def _weight(of: NodeReport) -> str | None:
    return number_text.weight(of.weight) if of.declared or of.kind != "Cohort" else None


def _share(of: NodeReport) -> str:
    return "Inf" if of.share.rank else repr(of.share.value / 1000)


def _borrows_in(of: NodeReport) -> str:
    return ", ".join(of.borrows_from)


def _limits(of: PairFigures) -> list[str]:
    found = []
    if of.borrowing_limit is not None:
        found.append(f"borrows at most {amount(of.resource, of.borrowing_limit)}")
    if of.lending_limit is not None:
        found.append(f"lends at most {amount(of.resource, of.lending_limit)}")
    return found


_NODE: Final = (
    Figure("kind"),
    Figure("name"),
    Figure("parent"),
    Figure("implicit", read=lambda of: not of.declared),
    Figure("inactive", read=lambda of: None if of.inactive is None else of.inactive.reasons),
    Figure("weight", read=lambda of: repr(of.weight)),
    Figure("share", read=_share),
    Figure("", "WEIGHT", read=_weight, csv=False, none=NOTHING, rank=5, idle="1"),
    Figure("weightedShare", "WEIGHTEDSHARE", read=lambda of: of.share.rounded, wide=True),
    Figure("", "SHARE", read=lambda of: share_text(of.share), csv=False, rank=2, idle="0"),
    Figure("", "", read=lambda of: BORROWS if of.share.borrowing else "", csv=False, right=False, kept=False),
    Figure("dominantResource", "OF", read=lambda of: of.share.dominant, right=False, kept=False, rank=4),
    Figure("borrowing", read=lambda of: of.share.borrowing),
    Figure("borrowsIn", read=lambda of: of.borrows_from),
    Figure("running", "RUNNING", rank=3),
    Figure("pending", "PENDING", rank=1),
    Figure("", "BORROWS IN", read=_borrows_in, csv=False, right=False, kept=False, rank=6),
)
_PAIR: Final = (
    Figure("nominal", "NOMINAL", some),
    Figure("subtree", "SUBTREE", amount, rank=4),
    Figure("usage", "USED", amount),
    Figure("borrowed", "BORROWED", some, rank=1),
    Figure("lent", "LENT", some, rank=2),
    Figure("available", "FREE", amount, none=NOTHING, live=True),
    Figure("potential", "POTENTIAL", amount, rank=3),
    Figure("borrowingLimit"),
    Figure("lendingLimit"),
    Figure("", "LIMITS", read=lambda of: ", ".join(_limits(of)), csv=False, right=False, kept=False, wide=True),
)
_USAGE: Final = ("name", "clusterQueues", "running", "pending", "flavor", "resource", "usage")


class KueueSharesDetail(Value, frozen=True):
    """What only Kueue's shares have: flavors, loans, usage by LocalQueue and namespace."""

    tree: ShareTree
    question: SharesQuestion

    def document(self) -> WrittenAnswer:
        """The forest as a document."""
        from kubectl_fairshare.schedulers.kueue.documents.shares import SHARES

        return WrittenAnswer(SHARES, self.tree)

    def columns(self) -> CsvColumns | Grid:
        """A row for each node and flavor-resource, or for each LocalQueue or namespace."""
        if not self.question.by:
            return CsvColumns(_NODE, _PAIR, pools=True)
        return Grid(_USAGE, tuple(row for line in self._lines for row in _csv_rows(line)))

    def layout(self) -> Layout:
        """Shares, then a tree of amounts for each flavor-resource, then the loans; or usage, added up."""
        tree, by = self.tree, self.question.by
        groups = _by_user(tree, by, self._lines) if by else _forest(tree, users="/" in self.question.queue)
        return Layout(_opening(tree), (*groups, *_strays(tree)))

    @property
    def _lines(self) -> tuple[UsageLine, ...]:
        return self.tree.local_queues if self.question.by == "localqueue" else self.tree.namespaces


def shares_answer(tree: ShareTree, question: SharesQuestion) -> Shares[KueueSharesDetail]:
    """The answer about all trees."""
    narrowed = bool(question.queue) or question.labelled is not None
    inside = total_counts(NO_WORK, (root.counts for root in tree.trees))
    outside = QueueCounts(tree.running - inside.running, tree.pending - inside.pending)
    detail = KueueSharesDetail(tree, question)
    totals = tuple(_total(each.resource, each.flavor, each.nominal, each.usage) for each in tree.totals)
    return Shares(NAME, tree.trees, TITLES, tree.fidelity, detail, NO_WORK if narrowed else outside, totals)


def _total(resource: str, flavor: str, whole: int, used: int) -> PoolTotal:
    both = amount_of(resource, whole, flavor), amount_of(resource, used, flavor)
    return PoolTotal(*both, pair_text(FlavorResource(flavor, resource)))


def _opening(tree: ShareTree) -> tuple[str, ...]:
    return "fair sharing" if tree.fair else "classical", count(len(tree.trees), "tree")


def _by_user(tree: ShareTree, by: str, lines: Sequence[UsageLine]) -> Iterator[Sequence[Block]]:
    yield [_usage(lines, by.upper())]
    if by == "localqueue" and tree.past is not None:
        from kubectl_fairshare.schedulers.kueue.words.past_usage import past_usage

        yield past_usage(tree.past, {node.name for root in tree.trees for node in root})


def _forest(tree: ShareTree, *, users: bool) -> Iterator[Sequence[Block]]:
    """The groups of the screen of all queues; with ``users`` also what LocalQueues use."""
    note = _SHARE_NOTE if tree.fair else f"{_SHARE_NOTE} Fair sharing is off, so shares have no effect."
    if tree.trees:
        yield Section("COHORTS AND QUEUES", tree.trees, _NODE), Remark(note, "dim", first="", more="")
    else:
        yield [Remark("no Cohort and no ClusterQueue to show", "dim", first="")]
    having: dict[tuple[str, str], list[tuple[str, PairFigures]]] = {}  # a state has thousands of nodes with many pairs
    for node in (node for root in tree.trees for node in root):
        for each in node.figures:
            having.setdefault((each.resource, each.pool), []).append((node.name, each.own))
    for resource, flavor in sorted({(each.resource, each.pool) for root in tree.trees for each in root.figures}):
        yield _pair_group(tree, FlavorResource(flavor, resource), having[resource, flavor])
    if users and tree.local_queues:
        yield [_usage(tree.local_queues, "LOCALQUEUE")]
    if tree.loans:
        yield _loans(tree.loans)


def _pair_group(tree: ShareTree, pair: FlavorResource, having: Sequence[tuple[str, PairFigures]]) -> Sequence[Block]:
    """A tree of amounts, and the limits in a sentence unless they are a column."""
    total = next((each for each in tree.totals if (each.flavor, each.resource) == pair), None)
    sums = {} if total is None else {"nominal": amount(pair.resource, total.nominal)}
    sums |= {} if total is None else {"usage": amount(pair.resource, total.usage)}
    limits = [f"{name} {' and '.join(found)}" for name, of in having if (found := _limits(of))]
    return (
        Section(pair_text(pair), tree.trees, _PAIR, pair.resource, pair.flavor, sums if len(having) > 1 else None),
        Items("limits: ", limits, separator=" · ", tone="dim", narrow=True),
    )


def _loans(loans: Sequence[Loan]) -> Sequence[Block]:
    """What borrowers may have to return: the balance of each, then its lenders by convention."""
    blocks: list[Block] = [Remark("may have to return", first="")]
    balances: dict[tuple[str, FlavorResource], list[Loan]] = {}
    for loan in loans:
        balances.setdefault((loan.borrower, loan.pair), []).append(loan)
    for (borrower, pair), mine in sorted(balances.items(), key=itemgetter(0)):
        total = amount(pair.resource, sum(loan.amount for loan in mine))
        balance = f"  {borrower}: {total} {pair_text(pair)} = "
        blocks.append(Items(balance, [_lender(loan) for loan in mine], " + ", "    "))
    return [*blocks, Remark(_CONVENTION, "dim", first="", more="")]


def _lender(loan: Loan) -> str:
    text = amount(loan.pair.resource, loan.amount)
    if loan.lender is None:
        return f"{text} beyond the whole quota of {loan.cohort}"
    if loan.lender == loan.cohort and loan.lender_kind == "Cohort":
        return f"{text} of {loan.lender} itself"
    return f"{text} of {loan.lender} in {loan.cohort}"


def _strays(tree: ShareTree) -> Sequence[Sequence[Block]]:
    """What belongs to no tree: cohort cycles, and workloads in queues that do not exist."""
    return [
        [
            Items("in a cohort cycle, so without figures: ", tree.cycles, tone="wait"),
            Items("hold quota in a queue that is not in the input: ", tree.stray, tone="wait"),
        ]
    ]


def _usage(lines: Sequence[UsageLine], title: str) -> Block:
    """A row for each LocalQueue or namespace and each flavor-resource that it uses."""
    if not lines:
        return Remark("no workload waits or runs", "dim", first="")
    titles = (title, "CLUSTERQUEUE", "RUNNING", "PENDING", "USED", "RESOURCE")
    rows = [row for line in lines for row in _usage_rows(line)]
    return Grid(titles, rows, frozenset((title, "CLUSTERQUEUE", "RESOURCE")))


def _usage_rows(line: UsageLine) -> Iterator[tuple[str, ...]]:
    first = (line.name, ", ".join(line.cluster_queues), str(line.running), str(line.pending))
    by_resource = sorted(line.usage.items(), key=lambda item: (item[0].resource, item[0].flavor))
    used = [(amount(pair.resource, value), pair_text(pair)) for pair, value in by_resource] or [(NOTHING, "")]
    for number, cells in enumerate(used):
        yield (*(first if number == 0 else ("",) * len(first)), *cells)


def _csv_rows(line: UsageLine) -> Iterator[tuple[str, ...]]:
    start = (line.name, " ".join(line.cluster_queues), str(line.running), str(line.pending))
    for pair, value in sorted(line.usage.items()):
        yield (*start, *pair, amount(pair.resource, value))
    if not line.usage:
        yield (*start, "", "", "")
