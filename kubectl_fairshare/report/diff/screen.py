"""A change of policy on a terminal: the verdict first and last, then each section that has something to say."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.answers.diff import Diff, FieldChange, FigureChange, OutcomeChange, RepositoryDiff
from kubectl_fairshare.answers.fidelity import Fidelity, merged_fidelity
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.review import Exposure
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.report.diff import words
from kubectl_fairshare.report.diff.grouped import GroupedRow, grouped
from kubectl_fairshare.report.printable import Block
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import SIGN, change_lines, exactness
from kubectl_fairshare.report.text.listing import long_table, rest, shown_items
from kubectl_fairshare.report.text.paragraph import cited, ended, paragraph
from kubectl_fairshare.report.text.table import fits, folded
from kubectl_fairshare.report.text.view import View

_FIELDS: Final = (
    Column("CHANGED", right=False),
    Column("FIELD", right=False),
    Column("WAS"),
    Column("NOW"),
    Column("", right=False, kept=False, rank=1),
)
_FIGURES: Final = (
    Column("QUEUE", right=False),
    Column("RESOURCE", right=False),
    Column("GUARANTEED"),
    Column("ENTITLED, ALL BUSY"),
    Column("MOST EVER"),
    Column("", right=False, kept=False),
)
_TITLES: Final = ("guaranteed", "entitled", "most ever")
_PENDING: Final = (
    Column("WAITING", right=False),
    Column("BEFORE", right=False),
    Column("NOW", right=False),
)
_NAMED: Final = 4
_FAILED: Final[tuple[str, Tone]] = ("✘", "never")
_SAME: Final[tuple[str, Tone]] = ("✔", "good")
_CHANGED: Final[tuple[str, Tone]] = ("·", "strong")
"""Workloads of a group that are named on a screen."""


def screen(diff: Diff, view: View) -> str:
    """The whole answer."""
    return blocks_text(
        [
            _opening(diff, view),
            _fields(diff, view),
            _figures(diff, view),
            _risks(diff, view),
            _outcomes(diff, view),
            _findings(diff, view),
            _undecided(diff, view),
            _closing(diff, view),
        ]
    )


def repository_screen(of: RepositoryDiff, view: View) -> str:
    """The verdict of all units, then the answer for each that differs, then the verdict again."""
    mark, tone = _FAILED if of.failed or of.unread else _SAME if of.is_empty else _CHANGED
    verdict = words.repository_verdict(of)
    parts = [[view.paint(tone, line) for line in folded(f"{mark} {verdict}", view.width, "  ")]]
    same = [name for part in of.parts if part.diff.is_empty for name in part.units]
    if same:
        parts[0] += paragraph(f"no change: {words.few(same)}", view, tone="dim")
    if of.unbuilt:
        clauses = f"not compared, as the change leaves it as it is: {words.few(of.unbuilt)}"
        parts[0] += paragraph(clauses, view, tone="dim")
    text = blocks_text(parts)
    for part in of.parts:
        if not part.diff.is_empty:
            text += f"\n{view.paint('strong', words.unit_title(part))}\n{screen(part.diff, view)}"
    return text + "\n" + "\n".join(_repository_closing(of, view)) + "\n"


def _repository_closing(of: RepositoryDiff, view: View) -> Block:
    fidelity = merged_fidelity([part.diff.fidelity for part in of.parts])
    tone: Tone = "never" if of.failed or of.unread else "good" if of.gates or of.is_empty else _CHANGED[1]
    gates = ", ".join(gate.value for gate in of.failed or of.gates)
    verdict = f"{'gate failed' if of.failed else 'gates passed'}: {gates}" if of.gates else words.repository_verdict(of)
    if of.failed:
        failing = [name for part in of.parts if part.diff.failed for name in part.units]
        verdict += f" (in {words.few(failing)})"
    undecided = any(part.diff.undecided for part in of.parts)
    lines = folded(f"{SIGN} {verdict} · {_exactness(fidelity, undecided=undecided)}", view.width - 8, "  ")
    closing = ended([view.paint(tone, line) for line in lines], f"exit {of.exit_code}", "dim", view)
    return [*change_lines(fidelity, view), *closing]


def _exactness(fidelity: Fidelity, *, undecided: bool) -> str:
    return exactness(fidelity) + (" but for what is undecided" if undecided and fidelity.settled else "")


def _opening(diff: Diff, view: View) -> Block:
    mark, tone = _FAILED if diff.failed else _SAME if diff.is_empty else _CHANGED
    lines = [view.paint(tone, line) for line in folded(f"{mark} {words.verdict(diff)}", view.width, "  ")]
    names = f"{diff.versions.before} → {diff.versions.after}"
    work = f"{diff.versions.running:,} running, {diff.versions.pending:,} waiting"
    return [*lines, *paragraph(f"{names} · {work}", view, tone="dim")]


def _fields(diff: Diff, view: View) -> Block:
    rows = [GroupedRow(Row(_field_cells(each)), _field_sentence(each), words.field_place(each)) for each in diff.fields]
    lines = grouped(_FIELDS, rows, view, tabular=all(map(words.is_short, diff.fields)))
    if diff.rewritten:
        counted = f"({count(diff.rewritten, 'field')} written in another way, without effect)"
        lines = [*lines, *paragraph(counted, view, tone="dim")]
    return lines


def _field_cells(each: FieldChange) -> tuple[str, ...]:
    return str(each.object), each.field or "(object)", *words.values(each), words.field_place(each)


def _field_sentence(each: FieldChange) -> str:
    return f"{each.field or '(object)'}: {words.value_sentence(each)}"


def _figures(diff: Diff, view: View) -> Block:
    return grouped(_FIGURES, [_figure_row(each) for each in diff.figures], view)


def _figure_row(each: FigureChange) -> GroupedRow:
    entitled = each.row
    resource = f"{entitled.resource} in {entitled.pool}" if entitled.pool else entitled.resource
    figures = tuple(words.arrow(each, figure) for figure in words.FIGURES)
    trends = {words.trend(each, figure) for figure in words.FIGURES} - {""}
    tone: Tone = "never" if trends == {"▼"} else "good" if trends == {"▲"} else ""
    mark = "".join(sorted(trends))
    named = ", ".join(f"{title} {figure}" for title, figure in zip(_TITLES, figures, strict=True))
    return GroupedRow(Row((words.name(entitled.queue), resource, *figures, mark), tone), f"{resource}: {named} {mark}")


def _risks(diff: Diff, view: View) -> Block:
    lines: list[str] = []
    for title, risks in (
        ("RUNNING, AT RISK", [risk for risk in diff.risks if risk.gained]),
        ("RUNNING, SAFER", [risk for risk in diff.risks if not risk.gained]),
    ):
        if not risks:
            continue
        lines.append(view.paint("dim", f"  {title}"))
        for risk in shown_items(risks, view):
            lines += paragraph(words.risk_sentence(risk), view, "  ", "    ", "never" if risk.gained else "good")
            lines += paragraph(_workloads(risk.workloads, view), view, "    ", "    ", "dim")
        lines += rest(risks, view)
    return lines


def _workloads(workloads: Sequence[Exposure], view: View) -> str:
    """Some of the workloads, with what they hold."""
    names = []
    for each in workloads if view.wide else workloads[:_NAMED]:
        held = words.amounts_text(each.holds)
        below = f" (without it {words.amounts_text(each.left_below)} below its own)" if each.left_below else ""
        names.append(f"{words.name(each.key)} {held}".strip() + below)
    more = len(workloads) - len(names)
    return " · ".join(names) + (f" · and {more} more (-o wide shows all)" if more else "")


def _outcomes(diff: Diff, view: View) -> Block:
    if not diff.outcomes:
        return []
    rows = [_outcome_row(each) for each in diff.outcomes]
    if view.wide or fits(_PENDING, rows, view, "  "):
        return long_table(_PENDING, rows, view)
    lines = [view.paint("dim", f"  {_PENDING[0].title}")]  # the cell that differs is not cut
    for row in shown_items(rows, view):
        lines += paragraph(f"{row.cells[0]}: {' → '.join(row.cells[1:])}", view, "  ", "    ", row.tone)
        lines += paragraph(row.below, view, "    ", "    ", "dim") if row.below else ()
    return [*lines, *rest(rows, view)]


def _outcome_row(each: OutcomeChange) -> Row:
    lost = each.lost or each.never
    causes = "" if each.after is None or not lost else "; ".join(_clauses(each))
    name = f"{words.name(each.key)}{' (has run)' if each.finished else ''}"
    cells = (name, words.decision_text(each.before), words.decision_text(each.after))
    return Row(cells, "never" if lost else "wait" if each.in_doubt else "good", causes)


def _clauses(each: OutcomeChange) -> Iterable[str]:
    for cause in each.after.causes if each.after is not None else ():
        where = words.place(cause.at)
        yield f"binds: {cause.clause}" + (f" ({where})" if where else "")


def _findings(diff: Diff, view: View) -> Block:
    lines: list[str] = []
    for title, found in (("new", diff.new_findings), ("gone", diff.gone_findings)):
        for each in shown_items(found, view):
            text = f"{title} {each.severity}[{each.rule}] {each.message}"
            lines += cited(text, words.place(each.at), view)
        lines += rest(found, view)
    return [view.paint("dim", "  FINDINGS"), *lines] if lines else []


def _undecided(diff: Diff, view: View) -> Block:
    lines: list[str] = []
    for why, group in groupby(sorted(diff.undecided, key=lambda each: each.why), key=lambda each: each.why):
        names = words.few([each.about for each in group])
        lines += paragraph(f"{names}: {why}", view, "  ", "    ", "wait")
    return [view.paint("dim", "  UNDECIDED"), *lines] if lines else []


def _closing(diff: Diff, view: View) -> Block:
    tone: Tone = "never" if diff.failed else "good" if diff.gates else _SAME[1] if diff.is_empty else _CHANGED[1]
    gates = ", ".join(gate.value for gate in diff.failed or diff.gates)
    verdict = f"{'gate failed' if diff.failed else 'gates passed'}: {gates}" if gates else words.verdict(diff)
    text = f"{SIGN} {verdict} · {_exactness(diff.fidelity, undecided=bool(diff.undecided))}"
    code = f"exit {int(bool(diff.failed))}"
    lines = [view.paint(tone, line) for line in folded(text, view.width - 8, "  ")]
    return [*change_lines(diff.fidelity, view), *ended(lines, code, "dim", view)]
