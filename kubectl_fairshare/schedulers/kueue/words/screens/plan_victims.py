"""The part of the plan screen about other workloads: who gives way, who was put back, who was not taken and why."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.report.text.figures import amount
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table, wrapped
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.documents.victims import law_step
from kubectl_fairshare.schedulers.kueue.explain.decision import NotAsked, Plan, Spared
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.words.sentences import RULES, refused_step, sentence, trial_step
from kubectl_fairshare.schedulers.outcome import Outcome

_FOLDABLE: Final = ("QUEUE", "RULE")
LONGEST: Final = 10
"""How many of a list a screen shows unless it is wide."""


def victim_lines(plan: Plan, view: View) -> list[str]:
    """Who gives way, in order, each with its rule; then those that were put back."""
    return [*_targets(plan, _short(plan), view), *_put_back(plan, view)]


def spared_lines(plan: Plan, view: View) -> list[str]:
    """Who was looked at and not taken, and the queues not asked at all; nothing where nobody's going would help."""
    if plan.computed is Outcome.NEVER:
        return []
    blocks = [_refused(plan, _short(plan), view), _not_asked(plan, view)]
    first, second = blocks
    return [*first, *([""] if first and second else []), *second]


def _short(plan: Plan) -> frozenset[FlavorResource]:
    """The flavor-resources that others are asked for."""
    assignment = plan.nomination.assignment
    short = frozenset() if assignment is None else assignment.short
    return short or frozenset(b.pair for b in plan.bindings)


def shown(items: Sequence[object], view: View) -> int:
    """How many of a list to show: all on a wide screen, and where only one would be left out."""
    return len(items) if view.wide or len(items) <= LONGEST + 1 else LONGEST


def rest(items: Sequence[object], view: View) -> list[str]:
    """The line that counts what was left out."""
    left = len(items) - shown(items, view)
    return [view.paint("dim", f"     … and {left} more (-o wide shows all)")] if left else []


def _targets(plan: Plan, pairs: frozenset[FlavorResource], view: View) -> list[str]:
    if not plan.targets:
        return []
    columns = (
        Column("#"),
        Column("GIVES WAY", right=False),
        Column("QUEUE", right=False),
        Column("PRIORITY"),
        Column("HOLDS"),
        Column("RULE", right=False),
    )
    some = plan.targets[: shown(plan.targets, view)]
    rows = [
        Row(
            (
                str(i),
                t.holder.name,
                t.holder.cluster_queue,
                str(t.holder.priority),
                _holds(t.holder, pairs),
                RULES.get(t.trial.law, ""),
            )
        )
        for i, t in enumerate(some, 1)
    ]
    whys = [_why(plan, t) for t in some]
    return [*_reasoned(columns, rows, whys, view), *rest(plan.targets, view)]


def _why(plan: Plan, target: Target) -> str:
    leaving = "; it is being evicted already" if target.holder.evicted else ""
    return f"{target.reason}: {sentence(trial_step(target.trial, plan.names))}{leaving}"


def _reasoned(columns: Sequence[Column], rows: Sequence[Row], whys: Sequence[str], view: View) -> Iterator[str]:
    """The table with a reason below each row; queue and rule go there where lines would become too long."""
    lines = [f"  {line}" for line in table(columns, rows, view)]
    if max(map(len, lines)) > view.width and not view.wide:
        told = [i for i, c in enumerate(columns) if c.title in _FOLDABLE]
        kept = [i for i in range(len(columns)) if i not in told]
        narrow = [Row(tuple(r.cells[i] for i in kept)) for r in rows]
        lines = [f"  {line}" for line in table([columns[i] for i in kept], narrow, view)]
        opening = (", ".join(r.cells[i] for i in told if r.cells[i]) for r in rows)
        whys = [f"{first}: {why}" for first, why in zip(opening, whys, strict=True)]
    return _with_reasons(lines, whys, view)


def _with_reasons(lines: Sequence[str], whys: Sequence[str], view: View) -> Iterator[str]:
    """A table's lines with the reason below each row; one that repeats is written at its first row only."""
    yield lines[0]
    last = ""
    for line, why in zip(lines[1:], whys, strict=True):
        yield line
        if why != last:
            yield from (view.paint("dim", part) for part in paragraph(why, view, "     ", "     "))
        last = why


def _put_back(plan: Plan, view: View) -> list[str]:
    if not plan.put_back:
        return []
    names = [t.holder.name for t in plan.put_back[: shown(plan.put_back, view)]]
    lines = wrapped("  put back, as it fits without: ", names, view.width, ", ")
    return [*lines, *rest(plan.put_back, view)]


def _refused(plan: Plan, pairs: frozenset[FlavorResource], view: View) -> list[str]:
    if not plan.refused:
        return []
    columns = (
        Column("NOT TAKEN", right=False),
        Column("QUEUE", right=False),
        Column("PRIORITY"),
        Column("HOLDS"),
        Column("RULE", right=False),
    )
    some = plan.refused[: shown(plan.refused, view)]
    rows = [_refused_row(r, pairs) for r in some]
    whys = [sentence(refused_step(r)) for r in some]
    return [*_reasoned(columns, rows, whys, view), *rest(plan.refused, view)]


def _refused_row(of: Spared, pairs: frozenset[FlavorResource]) -> Row:
    rule = next((name for law, name in RULES.items() if law == of.law), "")
    return Row((of.holder.name, of.queue, str(of.holder.priority), _holds(of.holder, pairs), rule))


def _not_asked(plan: Plan, view: View) -> list[str]:
    """Queues without candidates, those that hold most first; reasons go below where lines would become too long."""
    if not plan.not_asked:
        return []
    title, holds = Column("NOT ASKED", right=False), Column("HOLDS")
    largest = sorted(plan.not_asked, key=lambda q: (-q.holds[0][1], q.queue))
    some = largest[: shown(plan.not_asked, view)]
    whys = [sentence(law_step(q)) for q in some]
    rows = [Row((q.queue, _held(q), why)) for q, why in zip(some, whys, strict=True)]
    lines = [f"  {line}" for line in table((title, holds, Column("BECAUSE", right=False)), rows, view)]
    if max(map(len, lines)) > view.width and not view.wide:
        lines = [f"  {line}" for line in table((title, holds), rows, view)]
        lines = list(_with_reasons(lines, whys, view))
    return [*lines, *rest(plan.not_asked, view)]


def _held(of: NotAsked) -> str:
    return ", ".join(f"{amount(p.resource, v)} {p.resource}" for p, v in of.holds)


def _holds(holder: Holder, pairs: frozenset[FlavorResource]) -> str:
    """What the workload holds of what is short; of all, when that is nothing."""
    usage = {p: v for p, v in holder.usage.items() if p in pairs} or holder.usage
    return ", ".join(f"{amount(p.resource, v)} {p.resource}" for p, v in sorted(usage.items()))
