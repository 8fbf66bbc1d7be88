"""What one scheduling cycle does, as a screen."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.heading import gap_lines, release_lines
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import paragraph, unfolded
from kubectl_fairshare.report.text.table import Column, Row, table, wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.explain.cycle import CycleOutcome
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import SecondPass
from kubectl_fairshare.schedulers.kueue.words import messages as kueue_messages
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message, refusal_sentence
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause, sentence

_TONES: Final[Mapping[HeadStatus, Tone]] = {HeadStatus.ASSUMED: "good", HeadStatus.INADMISSIBLE: "never"}
_ENDS: Final[Mapping[HeadStatus, str]] = {
    HeadStatus.EVICTED: "evicted: no place for the pods of a lost node",
    HeadStatus.INADMISSIBLE: "inadmissible",
    HeadStatus.SKIPPED: "skipped",
    HeadStatus.GATED: "preemption gate closed",
}
_INDENT: Final = "   "


def cycle_screen(report: CycleOutcome, view: View) -> str:
    """The heads in the order in which Kueue takes them, and the outcome of each. Kueue's messages are not folded."""
    entries = report.round.entries
    again = sum(entry.nomination.second is not None for entry in entries)
    counts = f"1 cycle, {count(len(entries) - again, 'head')} of {sum(report.waiting.values())} waiting"
    counts += f", {again} for a new place" if again else ""
    parts = ("fair sharing" if report.fair else "classical", counts)
    lines = [*release_lines(parts, report.fidelity, view), *gap_lines(report.fidelity, view), ""]
    if not entries:
        nothing = view.paint("dim", "no workload waits in an active queue")
        return "\n".join([*lines, nothing, *_left_out(report, view)]) + "\n"
    columns = (
        Column("#"),
        Column("WORKLOAD", right=False),
        Column("CLUSTERQUEUE", right=False),
        *((Column("PRIORITY"), Column("MODE", right=False)) if view.wide else ()),
        Column("OUTCOME", right=False),
    )
    titles, *rows = table(columns, [_row(i, e, report, wide=view.wide) for i, e in enumerate(entries, 1)], view)
    lines.append(titles)
    for row, entry in zip(rows, entries, strict=False):
        lines += [row, *_details(entry, report, view)]
    lines += [*rows[len(entries) :], *_stop(report, view)]
    return "\n".join([*lines, *_behind(report, view), *_left_out(report, view), *_ties(report, view)]) + "\n"


def _row(number: int, entry: ProcessedHead, report: CycleOutcome, *, wide: bool) -> Row:
    nomination = entry.nomination
    cells = (str(number), nomination.workload.name, nomination.cluster_queue or "none")
    more = (str(nomination.workload.priority), entry.mode) if wide else ()
    outcome = report.outcomes.get(nomination.workload.key, Outcome.WAITS)
    tone = "never" if outcome is Outcome.NEVER else _TONES.get(entry.status, "wait")
    return Row((*cells, *more, _outcome(entry, outcome)), tone)


def _outcome(entry: ProcessedHead, outcome: Outcome) -> str:
    """What the cycle did with a head, in a few words."""
    again = entry.nomination.second
    if again is not None and (entry.status is HeadStatus.ASSUMED or (again.anew and not entry.preempts)):
        return _second_outcome(entry, again)
    if entry.status is HeadStatus.ASSUMED:
        return f"admitted ({_flavors(entry)})"
    if entry.law is Law.SCHEDULER_CRASH:
        return "not considered"
    if entry.status in _ENDS:
        return _ENDS[entry.status]
    if entry.deferred:
        return f"fits after the preemptions for others ({_flavors(entry)})"
    if entry.law is Law.PODS_READY_FIRST:
        return f"waits for the pods of others ({_flavors(entry)})"
    if entry.preempts:
        return f"preempts {count(len(entry.targets), 'workload')} ({_flavors(entry)})"
    return {Outcome.NEVER: "can never fit", Outcome.UNKNOWN: "unknown"}.get(outcome, "waits")


def _second_outcome(entry: ProcessedHead, again: SecondPass) -> str:
    """What the cycle did with a workload that holds quota."""
    if again.anew:
        return f"{'waits' if again.holder.admitted is None else 'runs on'}: no place is looked for"
    return f"{'runs on: its pods of a lost node move' if again.unhealthy else 'admitted'} ({_flavors(entry)})"


def _flavors(entry: ProcessedHead) -> str:
    """The flavors that the head gets, each once."""
    assignment = entry.nomination.assignment
    found = (
        {flavor for p in assignment.pod_sets for flavor, _ in p.flavors.values()} if assignment is not None else set()
    )
    return ", ".join(sorted(found)) or "no requests"


def _details(entry: ProcessedHead, report: CycleOutcome, view: View) -> list[str]:
    """The victims and why, then Kueue's reason and message, to the letter."""
    lines = []
    if entry.preempts:
        clauses = (f"victim {t.holder.name} in {t.holder.cluster_queue}: {t.reason}" for t in entry.targets)
        lines += [unfolded(clause, _INDENT) for clause in clauses]
    if entry.reason:
        lines.append(view.paint("dim", f"{_INDENT}{_kueue_text(entry, report.reason_of(entry))}"))
    return lines


def _kueue_text(entry: ProcessedHead, reason: str) -> str:
    """Kueue's reason and message for a head that it does not admit."""
    refused, refusal = entry.nomination.refused, entry.nomination.workload.refusal
    message = kueue_messages.entry_message(entry)
    if refused is not None and refused.law is Law.WORKLOAD_REFUSED and refusal is not None:
        message = refusal_message(refusal) or refusal_sentence(refusal)
    return ": ".join(filter(None, (reason, message)))


def _stop(report: CycleOutcome, view: View) -> list[str]:
    """Why no head is considered, if the manager dies of one."""
    stops = (e.nomination.refused for e in report.round.entries if e.law is Law.SCHEDULER_CRASH)
    refused = next(stops, None)
    return [] if refused is None else ["", *paragraph(sentence(refused), view, "", "", "never")]


def _behind(report: CycleOutcome, view: View) -> list[str]:
    """The workloads that the cycle does not consider, because others are ahead of them."""
    heads = {e.nomination.cluster_queue for e in report.round.entries}
    rest = [f"{n - 1} in {q}" for q, n in sorted(report.waiting.items()) if q in heads and n > 1]
    lines = wrapped_items("behind the heads, not considered: ", rest, view.width, ", ")
    lines += [unfolded(f"{later.name} is behind {head.name}", "") for later, head in report.behind]
    return ["", *(view.paint("dim", line) for line in lines)] if lines else []


def _left_out(report: CycleOutcome, view: View) -> list[str]:
    """The workloads that are in no queue, and why."""
    if not report.left_out:
        return []
    lines = ["", f"in no queue: {count(len(report.left_out), 'workload')}"]
    for workload, refused in shown_items(report.left_out, view):
        lines += paragraph(f"{workload.name}: {refusal_clause(refused, workload)}", view)
    return [*lines, *rest(report.left_out, view)]


def _ties(report: CycleOutcome, view: View) -> list[str]:
    lines: list[str] = []
    for one, other in report.round.ties if report.possible else ():
        text = f"tie: {one} and {other} rank the same, and Kueue does not define which it takes first"
        lines += paragraph(text, view, "", _INDENT, "wait")
    return ["", *lines] if lines else []
