"""What a change of policy does, in sentences that the screen, the page and the pull request share."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.diff import (
    Decision,
    Diff,
    FieldChange,
    FigureChange,
    OutcomeChange,
    RepositoryDiff,
    RiskChange,
    UnitDiff,
)
from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.review import Exposure, PossiblePreemptor
from kubectl_fairshare.model.location import Location, ObjectKey
from kubectl_fairshare.model.values import field

FIGURES: Final = ("guaranteed", "entitled", "most")
UNBOUNDED: Final = "unbounded"
_FEW: Final = 3
_ROOM_IN_TABLE: Final = 24
"""Characters of a value that a column of a table has room for."""
_LONGEST: Final = 60
"""Characters of a value that is not searched for anything else."""
_AROUND: Final = 8
"""Characters of a long value that are shown before its first difference."""
_OUTCOMES: Final = {
    Outcome.ADMITTED: "admitted",
    Outcome.PREEMPTS: "admitted, preempts",
    Outcome.WAITS: "waits",
    Outcome.NEVER: "never",
    Outcome.UNKNOWN: "not decided",
}


class BlastRadius(AnswerPart, frozen=True):
    """Whom the change concerns: queues whose rights differ, and running work that others may take now."""

    DOCUMENT = ("queues", "losing", "gaining", "namespaces", "workloads", "pods", "amounts")
    losing: tuple[str, ...]
    gaining: tuple[str, ...]
    queues: tuple[str, ...]
    namespaces: tuple[str, ...]
    workloads: int = field(name="runningWorkloads")
    pods: int = field(name="runningPods")
    amounts: tuple[Amount, ...] = field(name="holds")


def blast_radius(diff: Diff) -> BlastRadius:
    """Whom the change concerns."""
    losing = {name(each.row.queue) for each in diff.figures if any(each.loses(figure) for figure in FIGURES)}
    gaining = {name(each.row.queue) for each in diff.figures if any(_gains(each, figure) for figure in FIGURES)}
    at_risk = [workload for risk in diff.at_risk for workload in risk.workloads]
    namespaces = {workload.key.namespace for workload in at_risk} | {each.key.namespace for each in diff.outcomes}
    queues = losing | gaining | {risk.queue for risk in diff.at_risk}
    return BlastRadius(
        tuple(sorted(losing)),
        tuple(sorted(gaining - losing)),
        tuple(sorted(queues)),
        tuple(sorted(namespaces)),
        len(at_risk),
        sum(workload.pods for workload in at_risk),
        tuple(_sums(at_risk)),
    )


def _gains(of: FigureChange, figure: str) -> bool:
    return of.mirrored().loses(figure)


def _sums(workloads: Iterable[Exposure]) -> Iterator[Amount]:
    """What the workloads hold together, by resource."""
    totals: dict[str, int | float] = {}
    for workload in workloads:
        for each in workload.holds:
            totals[each.resource] = totals.get(each.resource, 0) + each.value
    for resource, total in sorted(totals.items()):
        text = amount(resource, int(total)) if float(total).is_integer() else str(round(total, 3))
        yield Amount(resource, total, text)


def verdict(diff: Diff) -> str:
    """The change in one sentence."""
    return summed_verdict((diff,))


def summed_verdict(diffs: Sequence[Diff], *, one_state: bool = False) -> str:
    """What a change does to several clusters together, in one sentence; ``one_state``: over the work of one of them."""
    if all(diff.is_empty for diff in diffs):
        return "no effect" if any(diff.rewritten for diff in diffs) else "no change"
    blasts = [blast_radius(diff) for diff in diffs]
    parts = []
    losing, gaining = (sum(len(getattr(blast, of)) for blast in blasts) for of in ("losing", "gaining"))
    if losing:
        parts.append(f"{count(losing, 'queue')} {'loses' if losing == 1 else 'lose'}")
    if gaining:
        gainers = count(gaining, "queue") if not parts else str(gaining)
        parts.append(f"{gainers} {'gains' if gaining == 1 else 'gain'}")

    def number(workloads: Iterator[Iterable[ObjectKey]]) -> int:
        return _number(workloads, one_state)

    if at_risk := number((w.key for risk in diff.at_risk for w in risk.workloads) for diff in diffs):
        parts.append(f"{count(at_risk, 'running workload')} may be preempted by more queues")
    if safer := number((w.key for risk in diff.risks if not risk.gained for w in risk.workloads) for diff in diffs):
        parts.append(f"{count(safer, 'running workload')} safer")
    if flips := number((each.key for each in diff.outcomes if not each.finished) for diff in diffs):
        parts.append(f"{count(flips, 'waiting workload')} decided otherwise")
    if never := number((each.key for each in diff.never) for diff in diffs):
        parts.append(f"{never} can never run any more")
    if undecided := sum(len(diff.undecided) for diff in diffs):
        parts.append(f"{undecided} not decided")
    if found := sum(len(diff.new_findings) for diff in diffs):
        parts.append(count(found, "new finding"))
    fields = sum(len(diff.fields) for diff in diffs)
    if not parts and not fields:
        return f"no effect · {count(sum(len(diff.gone_findings) for diff in diffs), 'finding')} gone"
    changed = f"{count(fields, 'field')} changed, nothing decided otherwise"
    nothing = [] if any(map(compares_work, diffs)) else ["no work compared"]
    return " · ".join((*(parts or [changed]), *nothing))


def _number(workloads: Iterable[Iterable[ObjectKey]], one_state: bool) -> int:
    """How many workloads several comparisons name; those of one state are the same in each."""
    found = [frozenset(each) for each in workloads]
    return len(frozenset[ObjectKey]().union(*found)) if one_state else sum(map(len, found))


def compares_work(diff: Diff) -> bool:
    """Whether work runs, waits or has run in what is compared."""
    return bool(diff.versions.running or diff.versions.pending or diff.risks or diff.outcomes)


def repository_verdict(of: RepositoryDiff) -> str:
    """What a change does to the units of a repository, in one sentence; if it is the same for all, to each of them."""
    changed = [part for part in of.parts if not part.diff.is_empty]
    touched = sum(len(part.units) for part in changed)
    where = f"{touched} of {count(of.units, 'unit')}" if touched else count(of.units, "unit")
    if len(changed) == 1 and changed[0].clusters > 1:
        verdict = f"{where}, each: {summed_verdict([changed[0].diff])}"
    else:
        diffs = [part.diff for part in of.parts for _ in range(part.clusters)]
        verdict = f"{where}: {summed_verdict(diffs, one_state=of.one_state)}"
    return f"{verdict} · {count(len(of.unread), 'problem')} left units out" if of.unread else verdict


def unit_title(of: UnitDiff) -> str:
    """Which units a part of the answer is about."""
    names = few(of.units)
    kind = "unit" if len(of.units) == 1 else "units"
    which = " (new)" if of.new else " (gone)" if of.gone else ""
    return f"{kind} {names}{which}"


def name(key: ObjectKey) -> str:
    """An object's name, with its namespace."""
    return f"{key.namespace}/{key.name}" if key.namespace else key.name


