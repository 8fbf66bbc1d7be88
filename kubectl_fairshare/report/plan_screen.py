"""The answer to ``plan`` as text for people: the screen, in short, and as Markdown.

Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Answer, PossibleOutcome
from kubectl_fairshare.answers.blocks import Block, Entries, Group, Items, Remark, unfolded
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.plan_blocks import (
    binding_blocks,
    hold_blocks,
    name_of,
    remedy_blocks,
    remedy_text,
    spared_groups,
    victim_blocks,
    victim_cells,
)
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.report.brief import brief_limits, brief_remedies, brief_text
from kubectl_fairshare.report.need_parts import need_blocks
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.heading import gap_lines
from kubectl_fairshare.report.text.outcome import MARKS, outcome_lines
from kubectl_fairshare.report.text.view import View

_MARKDOWN: Final = ("priority", "holds", "rule", "because")
_NAMED_VICTIMS: Final = 4


def plan_screen(answer: Answer[PlanDetail], view: View) -> str:
    """The screen of one answer: the verdict is its first line and its last."""
    detail = answer.detail
    groups: list[Group] = [
        [Items("  ", [f"{each.kind} {each.name}".strip() for each in answer.route], " → ")],
        *detail.reasons(),
        need_blocks([part for need in answer.needs for part in need.parts]),
        binding_blocks(answer.binding),
        victim_blocks(answer),
        *spared_groups(answer),
        *detail.findings(),
        remedy_blocks(answer.remedies),
        [Items("  then needs: ", [f"{check.kind} {check.name}" for check in answer.checks], " · ")],
        hold_blocks(answer.holds),
        [Remark(f"tie: {tie.text}") for tie in answer.ties],
        _possible_blocks(answer),
        [*_turn_blocks(answer)],
        *detail.records(),
    ]
    opening = outcome_lines(answer.outcome, answer.exit_code, answer.verdict, answer.computed_verdict, view)
    first, *others = (lines_of(group, view) for group in groups)
    last = [*gap_lines(answer.fidelity, view), *plan_closing(answer, view)]
    return blocks_text([[*opening, *first], *others, last])


def plan_closing(answer: Answer[PlanDetail], view: View) -> list[str]:
    """The last line of one answer; assumptions about the moment are on a line before it."""
    lines = [view.paint("dim", f"computed {answer.assumed}")] if answer.assumed else []
    return [*lines, *_closing(answer, view)]


def _turn_blocks(answer: Answer[PlanDetail]) -> Iterator[Block]:
    """The end after the workloads that wait before it."""
    turn = answer.in_turn
    if turn is None:
        return
    waits = "waits gets" if turn.first == 1 else "wait get"
    first = f"{turn.first} that {waits} in first; then: " if turn.first else ""
    yield Remark(f"in turn: {first}{turn.verdict}")
    if turn.doubts:
        yield Remark(f"not exact: {'; '.join(turn.doubts)}")


def _possible_blocks(answer: Answer[PlanDetail]) -> Group:
    """A line for each outcome that ties, or moments, allow."""
    if len(answer.possible) < 2:
        return []
    why = "" if answer.fidelity.defined else ", and left to chance"
    label = unfolded(f"possible{why} ({len(answer.possible)}):")
    return [label, Entries(answer.possible, lambda each: [Remark(_end_text(each), first="    ", more="      ")])]


def _end_text(of: PossibleOutcome) -> str:
    where = f" ({of.where})" if of.where else ""
    victims = f": {', '.join(map(name_of, of.victims))}" if of.victims else ""
    return f"{of.verdict}{where}{victims}"


def _closing(answer: Answer[PlanDetail], view: View) -> list[str]:
    verdict, tone = answer.verdict.partition(": ")[0], MARKS[answer.outcome][1]
    code = f"exit {answer.exit_code}"
    return closing_lines(verdict, tone, answer.fidelity, answer.context, view, code)


def plan_brief(answer: Answer[PlanDetail], view: View, commands: Sequence[str], *, named: bool) -> str:
    """The verdict, what binds, the victims, the best remedy, the next command; ``named``: of which job."""
    mark, tone = MARKS[answer.outcome]
    name = f"{name_of(answer.subject.source or answer.subject.key)}: " if named else ""
    computed = [answer.computed_verdict] if answer.outcome is Outcome.UNKNOWN and answer.computed_verdict else []
    names = some_of([name_of(victim.key) for victim in answer.victims], _NAMED_VICTIMS)
    victims = [f"preempts: {names}"] if names else []
    said = [f"{mark} {name}{answer.verdict}", *computed, *brief_limits(answer.binding, view), *victims]
    said += brief_remedies(answer.remedies)
    return brief_text(said, tone, commands, _closing(answer, view), view)


def plan_markdown(answer: Answer[PlanDetail], view: View) -> str:
    """One answer for a ticket or a pull request."""
    stations = " → ".join(f"{each.kind} {each.name}".strip() for each in answer.route)
    from kubectl_fairshare.report.markdown import code, md_table, md_text, prose

    lines = [f"**{MARKS[answer.outcome][0]} {prose(answer.verdict)}**", "", prose(stations), ""]
    if answer.victims:
        rows = [(*victim_cells(victim, answer.pooled), victim.because) for victim in answer.victims]
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
