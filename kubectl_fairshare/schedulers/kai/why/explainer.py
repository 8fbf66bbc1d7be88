"""Why one job is where it is: what the state decides, beside what the cluster recorded."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kai.explain.asking import session_with
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, failing_step
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, submission_of
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, Pod, PodGroup, Shard
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.session.jobs import Job, up_for_scheduling
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.why.owners import Owners
from kubectl_fairshare.schedulers.kai.why.record import record_of, unschedulable
from kubectl_fairshare.schedulers.kai.why.standing import Reason, Record, SafeUntil, Why
from kubectl_fairshare.schedulers.kai.why.surroundings import Surroundings
from kubectl_fairshare.schedulers.question import WhyQuestion
from kubectl_fairshare.schedulers.subjects import Subject
from kubectl_fairshare.trace import Fact

_ENDED: Final = frozenset({Phase.SUCCEEDED, Phase.FAILED})
_UNDECIDED: Final = (Verdict.UNKNOWN, Reason.NOT_MODELLED)
_FIDELITY: Final = Fidelity(SCHEDULER, VERSION)
_RUNS: Final = frozenset({Phase.BINDING, Phase.BOUND, Phase.RUNNING})
_REASONS: Final = {
    Law.LIMIT: Reason.OVER_LIMIT,
    Law.NON_PREEMPTIBLE_QUOTA: Reason.OVER_QUOTA,
    Law.PREEMPTION_DELAY: Reason.DELAYED,
    Law.QUEUE_UNKNOWN: Reason.NO_QUEUE,
    Law.QUEUE_NOT_LEAF: Reason.INNER_QUEUE,
    Law.GANG_NOT_READY: Reason.NOT_READY,
    Law.TRIED_ONCE: Reason.TRIED_ONCE,
}
"""KAI's reason for each law that can keep a job out; all others come to Unschedulable."""


class Explainer:
    """Explains the jobs of one snapshot; the session of a shard is opened once."""

    def __init__(self, snapshot: Snapshot, question: WhyQuestion) -> None:
        state = snapshot.part(KaiState)
        self._manifests, self._question = snapshot.manifests, question
        self._owners = Owners(snapshot)
        self._state = state if question.now is None else replace(state, now=question.now)
        self._shards: dict[str, Surroundings] = {}

    def whys(self) -> Iterator[Why]:
        """The jobs behind the names of the question; where it has none, all that wait.

        Raises ``UsageError`` for a name that means no object, or several.
        """
        question = self._question
        if question.names:
            namespace = question.namespace or ""
            for subject in self._owners.subjects.named(question.names, namespace, anywhere=question.anywhere):
                yield from self._behind(subject)
            return
        for group in self._state.pod_groups:
            if question.namespace in (None, group.key.namespace) and question.picks(group.key):
                why = self._of_group(group.key, group)
                if why.verdict not in (Verdict.RUNNING, Verdict.FINISHED):
                    yield why

    def _behind(self, subject: Subject) -> Iterator[Why]:
        """The jobs behind an object: those that have not finished, else the last one that has."""
        groups = {group.key: group for group in self._state.pod_groups}
        whys = [self._of_group(subject.key, groups[key]) for key in subject.workloads]
        live = [why for why in whys if why.verdict is not Verdict.FINISHED]
        yield from live or whys[-1:] or [self._ungrouped(subject.key)]

    @cached_property
    def _pods(self) -> dict[str, list[Pod]]:
        """The pods of each PodGroup, by its name."""
        pods: dict[str, list[Pod]] = {}
        for pod in self._state.pods:
            pods.setdefault(pod.group, []).append(pod)
        return pods

    def _surroundings(self, group: PodGroup, shard: Shard) -> Surroundings:
        """The session in which KAI decides about a job; one that it tries no more is in it as if it did."""
        if not up_for_scheduling(group):
            return Surroundings(session_with(self._state, Submission(group, ())))
        if shard.name not in self._shards:
            self._shards[shard.name] = Surroundings(open_session(self._state, shard))
        return self._shards[shard.name]

    def _of_group(self, subject: ObjectKey, group: PodGroup) -> Why:
        """Why the job of a PodGroup is where it is."""
        pods = self._pods.get(group.name, [])
        record = record_of(group, [pod.key for pod in pods], self._manifests)
        facts = (Fact(Place(group.key, ("spec", "queue")), group.queue),)
        why = Why(
            *_UNDECIDED,
            subject,
            group.key,
            group.queue,
            _FIDELITY,
            self._state,
            facts,
            record=record,
            now=self._state.now,
        )
        shard = self._state.shard_of(group.pool)
        if shard is None:
            fact = Fact(Place(group.key, ("metadata", "labels", self._state.pool_label)), group.pool)
            return replace(why, verdict=Verdict.UNMANAGED, reason=Reason.NO_SHARD, facts=(*facts, fact))
        if pods and all(pod.phase in _ENDED for pod in pods):
            ends = tuple(Fact(Place(pod.key, ("status", "phase")), pod.phase.value) for pod in pods)
            return replace(why, verdict=Verdict.FINISHED, reason=Reason.FINISHED, facts=ends)
        if pods and all(pod.foreign for pod in pods):
            names = tuple(_scheduler(pod, self._manifests) for pod in pods)
            return replace(why, verdict=Verdict.UNMANAGED, reason=Reason.OTHER_SCHEDULER, facts=names)
        briefly = not self._question.names
        over = not up_for_scheduling(group)
        around = self._surroundings(group, shard)
        return _in_session(replace(why, since=_since(record, group)), around, over=over, briefly=briefly)

    def _ungrouped(self, subject: ObjectKey) -> Why:
        """An object without a PodGroup in the input, as KAI would take it. Raises ``FairshareError`` for no job."""
        manifest = self._manifests.get(subject)
        if manifest is None:
            message = f"neither {subject} nor a PodGroup of it is in the input"
            raise FairshareError(Problem(message, help="read the object, or its PodGroup, too"))
        submission = submission_of(manifest, self._state)
        why = Why(*_UNDECIDED, subject, None, submission.group.queue, _FIDELITY, self._state, now=self._state.now)
        if submission.pods and all(pod.foreign for pod in submission.pods):
            return replace(why, verdict=Verdict.UNMANAGED, reason=Reason.OTHER_SCHEDULER)
        session = session_with(self._state, submission)
        made = plan(session, submission.group.name)
        return replace(
            why,
            verdict=Verdict.WAITING,
            reason=Reason.NO_POD_GROUP,
            fidelity=made.fidelity,
            chain=made.chain,
            job=made.job,
            plan=made,
        )


