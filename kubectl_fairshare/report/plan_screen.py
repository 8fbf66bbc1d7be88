"""The answer to ``plan`` as text for people: the screen, in short, and as Markdown.

Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import (
    Amount,
    Answer,
    BindingLimit,
    Maker,
    Spared,
    TriedChange,
    Victim,
)
from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.need_lines import need_lines
from kubectl_fairshare.report.printable import Block, PlanDetail
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.heading import gap_lines
from kubectl_fairshare.report.text.listing import long_list, long_table, rest, shown_items
from kubectl_fairshare.report.text.outcome import MARKS, outcome_lines
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import Column, Row, wrapped_items
from kubectl_fairshare.report.text.view import View

_UNASKED: Final = (
    Column("NO VICTIMS IN", right=False),
    Column("HOLDS"),
    Column("BECAUSE", right=False, folds=True),
)
_MARKDOWN: Final = ("priority", "holds", "rule", "because")
_WHO: Final = {
    Maker.OWNER: "job owner",
    Maker.NAMESPACE_ADMIN: "namespace admin",
    Maker.ADMIN: "cluster admin",
}
MOST_BRIEF: Final = 8
"""The most lines of a brief answer."""


def plan_screen(answer: Answer[PlanDetail], view: View) -> str:
    """The screen of one answer: the verdict is its first line and its last."""
    detail = answer.detail
    blocks: list[Block] = [
        _opening(answer, view),
        *detail.reasons(view),
        need_lines([part for need in answer.needs for part in need.parts], view),
        binding_lines(answer.binding, view),
        victim_lines(answer, view),
        *spared_blocks(answer, view),
        *detail.findings(view),
        remedy_lines(answer.remedies, view),
        _check_lines(answer, view),
        hold_lines(answer.holds, view),
        [line for tie in answer.ties for line in paragraph(f"tie: {tie.text}", view)],
        _possible_lines(answer, view),
        _turn_lines(answer, view),
        *detail.records(view),
        [*gap_lines(answer.fidelity, view), *plan_closing(answer, view)],
    ]
    return blocks_text(blocks)


def plan_closing(answer: Answer[PlanDetail], view: View) -> list[str]:
    """The last line of one answer; assumptions about the moment are on a line before it."""
    lines = [view.paint("dim", f"computed {answer.assumed}")] if answer.assumed else []
    return [*lines, *_closing(answer, view)]


def _turn_lines(answer: Answer[PlanDetail], view: View) -> list[str]:
    """The end after the workloads that wait before it."""
    turn = answer.in_turn
    if turn is None:
        return []
    first = (
        f"{turn.first} that {'waits gets' if turn.first == 1 else 'wait get'} in first; then: " if turn.first else ""
    )
    lines = paragraph(f"in turn: {first}{turn.verdict}", view)
    return [*lines, *paragraph(f"not exact: {'; '.join(turn.doubts)}", view)] if turn.doubts else lines


def _possible_lines(answer: Answer[PlanDetail], view: View) -> list[str]:
    """A line for each outcome that ties, or moments, allow."""
    if len(answer.possible) < 2:
        return []
    why = "" if answer.fidelity.defined else ", and left to chance"
    lines = [f"  possible{why} ({len(answer.possible)}):"]
    for each in shown_items(answer.possible, view):
        where = f" ({each.where})" if each.where else ""
        victims = f": {', '.join(map(_name, each.victims))}" if each.victims else ""
        lines += paragraph(f"{each.verdict}{where}{victims}", view, "    ", "      ")
    return [*lines, *rest(answer.possible, view)]


def _closing(answer: Answer[PlanDetail], view: View) -> list[str]:
    verdict, tone = answer.verdict.partition(": ")[0], MARKS[answer.outcome][1]
    code = f"exit {answer.exit_code}"
    return closing_lines(verdict, tone, answer.fidelity, answer.context, view, code)


def plan_brief(answer: Answer[PlanDetail], view: View, *, named: bool) -> str:
    """The verdict, what binds, the victims, the best remedy: at most ``MOST_BRIEF`` lines; ``named``: of which job."""
    closing = _closing(answer, view)
    names = [_name(victim.key) for victim in answer.victims]
    victims = [*names[:3], f"{len(names) - 3} more"] if len(names) > 4 else names
    lines = [
        *outcome_lines(answer.outcome, answer.exit_code, answer.verdict, answer.computed_verdict, view),
        *([f"  {_name(answer.subject.source or answer.subject.key)}"] if named else []),
        *binding_lines(answer.binding[:1], view),
        *wrapped_items("  victims: ", victims, view.width, ", "),
        *remedy_lines(answer.remedies[:1], view),
    ]
    return "".join(f"{line}\n" for line in [*lines[: MOST_BRIEF - len(closing)], *closing])


def plan_markdown(answer: Answer[PlanDetail], view: View) -> str:
    """One answer for a ticket or a pull request."""
    stations = " → ".join(f"{each.kind} {each.name}".strip() for each in answer.route)
    from kubectl_fairshare.report.markdown import code, md_table, md_text, prose

    lines = [f"**{MARKS[answer.outcome][0]} {prose(answer.verdict)}**", "", prose(stations), ""]
    if answer.victims:
        rows = [(*_cells(victim), victim.because) for victim in answer.victims]
        lines += [*md_table(("victim", answer.held_in[0].lower(), *_MARKDOWN), rows), ""]
    for limit in answer.binding:
        where = view.cite(limit.place)
        gap = f"needs {limit.needed.text}, {limit.short.text} too few"
        lines.append(f"- binds: {prose(limit.clause)}: {prose(gap)}" + (f" ({code(where)})" if where else ""))
    for remedy in answer.remedies:
        where = view.cite(remedy.place)
        text = f"- would help: {prose(remedy_text(remedy))}"
        lines.append(text + (f" ({code(where)})" if where else ""))
    for hold in answer.holds:
        lines.append(f"- after admission: {prose(hold.sentence)}")
    for check in answer.checks:
        lines.append(f"- then needs: {check.kind} {prose(check.name)}")
    verdict = prose(answer.verdict.partition(": ")[0])
    return md_text([*lines, "", f"⇒ {verdict} · {prose(exactness(answer.fidelity, answer.context))}"])


def _opening(answer: Answer[PlanDetail], view: View) -> Block:
    stations = [f"{each.kind} {each.name}".strip() for each in answer.route]
    return [
        *outcome_lines(answer.outcome, answer.exit_code, answer.verdict, answer.computed_verdict, view),
        *wrapped_items("  ", stations, view.width, " → "),
    ]


def binding_lines(limits: Sequence[BindingLimit], view: View) -> list[str]:
    """Each limit that binds, by how much, and its place."""
    lines = []
    for limit in limits:
        lines += cited(f"binds: {limit.clause}", "" if limit.note else view.cite(limit.place), view)
        reach = "could ever reach" if limit.ever else "can reach now"
        room = f"{reach} {limit.reachable.text}" if limit.reachable.value >= 0 else "above the limit already"
        gap = f"needs {limit.needed.text}, {room}: {limit.short.text} too few"
        lines += paragraph(gap, view, "    ", "    ")
        if limit.note:
            lines += cited(limit.note, view.cite(limit.place), view, "    ", "    ")
    return lines


def victim_lines(answer: Answer[PlanDetail], view: View) -> list[str]:
    """The victims in order, each with its rule; then candidates that are not needed."""
    columns = (Column("#"), *_columns("VICTIM", answer.held_in[0]))
    rows = [Row((str(i), *_cells(victim)), below=victim.because) for i, victim in enumerate(answer.victims, 1)]
    returned = [_name(each.key) for each in answer.spared if each.put_back]
    lines = long_table(columns, rows, view) if rows else []
    return [*lines, *long_list("  not needed as victims: ", returned, view)]


def spared_blocks(answer: Answer[PlanDetail], view: View) -> Iterator[Block]:
    """Candidates that are not preempted, and queues without candidates; nothing if no victim would help."""
    if answer.computed is Outcome.NEVER:
        return
    candidates = [Row(_cells(each), below=each.because) for each in answer.spared if not each.put_back]
    if candidates:
        yield long_table(_columns("NOT PREEMPTED", answer.held_in[1]), candidates, view)
    if answer.unasked:
        queues = [Row((each.queue, _amounts(each.holds), each.because)) for each in answer.unasked]
        yield long_table(_UNASKED, queues, view)


def _columns(title: str, held_in: str) -> tuple[Column, ...]:
    return (
        Column(title, right=False),
        Column(held_in, right=False, kept=False, folds=True),
        Column("PRIORITY"),
        Column("HOLDS"),
        Column("RULE", right=False, kept=False, folds=True),
    )


def _cells(of: Victim | Spared) -> tuple[str, str, str, str, str]:
    held = of.frees if isinstance(of, Victim) else of.holds
    return _name(of.key), of.queue, str(of.priority), _amounts(held), of.rule


def _name(key: ObjectKey) -> str:
    return f"{key.namespace}/{key.name}"


def _amounts(amounts: Iterable[Amount]) -> str:
    return ", ".join(f"{amount.text} {amount.resource}" for amount in amounts)


def remedy_lines(remedies: Sequence[TriedChange], view: View) -> list[str]:
    """Changes that would help, and who can make each; each was simulated."""
    lines = ["  would help (each was tried)"] if remedies else []
    for remedy in remedies:
        lines += cited(remedy_text(remedy), view.cite(remedy.place), view, "     ", "       ")
    return lines


def remedy_text(remedy: TriedChange) -> str:
    """The change, what it leads to, and who can make it."""
    return f"{remedy.change}: {remedy.result} ({_WHO[remedy.maker]})"


def hold_lines(holds: Sequence[Hold], view: View) -> list[str]:
    """What holds the workload besides quotas, each with its field."""
    lines = ["  what else holds it"] if holds else []
    for hold in holds:
        lines += cited(hold.sentence, view.cite(hold.place), view, "     ", "       ")
    return lines


def _check_lines(answer: Answer[PlanDetail], view: View) -> list[str]:
    checks = [f"{check.kind} {check.name}" for check in answer.checks]
    return wrapped_items("  then needs: ", checks, view.width) if checks else []
