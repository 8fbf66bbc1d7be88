"""One cycle of KAI as a document."""

from collections.abc import Iterator
from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import OutcomeName
from kubectl_fairshare.report.documents.shared import SharedCycle
from kubectl_fairshare.schedulers.kai.explain.conditions import bound_text
from kubectl_fairshare.schedulers.kai.explain.cycle import KaiCycle, WaitingJob
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.solver.attempts import Tried
from kubectl_fairshare.schedulers.kai.solver.scenarios import ScenarioRun
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.kai.words.cycle_rows import moved_to, own_pods, rule_of
from kubectl_fairshare.schedulers.kai.words.evictions import eviction_text

ResultName = Literal["placed", "failed", "delayed", "kept"]


class CycleJobPart(TypedDict):
    """A job of which pods wait as the cycle begins, and the outcome of it; ``notTried`` says why KAI skips it."""

    job: parts.WorkloadName
    queue: str
    priority: int
    outcome: OutcomeName
    notTried: str


class CyclePodPart(TypedDict):
    """A pod and its node."""

    pod: str
    node: str


class CycleEvictionPart(TypedDict):
    """A pod that KAI deletes, with the message that it gets. ``movedTo`` is where it is planned again, if anywhere."""

    job: parts.WorkloadName
    pod: str
    node: str
    movedTo: str
    rule: str
    message: str


class SimulatedPart(TypedDict):
    """A set of victims that KAI simulated for so many of the job's pods, and how that ended."""

    pods: int
    victims: list[str]
    end: Literal["noPlace", "refused", "solved"]


class CycleAttemptPart(TypedDict):
    """One attempt of one action for one job.

    ``result``: placed; failed; delayed (its preemptionDelay is not over); kept (solved, not carried out, not undone).
    """

    action: str
    job: parts.WorkloadName
    result: ResultName
    bound: list[CyclePodPart]
    waitingForRoom: list[CyclePodPart]
    evictions: list[CycleEvictionPart]
    simulated: list[SimulatedPart]
    limit: str


class CycleReasonPart(TypedDict):
    """One reason of a condition."""

    reason: str
    message: str


class CycleConditionPart(TypedDict):
    """The condition that KAI writes for a job that still waits; ``written``: the PodGroup has it already."""

    job: parts.WorkloadName
    pods: list[str]
    message: str
    reasons: list[CycleReasonPart]
    written: bool


class KaiCycleFields(TypedDict):
    """What one cycle does: the attempts in KAI's order."""

    apiVersion: parts.ApiVersion
    kind: Literal["Cycle"]
    shard: str
    actions: list[str]
    jobs: list[CycleJobPart]
    attempts: list[CycleAttemptPart]
    conditions: list[CycleConditionPart]
    undecided: str
    fidelity: parts.FidelityPart


class KaiCycleDocument(KaiCycleFields, SharedCycle):
    """What one cycle does: the attempts in KAI's order."""


def cycle_document(cycle: KaiCycle, places: parts.Places) -> KaiCycleFields:
    """One cycle. ``undecided`` is the action that is not decided, empty if all are."""
    unready = {one.job.name: one.unready for one in cycle.waiting}
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Cycle",
        "shard": cycle.shard.name,
        "actions": [str(action) for action in cycle.actions],
        "jobs": [_job(cycle, job, unready.get(job.name, "")) for job in cycle.jobs],
        "attempts": [_attempt(one) for one in cycle.tried],
        "conditions": list(_conditions(cycle.waiting)),
        "undecided": str(cycle.stopped or ""),
        "fidelity": parts.fidelity(cycle.fidelity, places),
    }


def _job(cycle: KaiCycle, job: Job, unready: str) -> CycleJobPart:
    return {
        "job": parts.workload_name(job.group.key),
        "queue": job.queue,
        "priority": job.priority,
        "outcome": cycle.outcome(job.name).value,
        "notTried": unready,
    }


def _attempt(tried: Tried) -> CycleAttemptPart:
    gang, failure = tried.ground.gangs[tried.job], tried.failure
    result: ResultName = "placed" if tried.done else "kept" if tried.ghost else "delayed" if tried.delayed else "failed"
    exceeded = failure.exceeded if failure is not None else None
    return {
        "action": str(tried.action),
        "job": parts.workload_name(gang.group.key),
        "result": result,
        "bound": _pods(own_pods(tried, Status.ALLOCATED)),
        "waitingForRoom": _pods(own_pods(tried, Status.PIPELINED)),
        "evictions": list(_evictions(tried)),
        "simulated": [_simulated(tried, run) for run in tried.runs],
        "limit": "" if exceeded is None else bound_text(tried.standings, exceeded),
    }


def _pods(nodes: dict[str, str]) -> list[CyclePodPart]:
    return [{"pod": pod, "node": node} for pod, node in nodes.items()]


def _evictions(tried: Tried) -> Iterator[CycleEvictionPart]:
    for eviction in tried.evictions:
        task = tried.ground.tasks[eviction.victim.pod]
        yield {
            "job": parts.workload_name(tried.ground.gangs[task.job].group.key),
            "pod": task.name,
            "node": eviction.before.node,
            "movedTo": moved_to(tried, task.uid),
            "rule": rule_of(tried, task.job),
            "message": eviction_text(tried, task.uid),
        }


def _simulated(tried: Tried, run: ScenarioRun) -> SimulatedPart:
    pods = [tried.ground.tasks[pod].name for batch in run.batches for pod in batch.pods]
    return {"pods": run.pods, "victims": pods, "end": run.end.value}


def _conditions(waiting: tuple[WaitingJob, ...]) -> Iterator[CycleConditionPart]:
    for one in waiting:
        if one.condition is not None:
            yield {
                "job": parts.workload_name(one.job.group.key),
                "pods": list(one.pods),
                "message": one.condition.message,
                "reasons": [{"reason": r.reason, "message": r.message} for r in one.condition.reasons],
                "written": one.condition.written,
            }