def _scheduler(pod: Pod, manifests: Mapping[ObjectKey, Manifest]) -> Fact:
    spec = root_of(manifests[pod.key]).at("spec", "schedulerName") if pod.key in manifests else None
    return Fact(Place(pod.key, ("spec", "schedulerName")), None if spec is None else spec.text())


def _in_session(why: Why, around: Surroundings, *, over: bool, briefly: bool) -> Why:
    """What the session decides about a job, and what surrounds it; ``briefly`` leaves out remedies.

    ``over``: KAI has tried the job, and tries it once only.
    """
    session = around.session
    assert why.group is not None
    job = session.jobs[why.group.name]
    why = replace(why, job=job, chain=tuple(session.chain(job.queue)))
    if not job.pending and job.ready:
        verdict, reason = _placed(job)
        return replace(why, verdict=verdict, reason=reason, since=why.record.last_start)
    made = plan(session, job.name, advise=not briefly, over=over)
    verdict, reason = _waiting(job, made, why)
    why = replace(why, verdict=verdict, reason=reason, plan=made, fidelity=made.fidelity)
    if verdict in (Verdict.NEVER, Verdict.RUNNING):
        return why
    reclaims = made.reclaim is not None and all(step.holds for step in made.reclaim.steps)
    safe = around.safe(job) if verdict is Verdict.NOT_NOW and reclaims else ()
    return replace(
        why,
        holding=around.holding(made) if verdict is Verdict.NOT_NOW else (),
        turn=around.turn(job),
        safe=safe,
        until=_until(reason, job, safe),
    )


def _placed(job: Job) -> tuple[Verdict, Reason]:
    """Where a job is that has no pod to place: it runs, or its last pods leave."""
    if any(task.phase in _RUNS for task in job.tasks):
        return Verdict.RUNNING, Reason.SCHEDULED
    return Verdict.WAITING, Reason.EVICTED


def _waiting(job: Job, made: Plan, why: Why) -> tuple[Verdict, Reason]:
    """Where a job is that has pods to place. One that has its minimum runs, whatever becomes of its other pods."""
    if job.active and all(pod_set.active >= pod_set.minimum for pod_set in job.pod_sets.values()):
        return Verdict.RUNNING, Reason.SCHEDULED
    if made.outcome is Outcome.UNKNOWN:
        if unschedulable(why.record) is None:
            return Verdict.UNKNOWN, Reason.NOT_MODELLED
        return Verdict.NOT_NOW, _recorded_reason(why)
    failing = failing_step(made)
    reason = Reason.UNSCHEDULABLE if failing is None else _REASONS.get(Law(failing.law), Reason.UNSCHEDULABLE)
    if made.outcome is Outcome.ADMITTED:
        return Verdict.WAITING, Reason.NEXT_CYCLE
    if made.outcome is Outcome.PREEMPTS:
        return Verdict.WAITING, Reason.PIPELINED
    if made.outcome is Outcome.NEVER:
        return Verdict.NEVER, reason
    return (Verdict.WAITING if reason in (Reason.NOT_READY, Reason.DELAYED) else Verdict.NOT_NOW), reason


def _recorded_reason(why: Why) -> Reason:
    """The reason that KAI itself wrote, as far as it is one of those that have a name here."""
    known = {str(reason): reason for reason in Reason}
    written = (known[each.reason] for each in why.record.explanations if each.reason in known)
    return next(written, Reason.UNSCHEDULABLE)


def _since(record: Record, group: PodGroup) -> int | None:
    """Since when a job waits: since KAI could not place it, its last eviction, else its creation."""
    condition = unschedulable(record)
    written = None if condition is None else condition.moment
    return written or record.last_eviction or group.created or None


def _until(reason: Reason, job: Job, safe: tuple[SafeUntil, ...]) -> int | None:
    """When what binds ends by itself: the job's delay, or the first min-runtime that protects others from it."""
    if reason is Reason.DELAYED:
        return max(job.group.created, job.group.last_eviction or 0) + job.group.preemption_delay
    return min((each.until for each in safe), default=None)
