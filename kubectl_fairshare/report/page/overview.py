"""The page of one state: the tree of queues, what waits and why, what may be lost, what is wrong.

Tested in ``tests/unit/report/page/test_overview.py`` and, in a browser, in ``tests/unit/report/page/test_browser.py``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from math import inf
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.counts import COUNTED
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.review import Exposure, Exposures, PossiblePreemptor
from kubectl_fairshare.answers.shares import AnyQueue, Shares
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.report.page.frame import framed_lines, safe, table
from kubectl_fairshare.report.page.icicle import Pair, bound, figures_of, icicle, pairs_of
from kubectl_fairshare.report.printable import SharesDetail, WhyDetail
from kubectl_fairshare.report.queue_names import queue_names
from kubectl_fairshare.report.text.figures import count, counts_text
from kubectl_fairshare.report.text.moments import age
from kubectl_fairshare.report.verdicts import VERDICT_WORDS
from kubectl_fairshare.report.waiting import groups_of

State = Overview[SharesDetail, WhyDetail]
_AMOUNTS: Final = (
    ("guaranteed", "guaranteed"),
    ("used", "used"),
    ("borrowed", "borrowed"),
    ("lent", "lent"),
    ("limit", "limit"),
    ("reachable", "reachable"),
)
_NAMED_TAKERS: Final = 6
_WAITING: Final = ("workload", "queue", "place", "needs", "missing", "age", "why")
_HATCH: Final = (
    '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs><pattern id="hatch" width="5" '
    'height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="5" '
    'fill="var(--over)"/></pattern></defs></svg>'
)
_LEGEND: Final = (
    '<p class="dim">Width: quota of the queue and of all below it.<span class="key used"></span>used'
    '<span class="key over"></span>borrowed<span class="key full"></span>a limit is reached</p>'
)


def overview_page(state: State) -> Iterator[str]:
    """The lines of the whole page, which is one file that loads nothing."""
    counts = counts_text(state.shares.counts, state.shares.outside)
    title = f"{state.title}: {count(_queues(state.shares.trees), 'queue')}, {counts}"
    return framed_lines(title, _body(state, title), script=True)


def _body(state: State, title: str) -> Iterator[str]:
    pairs = pairs_of(state.shares.trees)
    yield f"<h1>{safe(title)}</h1>"
    yield f'<p class="dim">{_subtitle(state)}</p>'
    yield _certainty(state)
    yield _bar(pairs)
    yield _HATCH
    yield from _trees(state.shares, pairs)
    yield from _waiting(state)
    yield from _running(state.running)
    yield from _findings(state)
    yield from _fidelity(state)


def _queues(trees: Iterable[AnyQueue]) -> int:
    return sum(not node.children for tree in trees for node in tree)


def _subtitle(state: State) -> str:
    fidelity = state.shares.fidelity
    parts = [f"{fidelity.scheduler} {fidelity.version}", ", ".join(state.sources)]
    if state.moment is not None:
        parts.append(f"as of {moment_text(state.moment)}")
    return " · ".join(safe(part) for part in parts if part)


def _bar(pairs: Sequence[Pair]) -> str:
    options = "".join(f"<option>{safe(_pair_text(pair))}" for pair in pairs)
    return (
        f'<div class="bar" hidden><label>Resource <select>{options}</select></label>'
        '<input type="search" placeholder="Search queues, workloads, findings ( / )" aria-label="Search">'
        '<output class="dim"></output></div>'
    )


def _pair_text(pair: Pair) -> str:
    resource, pool = pair
    return f"{resource} in {pool}" if pool else resource


def _trees(shares: Shares[SharesDetail], pairs: Sequence[Pair]) -> Iterator[str]:
    """A section for each resource of each pool: the picture, then the same figures as a table."""
    yield '<h2 id="queues">Queues</h2>'
    for pair in pairs:
        yield f'<section class="pair"><h3>{safe(_pair_text(pair))}</h3>'
        picture = icicle(shares.trees, pair)
        yield from ('<div class="wide">', *picture, "</div>", _LEGEND) if picture else ("<p>no quota and no usage</p>",)
        columns = [(field, title) for field, title in _AMOUNTS if _is_known(shares.trees, pair, field)]
        shared = any(node.share is not None for tree in shares.trees for node in tree)
        counted = [f for f in COUNTED if any(f.value(node.counts) for tree in shares.trees for node in tree)]
        titles = [
            "queue",
            *(["share"] if shared else []),
            *(shares.titles.get(field, title).lower() for field, title in columns),
            "running",
            "waiting",
            *((each.title or "").lower() for each in counted),
        ]
        rows = _figure_rows(shares.trees, pair, [field for field, _ in columns], shared, counted)
        yield from table(titles, rows, numbers=True)
        yield "</section>"


def _is_known(trees: Iterable[AnyQueue], pair: Pair, field: str) -> bool:
    """Whether the scheduler has this figure for any queue."""
    figures = (figures_of(node, pair) for tree in trees for node in tree)
    return any(each is not None and getattr(each, field) is not None for each in figures)


def _figure_rows(
    trees: Sequence[AnyQueue], pair: Pair, fields: Sequence[str], shared: bool, counted: Sequence[Figure]
) -> Iterator[list[str]]:
    names = queue_names(trees)
    for tree in trees:
        for node in tree:
            figures = figures_of(node, pair)
            if figures is not None:
                cells = [_amount(getattr(figures, field)) for field in fields]
                share = [_share(node.share)] if shared else []
                more = [safe(str(each.value(node.counts) or "")) for each in counted]
                yield [safe(_name(node, names[node.key])), *share, *cells, str(node.running), str(node.pending), *more]


def _share(share: float | None) -> str:
    """A share as a cell; infinite for a borrower of weight 0."""
    if share is None:
        return ""
    return "<b data-v=Infinity>∞</b>" if share == inf else f"{share:.3g}"


def _name(node: AnyQueue, name: str) -> str:
    return f"{node.parent} / {name}" if node.parent else name


def _amount(amount: Amount | None) -> str:
    """An amount as a cell: sorted by its value, wherever its text is not just that."""
    if amount is None:
        return "–"
    if bound(amount) is None and amount.value > 0:
        return "<b data-v=Infinity>unlimited</b>"
    text = safe(amount.text)
    return text if _is_number(amount.text) else f"<b data-v={amount.value:g}>{text}</b>"


def _is_number(text: str) -> bool:
    """Whether a text is sorted as what it says, unlike `2Gi` or `500m`."""
    return text.replace(".", "", 1).isdecimal()


def _waiting(state: State) -> Iterator[str]:
    yield f'<h2 id="waiting">Waiting: {count(len(state.waiting), "workload")}</h2>'
    if not state.waiting:
        yield "<p>No workload waits.</p>"
    for (verdict, _, binds), group in groups_of(state.waiting):
        title = f"{VERDICT_WORDS[verdict]} · {count(len(group), 'workload')} · {binds}"
        yield f"<details open><summary>{safe(title)}</summary>"
        rows = [
            (*map(safe, each.detail.row()), _age(each.since, state.moment), _own(each.because, binds)) for each in group
        ]
        filled = [number for number in range(len(_WAITING)) if any(row[number] for row in rows)]
        titles = [_WAITING[number] for number in filled]
        yield from table(titles, ([row[number] for number in filled] for row in rows))
        yield "</details>"
    if state.unlisted:
        yield f'<p class="dim">Not listed: {safe(", ".join(state.unlisted))}.</p>'


def _own(because: str, binds: str) -> str:
    return "" if because == binds else safe(because)


def _age(since: int | None, now: int | None) -> str:
    """An age as a cell, sorted by its seconds; the moment itself where the time of asking is not known."""
    if since is None or now is None:
        return moment_text(since) if since else ""
    return f'<b data-v={max(0, now - since) // 10**9} title="since {moment_text(since)}">{age(since, now)}</b>'


def _running(running: Exposures) -> Iterator[str]:
    """Running work by how it can be lost; what is safe comes last, and closed."""
    groups: defaultdict[tuple[bool, Set[PossiblePreemptor]], list[Exposure]] = defaultdict(list)
    for each in running.found:
        groups[each.borrows, each.takers].append(each)
    yield f'<h2 id="running">Running: {count(len(running.found), "workload")}</h2>'
    if running.doubt and running.found:
        yield f'<p class="dim">Not exact: {safe(running.doubt)}.</p>'
    ordered = sorted(groups.items(), key=lambda group: (not group[0][1], -len(group[1]), group[1][0].key))
    for (borrows, takers), group in ordered:
        title = f"{count(len(group), 'workload')} · {_risk(takers, borrows=borrows)}"
        yield f"<details{' open' if takers else ''}><summary>{safe(title)}</summary>"
        titles, falls = ["workload", "queue", "priority", "holds"], any(each.left_below for each in group)
        rows = ([*_work(each), *([_amounts(each.left_below)] if falls else ())] for each in group)
        yield from table([*titles, *(["its queue without it: below its own by"] if falls else ())], rows)
        yield "</details>"


def _risk(takers: Set[PossiblePreemptor], *, borrows: bool) -> str:
    if not takers:
        return "safe from preemption by every queue"
    rules: defaultdict[str, list[str]] = defaultdict(list)
    for each in sorted(takers):
        rules[each.rule].append(each.queue)
    clauses = "; ".join(f"{some_of(queues, _NAMED_TAKERS)} ({rule})" for rule, queues in sorted(rules.items()))
    return f"{'borrowing; ' if borrows else ''}may be preempted by {clauses}"


def _work(of: Exposure) -> list[str]:
    return [safe(f"{of.key.namespace}/{of.key.name}"), safe(of.queue), str(of.priority), _amounts(of.holds)]


def _amounts(of: Sequence[Amount]) -> str:
    return safe(", ".join(f"{each.text} {each.resource}" for each in of))


def _findings(state: State) -> Iterator[str]:
    yield f'<h2 id="findings">Lint: {count(len(state.findings), "finding")}</h2>'
    if not state.findings:
        yield '<p class="good">No finding.</p>'
        return
    rows = (
        [
            f'<span class="{"bad" if each.severity.rank == 0 else ""}">{safe(each.severity.value)}</span>',
            safe(each.rule),
            safe(each.object),
            safe(each.message),
            _place(each.at),
        ]
        for each in state.findings
    )
    yield '<div class="findings">'
    yield from table(("severity", "rule", "object", "finding", "where"), rows)
    yield "</div>"


def _place(at: Location | None) -> str:
    """A place as a cell; a long path may be broken after a slash."""
    return safe("" if at is None else at.field or f"{at.source}:{at.line}").replace("/", "/<wbr>")


def _doubts(state: State) -> list[str]:
    """Why answers of the page are not exact, each reason once."""
    answers = (state.shares.fidelity, *(each.fidelity for each in state.waiting))
    doubts = list(dict.fromkeys(doubt for each in answers for doubt in each.doubts))
    drawn = sum(not each.defined for each in answers)
    if drawn:
        doubts.append(
            f"the scheduler leaves {count(drawn, 'answer')} to chance: `why NAME` shows the possible outcomes"
        )
    return doubts


def _certainty(state: State) -> str:
    """Beside the verdict: whether the answers are exact; the reasons are at the end of the page."""
    doubts = _doubts(state)
    if not doubts:
        return '<p>⇒ every answer on this page is <span class="good">exact</span></p>'
    reasons = f"{count(len(doubts), 'reason')} under Fidelity, at the end"
    return f'<p>⇒ <span class="bad">some answers on this page are not exact</span>: {reasons}</p>'


def _fidelity(state: State) -> Iterator[str]:
    """What these answers reproduce, and what of the input they do not."""
    fidelity = state.shares.fidelity
    yield f"<h2>Fidelity</h2><p>{safe(fidelity.scheduler)} {safe(fidelity.version)}: "
    doubts = _doubts(state)
    if not doubts:
        yield 'every answer on this page is <span class="good">exact</span>.</p>'
        return
    yield "answers are not exact where these touch them:</p><ul>"
    yield from (f"<li>{safe(each)}</li>" for each in doubts)
    yield "</ul>"
