"""One cycle of Kueue as the answer that all schedulers share, and Kueue's own part of it."""

from collections.abc import Mapping, Sequence

from kubectl_fairshare.answers.answer import Victim
from kubectl_fairshare.answers.blocks import Layout
from kubectl_fairshare.answers.cycle import Cycle, CycleEntry
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.explain.cycle import CycleOutcome
from kubectl_fairshare.schedulers.kueue.jobs.laws import starts
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.release import NAME
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of
from kubectl_fairshare.schedulers.kueue.words.screens.cycle import cycle_layout
from kubectl_fairshare.schedulers.kueue.words.sentences import RULES


class KueueCycleDetail(Value, frozen=True):
    """What only Kueue's cycles have: nominations, statuses and messages."""

    report: CycleOutcome

    def layout(self) -> Layout:
        """The heads in the order in which they are taken."""
        return cycle_layout(self.report)

    def document(self) -> WrittenAnswer:
        """The cycle as a document."""
        from kubectl_fairshare.schedulers.kueue.documents.cycle import CYCLE, cycle_document

        return WrittenAnswer(CYCLE, cycle_document(self.report))


def cycle_answer(report: CycleOutcome, notes: Sequence[Problem] = ()) -> Cycle[KueueCycleDetail]:
    """The answer about one cycle."""
    return Cycle(
        scheduler=NAME,
        entries=_entries(report.round, report.outcomes),
        fidelity=report.fidelity,
        detail=KueueCycleDetail(report),
        left_out=tuple(workload.key for workload, _ in report.left_out),
        open=report.open,
        never=report.never,
        starting=frozenset(workload.key for workload, _ in report.left_out if starts(workload)),
        notes=tuple(notes),
        possible=tuple(_entries(run, outcomes) for run, outcomes in report.possible),
    )


def _entries(run: CycleRun, outcomes: Mapping[ObjectKey, Outcome]) -> tuple[CycleEntry, ...]:
    return tuple(_entry(entry, outcomes) for entry in run.entries)


def _entry(entry: ProcessedHead, outcomes: Mapping[ObjectKey, Outcome]) -> CycleEntry:
    workload = entry.nomination.workload
    outcome = outcomes.get(workload.key, Outcome.WAITS)
    admitted = entry.status is HeadStatus.ASSUMED or entry.preempts
    if not admitted and outcome in (Outcome.ADMITTED, Outcome.PREEMPTS):
        outcome = Outcome.WAITS  # the cycle skipped it: an earlier head took the quota or the victims
    victims = tuple(_victim(target) for target in entry.targets) if entry.preempts else ()
    return CycleEntry(workload.key, entry.nomination.cluster_queue, outcome, victims)


def _victim(target: Target) -> Victim:
    holder, law = target.holder, target.trial.law
    frees = tuple(amount_of(pair, value) for pair, value in sorted(holder.usage.items()))
    rule = RULES.get(law, "")
    return Victim(holder.key, holder.cluster_queue, holder.priority, frees, str(law), str(target.reason), rule)
