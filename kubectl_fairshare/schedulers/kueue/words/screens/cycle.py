"""What one scheduling cycle does, as a screen."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Entries, Group, Items, Layout, Remark, Table, unfolded
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.explain.cycle import CycleOutcome
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, SecondPass
from kubectl_fairshare.schedulers.kueue.words import messages as kueue_messages
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message, refusal_sentence
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause, sentence
from kubectl_fairshare.trace import Step

_TONES: Final[Mapping[HeadStatus, Tone]] = {HeadStatus.ASSUMED: "good", HeadStatus.INADMISSIBLE: "never"}
_ENDS: Final[Mapping[HeadStatus, str]] = {
    HeadStatus.EVICTED: "evicted: no place for the pods of a lost node",
    HeadStatus.INADMISSIBLE: "inadmissible",
    HeadStatus.SKIPPED: "skipped",
    HeadStatus.GATED: "preemption gate closed",
}
_INDENT: Final = "   "


_COLUMNS: Final = (
    Column("#"),
    Column("WORKLOAD", right=False),
    Column("CLUSTERQUEUE", right=False),
    Column("PRIORITY", wide=True),
    Column("MODE", right=False, wide=True),
    Column("OUTCOME", right=False),
)


def cycle_layout(report: CycleOutcome) -> Layout:
    """The heads in the order in which Kueue takes them, and the outcome of each. Kueue's messages are not folded."""
    entries = report.round.entries
    again = sum(entry.nomination.second is not None for entry in entries)
    counts = f"1 cycle, {count(len(entries) - again, 'head')} of {sum(report.waiting.values())} waiting"
    counts += f", {again} for a new place" if again else ""
    opening = ("fair sharing" if report.fair else "classical", counts)
    if not entries:
        return Layout(opening, ([unfolded("no workload waits in an active queue", "dim", "")], _left_out(report)))
    rows = [_row(number, entry, report) for number, entry in enumerate(entries, 1)]
    heads = Table(_COLUMNS, rows, below=[[*_details(entry, report)] for entry in entries])
    return Layout(opening, ([heads], _stop(report), _behind(report), _left_out(report), _ties(report)))


def _row(number: int, entry: ProcessedHead, report: CycleOutcome) -> Row:
    nomination = entry.nomination
    workload = nomination.workload
    outcome = report.outcomes.get(workload.key, Outcome.WAITS)
    cells = (workload.name, nomination.cluster_queue or "none", str(workload.priority), entry.mode)
    tone = "never" if outcome is Outcome.NEVER else _TONES.get(entry.status, "wait")
    return Row((str(number), *cells, _outcome(entry, outcome)), tone)


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


def _details(entry: ProcessedHead, report: CycleOutcome) -> Iterator[Block]:
    """The victims and why, then Kueue's reason and message, to the letter."""
    for target in entry.targets if entry.preempts else ():
        victim = target.holder
        yield unfolded(f"victim {victim.name} in {victim.cluster_queue}: {target.reason}", indent=_INDENT)
    if entry.reason:
        yield unfolded(_kueue_text(entry, report.reason_of(entry)), "dim", _INDENT)


def _kueue_text(entry: ProcessedHead, reason: str) -> str:
    """Kueue's reason and message for a head that it does not admit."""
    refused, refusal = entry.nomination.refused, entry.nomination.workload.refusal
    message = kueue_messages.entry_message(entry)
    if refused is not None and refused.law is Law.WORKLOAD_REFUSED and refusal is not None:
        message = refusal_message(refusal) or refusal_sentence(refusal)
    return ": ".join(filter(None, (reason, message)))


def _stop(report: CycleOutcome) -> Group:
    """Why no head is considered, if the manager dies of one."""
    stops = (e.nomination.refused for e in report.round.entries if e.law is Law.SCHEDULER_CRASH)
    refused = next(stops, None)
    return [] if refused is None else [Remark(sentence(refused), "never", first="", more="")]


def _behind(report: CycleOutcome) -> Group:
    """The workloads that the cycle does not consider, because others are ahead of them."""
    heads = {e.nomination.cluster_queue for e in report.round.entries}
    rest = [f"{n - 1} in {q}" for q, n in sorted(report.waiting.items()) if q in heads and n > 1]
    return [Items("behind the heads, not considered: ", rest, tone="dim")]


def _left_out(report: CycleOutcome) -> Group:
    """The workloads that are in no queue, and why."""
    if not report.left_out:
        return []
    number = unfolded(f"in no queue: {count(len(report.left_out), 'workload')}", indent="")
    return [number, Entries(report.left_out, _excluded)]


def _excluded(of: tuple[Pending, Step]) -> Group:
    workload, refused = of
    return [Remark(f"{workload.name}: {refusal_clause(refused, workload)}")]


def _ties(report: CycleOutcome) -> Group:
    text = "tie: {} and {} rank the same, and Kueue does not define which it takes first"
    ties = report.round.ties if report.possible else ()
    return [Remark(text.format(*each), "wait", first="", more=_INDENT) for each in ties]
