"""A change of policy as the comment of a pull request: what a reviewer needs in twenty lines, the rest folded.

Names and values are whole. The first lines are the verdict, the queues that lose or gain, running work at risk, waiting
work that is decided otherwise, and what is not decided; tables, findings and the change back are folded.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.diff import (
    Diff,
    FigureChange,
    OutcomeChange,
    RepositoryDiff,
    RiskChange,
    RuleFinding,
    UnitDiff,
)
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.review import Exposure
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.diff import words
from kubectl_fairshare.report.markdown import plain, prose
from kubectl_fairshare.report.text.clean import printable

_MOST: Final = 20
"""Rows of a table in a pull request."""
_SHOWN: Final = 3
"""Items of a list that are not folded."""
_GRAVE: Final = frozenset({Severity.ERROR, Severity.WARNING})
_TITLES: Final = {"guaranteed": "guaranteed", "entitled": "entitled when all are busy", "most": "most ever"}


def markdown(diff: Diff) -> str:
    """The whole answer, as GitHub's and GitLab's Markdown."""
    return "\n\n".join((_verdict(diff), *_parts(diff))) + "\n"


def repository_markdown(of: RepositoryDiff) -> str:
    """One comment for all units: the verdict of all of them, then each that differs."""
    mark = "❌" if of.failed or of.unread else "✅" if of.is_empty else "⚠️"
    parts = [f"### {mark} {plain(words.repository_verdict(of))}{_gates(of.failed)}"]
    if of.unread:
        parts.append("\n".join(f"- not compared: {plain(each)}" for each in of.unread))
    same = [name for part in of.parts if part.diff.is_empty for name in part.units]
    parts += [f"No change: {_names(same)}."] if same else []
    for title, clauses in (("Not compared, as the change leaves it as it is", of.unbuilt), ("Not read", of.notes)):
        if clauses:
            parts.append(_fold(title, "\n".join(f"- {plain(each)}" for each in clauses)))
    changed = [part for part in of.parts if not part.diff.is_empty]
    for part in changed:
        verdict = f": {plain(words.verdict(part.diff))}" if len(changed) > 1 else ""
        parts += [f"#### {_unit(part)}{verdict}", *_parts(part.diff)]
    return "\n\n".join(parts) + "\n"


def _unit(part: UnitDiff) -> str:
    which = " (new)" if part.new else " (gone)" if part.gone else ""
    return ", ".join(f"`{_code(name)}`" for name in part.units[:_MOST]) + which


def _gates(failed: Sequence[str]) -> str:
    return f"\n\nGates that fail: {', '.join(f'`{_code(str(gate))}`' for gate in failed)}." if failed else ""


def _verdict(diff: Diff) -> str:
    mark = "❌" if diff.failed else "✅" if diff.is_empty else "⚠️" if _is_risky(diff) else "ℹ️"
    return f"### {mark} {plain(words.verdict(diff))}{_gates(diff.failed)}"


def _parts(diff: Diff) -> list[str]:
    work = f"{diff.versions.running:,} running and {diff.versions.pending:,} waiting workloads"
    names = f"`{_code(diff.versions.before)}` → `{_code(diff.versions.after)}`"
    by = f"decided as {diff.fidelity.scheduler} does ({plain(diff.fidelity.version)})"
    shown = (*_queues(diff), *_at_risk(diff), *_waiting(diff), *_undecided(diff), *_new_findings(diff))
    return [f"{names}, {by}, with {work}.", *shown, *_folded(diff)]


def _is_risky(diff: Diff) -> bool:
    """Whether a queue has less, something can go wrong, or is not decided."""
    work = diff.at_risk or diff.lost or diff.never or diff.undecided or diff.new_findings
    return bool(words.blast_radius(diff).losing or work)


def _queues(diff: Diff) -> Iterator[str]:
    """The queues that lose and that gain, each with the figures."""
    blast = words.blast_radius(diff)
    lines = [
        f"- {title}: {_rights_of(queue, diff)}"
        for title, queues in (("loses", blast.losing), ("gains", blast.gaining))
        for queue in queues
    ]
    if lines:
        yield _listed("**Queues**", lines)


def _rights_of(queue: str, diff: Diff) -> str:
    """A queue with the figures that differ, a resource after the other; of one that has them in one version its own."""
    own = [each for each in diff.figures if words.name(each.row.queue) == queue]
    there, gone = (all(getattr(each, side) is None for each in own) for side in ("before", "after"))
    if there or gone:
        held = (f"{_resource(each)} ({words.amount_text(each, 'guaranteed', after=there)} guaranteed)" for each in own)
        return f"`{_code(queue)}`, {'all of ' if gone else ''}{plain('; '.join(held))}"
    resources = "; ".join(plain(f"{_resource(each)} {_arrows(each)}") for each in own)
    return f"`{_code(queue)}`, {resources}"


def _resource(of: FigureChange) -> str:
    return f"{of.row.resource} in {of.row.pool}" if of.row.pool else of.row.resource


def _arrows(of: FigureChange) -> str:
    pairs = ((title, words.arrow(of, figure)) for figure, title in _TITLES.items())
    return ", ".join(f"{title} {arrow}" for title, arrow in pairs if "→" in arrow)


def _at_risk(diff: Diff) -> Iterator[str]:
    """Running work that more queues may take: what it holds, whose it is, who may take it and by which rule."""
    lines = [_risk_line(work, risk) for risk in diff.at_risk for work in risk.workloads]
    if lines:
        blast = words.blast_radius(diff)
        holds = ", ".join(f"{each.text} {each.resource}" for each in blast.amounts)
        sums = f"{count(blast.workloads, 'workload')}, {count(blast.pods, 'pod')}, {plain(holds)}"
        yield _listed(f"**Running work at risk**: {sums}", lines)


def _risk_line(work: Exposure, risk: RiskChange) -> str:
    held = words.amounts_text(work.holds)
    owner = f"queue {risk.queue}, priority {work.priority}, {count(work.pods, 'pod')}"
    also = "also by" if risk.before else "by"
    takers = f"may be preempted {also} {words.takers_text(risk.gained)}"
    return f"- `{_code(words.name(work.key))}` ({plain(owner)}): {plain(held)}; {plain(takers)}"


def _waiting(diff: Diff) -> Iterator[str]:
    """Waiting work that is decided otherwise, or for which others have to go; work with the same fate together."""
    fates: dict[tuple[bool, str, str], list[ObjectKey]] = {}
    for each in diff.outcomes:
        worse = each.lost or each.never
        clause, where = _cause(each)
        fates.setdefault((not worse, words.outcome_sentence(each) + clause, where), []).append(each.key)
    lines = [
        f"- {plain(words.names_in_short(keys))}: {plain(what)}" + (f" (`{_code(where)}`)" if where else "")
        for (_, what, where), keys in sorted(fates.items())
    ]
    if lines:
        yield _listed("**Waiting work decided otherwise**", lines)


def _cause(of: OutcomeChange) -> tuple[str, str]:
    """What keeps a workload out, and its line; empty where it gets in."""
    causes = of.after.causes if of.after is not None and (of.lost or of.never) else ()
    return (f": {causes[0].clause}", words.place(causes[0].at)) if causes else ("", "")


def _undecided(diff: Diff) -> Iterator[str]:
    if diff.undecided:
        by_reason: dict[str, list[str]] = {}
        for each in diff.undecided:
            by_reason.setdefault(each.why, []).append(each.about)
        yield _listed("**Not decided**", [f"- {plain(', '.join(of))}: {plain(why)}" for why, of in by_reason.items()])


def _new_findings(diff: Diff) -> Iterator[str]:
    """New errors and warnings; other findings are folded."""
    found = [f"- {_finding(each)}" for each in diff.new_findings if each.severity in _GRAVE]
    if found:
        yield _listed("**New findings**", found)


def _finding(of: RuleFinding) -> str:
    where = words.place(of.at)
    return prose(f"{of.severity} {of.rule}: {of.message}") + (f" (`{_code(where)}`)" if where else "")


def _listed(title: str, lines: Sequence[str]) -> str:
    """A title with its list, of which all but the first items are folded."""
    if len(lines) <= _SHOWN + 1:
        return "\n".join((title, *lines))
    more = _cut([line.removeprefix("- ") for line in lines[_SHOWN:]], "- ")
    shown = "\n".join((title, *lines[:_SHOWN]))
    return f"{shown}\n\n{_fold(f'{len(lines) - _SHOWN} more', more)}"


def _cut(items: Sequence[str], start: str) -> str:
    lines = [f"{start}{each}" for each in items[:_MOST]]
    return "\n".join((*lines, *([f"{start}… and {len(items) - _MOST} more"] if len(items) > _MOST else [])))


def _fold(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{text}\n</details>"


def _folded(diff: Diff) -> Iterator[str]:
    """Tables, findings and the change back."""
    if diff.figures:
        rows = [
            (words.name(each.row.queue), _resource(each), *(_figure(each, figure) for figure in words.FIGURES))
            for each in diff.figures
        ]
        yield _fold("Rights", _table(("queue", "resource", "guaranteed", "entitled, all busy", "most ever"), rows))
    advice = [each for each in diff.new_findings if each.severity not in _GRAVE]
    if advice or diff.gone_findings:
        items = [f"new {_finding(each)}" for each in advice] + [f"gone {_finding(each)}" for each in diff.gone_findings]
        counted = (("new", len(advice)), ("gone", len(diff.gone_findings)))
        title = ", ".join(f"{number} {which}" for which, number in counted if number)
        yield _fold(f"Findings: {title}", _cut(items, "- "))
    yield from _changed(diff)
    if not diff.is_empty:
        back = words.verdict(diff.mirrored())
        text = f"Revert the commit and sync. The change back: {plain(back)}. "
        yield _fold("Rollback", f"{text}Workloads that were preempted meanwhile wait in their queues and start again.")


def _figure(of: FigureChange, figure: str) -> str:
    return f"{words.arrow(of, figure)} {words.trend(of, figure)}".strip()


def _changed(diff: Diff) -> Iterator[str]:
    rows = [
        (str(each.object), each.field or "(object)", *words.values(each), words.field_place(each))
        for each in diff.fields
    ]
    rewritten = f"{count(diff.rewritten, 'field')} written in another way, without effect." if diff.rewritten else ""
    if rows:
        table = _table(("object", "field", "was", "now", "where"), rows)
        yield _fold(count(len(rows), "changed field"), f"{table}\n\n{rewritten}" if rewritten else table)
    elif rewritten:
        yield rewritten


def _names(texts: Sequence[str]) -> str:
    """How many there are, and their names."""
    shown = ", ".join(f"`{_code(text)}`" for text in texts[:_MOST]) + (" …" if len(texts) > _MOST else "")
    return f"{len(texts)}: {shown}" if texts else "none"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(titles)} |", f"|{' --- |' * len(titles)}"]
    lines += [f"| {' | '.join(map(plain, row))} |" for row in rows[:_MOST]]
    if len(rows) > _MOST:
        lines.append(f"\n… and {len(rows) - _MOST} more.")
    return "\n".join(lines)


def _code(text: str) -> str:
    return printable(text).replace("`", "ˋ").replace("|", "\\|")
