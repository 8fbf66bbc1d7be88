"""Work on a page: what waits, with what would help and whom to ask, and what runs, with who may preempt it.

Tested in ``tests/unit/report/page/test_overview.py``.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.details import WhyDetail
from kubectl_fairshare.answers.number_text import count, nonzero
from kubectl_fairshare.answers.plan_blocks import remedy_text
from kubectl_fairshare.answers.review import Exposure, Exposures, PossiblePreemptor
from kubectl_fairshare.answers.standing import WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.report.forecast.words import start_cell, starts_clause
from kubectl_fairshare.report.page.frame import Words, age_cell, safe, table
from kubectl_fairshare.report.page.news import State
from kubectl_fairshare.report.taken import taken_clause
from kubectl_fairshare.report.verdicts import VERDICT_WORDS
from kubectl_fairshare.report.waiting import groups_of, waiting_row
from kubectl_fairshare.report.why import whom_to_ask

Answer = WhyAnswer[WhyDetail]
_NAMED_TAKERS: Final = 6
_WAITING: Final = ("workload", "queue", "place", "needs", "missing", "age", "start", "why")


def waiting_section(state: State, heading: str, anchor: str, words: Words) -> Iterator[str]:
    """Waiting work by what binds it, what is never admitted first; below, what would help and whom to ask."""
    yield f'<{heading} id="{anchor}waiting">Waiting: {count(len(state.waiting), "workload")}</{heading}>'
    if not state.waiting:
        yield "<p>No workload waits.</p>"
    helped = {each.key or each.job: each for each in state.helped}
    marked, starts = marks(state, anchor), _starts(state)
    for (verdict, _, binds), group in groups_of(state.waiting):
        title = f"{VERDICT_WORDS[verdict]} · {count(len(group), 'workload')} · {binds}"
        yield f"<details open><summary>{safe(title)}</summary>"
        rows = [_row(each, state.moment, binds, marked, starts) for each in group]
        filled = [number for number in range(len(_WAITING)) if any(row[number] for row in rows)]
        titles = [_WAITING[number] for number in filled]
        yield from table(titles, ([row[number] for number in filled] for row in rows), words)
        yield from _helps([helped[of] for each in group if (of := each.key or each.job) in helped], state)
        yield "</details>"
    if len(helped) < len(state.waiting):
        tried = f"for the {len(helped)} worst" if helped else "for none here, as it takes long"
        command = "`kubectl fairshare why NAME` tries it for one"
        yield f'<p class="dim">What would help was tried {tried}; {command}.</p>'
    if state.forecast is not None and state.waiting:
        yield f'<p class="dim">{safe(starts_clause(state.forecast))}</p>'
    if others := nonzero(state.unlisted):
        yield f'<p class="dim">Not listed: {safe(", ".join(others))}.</p>'


def marks(state: State, anchor: str) -> dict[ObjectKey, str]:
    """The anchors of the waiting workloads whose answers are not exact: what the page links to."""
    doubted = (each.key or each.job for each in state.waiting if not (each.fidelity.exact and each.fidelity.defined))
    return {key: f"{anchor}w{number}" for number, key in enumerate(dict.fromkeys(doubted)) if key is not None}


def _starts(state: State) -> dict[ObjectKey, str]:
    """When each of what waits starts, by its objects; empty where that was not asked for."""
    if state.forecast is None:
        return {}
    return {key: safe(start_cell(each, state.forecast)) for key, each in state.forecast.by_object().items()}


def _row(
    of: Answer, moment: int | None, binds: str, marked: dict[ObjectKey, str], starts: dict[ObjectKey, str]
) -> list[str]:
    name, *cells = map(safe, waiting_row(of))
    key = of.key or of.job
    if key in marked:
        name = f'<span id="{marked[key]}">{name}</span>'
    start = next((starts[each] for each in (of.job, of.key) if each in starts), "")
    return [name, *cells, age_cell(of.since, moment), start, "" if of.because == binds else safe(of.because)]


def _helps(answers: Sequence[Answer], state: State) -> Iterator[str]:
    """What would help each workload, tried, and whom to ask; only of those that have any."""
    lines = [line for each in answers for line in _help(each, state)]
    if lines:
        yield from ('<dl class="helps">', *lines, "</dl>")


def _help(of: Answer, state: State) -> Iterator[str]:
    taken, asked = taken_clause(of, state.shares.trees), list(whom_to_ask(of))
    if not (of.remedies or asked or taken):
        return
    owner = f"{of.job.kind} {of.job.namespace}/{of.job.name}" if of.job is not None and of.job != of.key else ""
    yield f"<dt>{safe(of.title)}{safe(f', of {owner}') if owner else ''}</dt>"
    yield from (f"<dd>{safe(text)}</dd>" for text in [taken] if text)
    yield from (f"<dd><i>would help</i> {safe(remedy_text(each))}</dd>" for each in of.remedies)
    yield from (f"<dd><i>ask</i> {safe(text)}</dd>" for text in asked)


def running_section(running: Exposures, heading: str, anchor: str, words: Words) -> Iterator[str]:
    """Running work by how it can be lost; what is safe comes last, and closed."""
    groups: defaultdict[tuple[bool, Set[PossiblePreemptor]], list[Exposure]] = defaultdict(list)
    for each in running.found:
        groups[each.borrows, each.takers].append(each)
    yield f'<{heading} id="{anchor}running">Running: {count(len(running.found), "workload")}</{heading}>'
    if running.doubt and running.found:
        yield f'<p class="dim">Not exact: {safe(running.doubt)}.</p>'
    ordered = sorted(groups.items(), key=lambda group: (not group[0][1], -len(group[1]), group[1][0].key))
    for (borrows, takers), group in ordered:
        title = f"{count(len(group), 'workload')} · {_risk(takers, borrows=borrows)}"
        yield f"<details{' open' if takers else ''}><summary>{safe(title)}</summary>"
        titles, falls = ["workload", "queue", "priority", "holds"], any(each.left_below for each in group)
        rows = ([*_work(each), *([_amounts(each.left_below)] if falls else ())] for each in group)
        yield from table([*titles, *(["its queue without it: below its own by"] if falls else ())], rows, words)
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
    return safe(", ".join(f"{each.text} {each.resource}{f' in {each.pool}' if each.pool else ''}" for each in of))