def place(at: Location | None) -> str:
    """``source:line``, or object and field in a long line; empty for an object without a text."""
    if at is None:
        return ""
    return at.field or (f"{at.source}:{at.line}" if at.line else at.source)


def values(of: FieldChange, room: int = _LONGEST) -> tuple[str, str]:
    """The value before and after in at most ``room`` characters each: of long ones the part that differs."""
    was, now = of.was, of.now
    if was is None or now is None or max(len(was), len(now)) <= room:
        return _cut(was, 0, room), _cut(now, 0, room)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(was, now, strict=False)))
    start = max(0, alike - _AROUND)
    return _cut(was, start, room), _cut(now, start, room)


def value_sentence(of: FieldChange) -> str:
    """The change of a value in a sentence: of long lists what is added and what is left out."""
    was, now = (text.split(", ") if text else [] for text in (of.was, of.now))
    more, less = [each for each in now if each not in was], [each for each in was if each not in now]
    long = of.was is not None and of.now is not None and max(len(of.was), len(of.now)) > _ROOM_IN_TABLE
    kept = [each for each in was if each in now]
    if long and kept and (more or less):
        return ", ".join((*(f"+ {each}" for each in _first(more)), *(f"− {each}" for each in _first(less))))
    return " → ".join(values(of))


def is_short(of: FieldChange) -> bool:
    """Whether the values fit into columns of a table."""
    return max(len(of.was or ""), len(of.now or "")) <= _ROOM_IN_TABLE


