"""One cycle of KAI as a document."""

from collections.abc import Iterator
from typing import Final, Literal

from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kai.explain.conditions import bound_text
from kubectl_fairshare.schedulers.kai.explain.cycle import KaiCycle, WaitingJob
from kubectl_fairshare.schedulers.kai.solver.attempts import Tried
from kubectl_fairshare.schedulers.kai.solver.scenarios import ScenarioEnd, ScenarioRun
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.kai.words.cycle_rows import moved_to, own_pods, rule_of
from kubectl_fairshare.schedulers.kai.words.evictions import eviction_text

ResultName = Literal["placed", "failed", "delayed", "kept"]


class CycleJobPart(DocumentPart, frozen=True):
    """A job of which pods wait as the cycle begins, and the outcome of it; ``notTried`` says why KAI skips it."""

    job: ObjectKey
    queue: str
    priority: int
    outcome: Outcome
    not_tried: str


class CyclePodPart(DocumentPart, frozen=True):
    """A pod and its node."""

    pod: str
    node: str


class CycleEvictionPart(DocumentPart, frozen=True):
    """A pod that KAI deletes, with the message that it gets. ``movedTo`` is where it is planned again, if anywhere."""

    job: ObjectKey
    pod: str
    node: str
    moved_to: str
    rule: str
    message: str


class SimulatedPart(DocumentPart, frozen=True):
    """A set of victims that KAI simulated for so many of the job's pods, and how that ended."""

    pods: int
    victims: tuple[str, ...]
    end: ScenarioEnd


class CycleAttemptPart(DocumentPart, frozen=True):
    """One attempt of one action for one job.

    ``result``: placed; failed; delayed (its preemptionDelay is not over); kept (solved, not carried out, not undone).
    """

    action: str
    job: ObjectKey
    result: ResultName
    bound: tuple[CyclePodPart, ...]
    waiting_for_room: tuple[CyclePodPart, ...]
    evictions: tuple[CycleEvictionPart, ...]
    simulated: tuple[SimulatedPart, ...]
    limit: str


class CycleReasonPart(DocumentPart, frozen=True):
    """One reason of a condition."""

    reason: str
    message: str


class CycleConditionPart(DocumentPart, frozen=True):
    """The condition that KAI writes for a job that still waits; ``written``: the PodGroup has it already."""

    job: ObjectKey
    pods: tuple[str, ...]
    message: str
    reasons: tuple[CycleReasonPart, ...]
    written: bool


class KaiCycleDocument(DocumentPart, frozen=True):
    """What one cycle does: the attempts in KAI's order."""

    shard: str
    actions: tuple[str, ...]
    jobs: tuple[CycleJobPart, ...]
    attempts: tuple[CycleAttemptPart, ...]
    conditions: tuple[CycleConditionPart, ...]
    undecided: str
    fidelity: Fidelity


CYCLE: Final = DocumentKind("Cycle", KaiCycleDocument, "cycle")


def cycle_document(cycle: KaiCycle) -> KaiCycleDocument:
    """One cycle. ``undecided`` is the action that is not decided, empty if all are."""
    unready = {one.job.name: one.unready for one in cycle.waiting}
    jobs = (
        CycleJobPart(j.group.key, j.queue, j.priority, cycle.outcome(j.name), unready.get(j.name, ""))
        for j in cycle.jobs
    )
    return KaiCycleDocument(
        cycle.shard.name,
        tuple(map(str, cycle.actions)),
        tuple(jobs),
        tuple(map(_attempt, cycle.tried)),
        tuple(_conditions(cycle.waiting)),
        str(cycle.stopped or ""),
        cycle.fidelity,
    )


def _attempt(tried: Tried) -> CycleAttemptPart:
    gang, failure = tried.ground.gangs[tried.job], tried.failure
    result: ResultName = "placed" if tried.done else "kept" if tried.ghost else "delayed" if tried.delayed else "failed"
    exceeded = failure.exceeded if failure is not None else None
    return CycleAttemptPart(
        str(tried.action),
        gang.group.key,
        result,
        _pods(own_pods(tried, Status.ALLOCATED)),
        _pods(own_pods(tried, Status.PIPELINED)),
        tuple(_evictions(tried)),
        tuple(_simulated(tried, run) for run in tried.runs),
        "" if exceeded is None else bound_text(tried.standings, exceeded),
    )


def _pods(nodes: dict[str, str]) -> tuple[CyclePodPart, ...]:
    return tuple(CyclePodPart(pod, node) for pod, node in nodes.items())


def _evictions(tried: Tried) -> Iterator[CycleEvictionPart]:
    for eviction in tried.evictions:
        task = tried.ground.tasks[eviction.victim.pod]
        yield CycleEvictionPart(
            tried.ground.gangs[task.job].group.key,
            task.name,
            eviction.before.node,
            moved_to(tried, task.uid),
            rule_of(tried, task.job),
            eviction_text(tried, task.uid),
        )


def _simulated(tried: Tried, run: ScenarioRun) -> SimulatedPart:
    pods = (tried.ground.tasks[pod].name for batch in run.batches for pod in batch.pods)
    return SimulatedPart(run.pods, tuple(pods), run.end)


def _conditions(waiting: tuple[WaitingJob, ...]) -> Iterator[CycleConditionPart]:
    for one in waiting:
        of = one.condition
        if of is not None:
            reasons = tuple(CycleReasonPart(each.reason, each.message) for each in of.reasons)
            yield CycleConditionPart(one.job.group.key, tuple(one.pods), of.message, reasons, of.written)