def _first(items: Sequence[str]) -> Sequence[str]:
    left = len(items) - _FEW
    return items if left <= 1 else (*items[:_FEW], f"{left} more")


def _cut(text: str | None, start: int, room: int) -> str:
    """The text from ``start`` on, with dots for what is left out; – where there is none."""
    if text is None:
        return "–"
    shown = f"{'…' * bool(start)}{text[start:]}" or '""'
    return shown if len(shown) <= room else f"{shown[: room - 1]}…"


def field_place(change: FieldChange) -> str:
    """The line of a field now; for a field that is gone, the line before the change."""
    return place(change.now_at or change.was_at)


def amount_text(of: FigureChange, figure: str, *, after: bool) -> str:
    """One figure on one side: – where the queue does not have it."""
    found = of.amounts(figure)[after]
    if found is not None:
        return found.text
    side = of.after if after else of.before
    return UNBOUNDED if figure == "most" and side is not None else "–"


def arrow(of: FigureChange, figure: str) -> str:
    """``12 → 8``, or the one figure that stays."""
    was, now = (amount_text(of, figure, after=after) for after in (False, True))
    return was if was == now else f"{was} → {now}"


def trend(of: FigureChange, figure: str) -> str:
    """Whether the queue has less or more of it."""
    return "▼" if of.loses(figure) else "▲" if of.mirrored().loses(figure) else ""


def decision_text(of: Decision | None) -> str:
    """The outcome of a workload, with those that go for it."""
    if of is None:
        return "–"
    victims = [name(victim.key) for victim in of.victims]
    return f"{_OUTCOMES[of.outcome]} {few(victims)}".strip()


def few(texts: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    more = f" and {len(texts) - _FEW} more" if len(texts) > _FEW + 1 else ""
    return ", ".join(texts if not more else texts[:_FEW]) + more


def takers_text(takers: Sequence[PossiblePreemptor]) -> str:
    """Who may preempt, by rule."""
    by_rule: dict[str, list[str]] = {}
    for taker in takers:
        by_rule.setdefault(taker.rule, []).append(taker.queue)
    return "; ".join(f"{few(queues)} ({rule})" for rule, queues in by_rule.items()) or "no queue"


def amounts_text(amounts: Sequence[Amount]) -> str:
    """Amounts with their resources, in a list."""
    return ", ".join(f"{each.text} {each.resource}" for each in amounts)


def risk_sentence(risk: RiskChange) -> str:
    """Who may preempt work of a queue now, or may not any more."""
    work = f"{count(len(risk.workloads), 'workload')} of {risk.queue}"
    if risk.gained and not risk.before:
        was = "was" if len(risk.workloads) == 1 else "were"
        return f"{work} {was} safe, and may now be preempted by {takers_text(risk.gained)}"
    if risk.gained:
        return f"{takers_text(risk.gained)} can now also preempt {work}"
    return f"{work} may not be preempted any more by {takers_text(risk.lost)}"


def outcome_sentence(change: OutcomeChange) -> str:
    """The outcome of a workload after the change, and before it; its name comes before that."""
    past = "has run before: " if change.finished else ""
    return f"{past}{decision_text(change.before)} → {decision_text(change.after)}"


def names_in_short(keys: Sequence[ObjectKey]) -> str:
    """The first names, and how many there are next to them."""
    shown = ", ".join(map(name, keys[:_FEW]))
    return f"{shown} and {len(keys) - _FEW} more" if len(keys) > _FEW else shown
