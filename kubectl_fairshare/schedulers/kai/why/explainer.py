"""Why one job is where it is: the decision on the state, and what the cluster recorded."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, merged_fidelity, untried_gaps
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.jobs.events import Note, notes_by_object
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.asking import foreign_gaps, job_gaps, serving_shard, session_with
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, failing_step, with_gaps
from kubectl_fairshare.schedulers.kai.explain.making import condition_of, job_making
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.explain.preemptors.takers import left_below, takers
from kubectl_fairshare.schedulers.kai.explain.stale import falls_short, grace_of
from kubectl_fairshare.schedulers.kai.gaps import figures_fidelity, missing_groups
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, submission_of
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, Pod, PodGroup, Shard
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION, standing_of
from kubectl_fairshare.schedulers.kai.session.jobs import ENDED, Job, up_for_scheduling
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.cycle import MOST
from kubectl_fairshare.schedulers.kai.why.owners import Owners
from kubectl_fairshare.schedulers.kai.why.record import record_of, unschedulable
from kubectl_fairshare.schedulers.kai.why.standing import JobRecord, Reason, SafeUntil, Why
from kubectl_fairshare.schedulers.kai.why.surroundings import SessionOrder
from kubectl_fairshare.schedulers.pod_making import RESUMED, SCALED
from kubectl_fairshare.schedulers.question import WhyQuestion
from kubectl_fairshare.schedulers.subjects import Nameable
from kubectl_fairshare.trace import Fact

_UNDECIDED: Final = (Verdict.UNKNOWN, Reason.NOT_MODELLED)
_STARTED: Final = frozenset({Phase.BOUND, Phase.RUNNING, Phase.RELEASING, *ENDED})
_WITHOUT_PODS: Final = {RESUMED: Reason.SUSPENDED, SCALED: Reason.SCALED_TO_ZERO}
"""The reason of a job without PodGroup, by what has to happen before it makes pods."""
_REASONS: Final = {
    Law.LIMIT: Reason.OVER_LIMIT,
    Law.NON_PREEMPTIBLE_QUOTA: Reason.OVER_QUOTA,
    Law.PREEMPTION_DELAY: Reason.DELAYED,
    Law.QUEUE_UNKNOWN: Reason.NO_QUEUE,
    Law.QUEUE_NOT_LEAF: Reason.INNER_QUEUE,
    Law.GANG_NOT_READY: Reason.NOT_READY,
    Law.NO_SHARD: Reason.NO_SHARD,
    Law.TRIED_ONCE: Reason.TRIED_ONCE,
}
"""KAI's reason for each law that can keep a job out; every other law becomes Unschedulable."""


class Explainer:
    """Explains the jobs of one snapshot at a moment, if it is known. Each shard's session is built once."""

    def __init__(self, snapshot: Snapshot, now: int | None) -> None:
        state = snapshot.part(KaiState)
        self._snapshot, self._manifests = snapshot, snapshot.manifests
        self._owners = Owners(snapshot)
        self._state = state if now is None else replace(state, now=now)
        self._fidelity = Fidelity(SCHEDULER, VERSION).under(standing_of(state.release))
        self._shards: dict[str | None, SessionOrder] = {}

    def whys(self, question: WhyQuestion) -> Iterator[Why]:
        """The jobs that the question names; all waiting jobs if it names none.

        Raises ``UsageError`` for a name that matches no object, or several.
        """
        if question.names:
            namespace = question.namespace or ""
            for subject in self._owners.subjects.named(question.names, namespace, anywhere=question.anywhere):
                yield from self._behind(subject)
            return
        for group in self._state.pod_groups:
            if question.namespace in (None, group.key.namespace) and question.picks(group.key):
                why = self._of_group(group.key, group, briefly=True)
                if why.verdict not in (Verdict.RUNNING, Verdict.FINISHED):
                    yield why

    def _behind(self, subject: Nameable) -> Iterator[Why]:
        """The unfinished jobs of an object; if all have finished, the last one."""
        groups = {group.key: group for group in self._state.pod_groups}
        whys = [self._of_group(subject.key, groups[key], briefly=False) for key in subject.workloads]
        live = [why for why in whys if why.verdict is not Verdict.FINISHED]
        yield from live or whys[-1:] or [self._ungrouped(subject.key)]

    @cached_property
    def _events(self) -> Mapping[ObjectKey, tuple[Note, ...]]:
        """The Events of each object."""
        return notes_by_object(self._manifests.values())

    @cached_property
    def _pods(self) -> dict[str, list[Pod]]:
        """The pods of each PodGroup, by the group's name."""
        pods: dict[str, list[Pod]] = {}
        for pod in self._state.pods:
            pods.setdefault(pod.group, []).append(pod)
        return pods

    def _surroundings(self, group: PodGroup, shard: Shard) -> SessionOrder:
        """The session in which KAI decides about a job. A job that KAI no longer tries is added to it."""
        if not up_for_scheduling(group):
            return SessionOrder(session_with(self._state, Submission(group, ())))
        if shard.pool not in self._shards:
            self._shards[shard.pool] = SessionOrder(open_session(self._state, shard))
        return self._shards[shard.pool]

    def _of_group(self, subject: ObjectKey, group: PodGroup, *, briefly: bool) -> Why:
        """Why the job of a PodGroup is where it is; ``briefly`` leaves out remedies."""
        pods = self._pods.get(group.name, [])
        record = record_of(group, [pod.key for pod in pods], self._manifests, self._events)
        facts = (Fact(Place(group.key, ("spec", "queue")), group.queue),)
        why = Why(
            *_UNDECIDED,
            subject,
            group.key,
            group.queue,
            self._fidelity,
            self._state,
            facts,
            record=record,
            now=self._state.now,
        )
        if pods and all(pod.phase in ENDED for pod in pods):
            ends = tuple(Fact(Place(pod.key, ("status", "phase")), pod.phase.value) for pod in pods)
            return replace(why, verdict=Verdict.FINISHED, reason=Reason.FINISHED, facts=ends)
        if pods and all(pod.foreign for pod in pods):
            names = tuple(_scheduler(pod, self._manifests) for pod in pods)
            return replace(
                why, verdict=Verdict.UNMANAGED, reason=Reason.OTHER_SCHEDULER, facts=names, fidelity=self._foreign(pods)
            )
        over = not up_for_scheduling(group)
        around = self._surroundings(group, serving_shard(self._state, group.pool))
        return _in_session(replace(why, since=_since(record, group)), around, over=over, briefly=briefly)

    def _ungrouped(self, subject: ObjectKey) -> Why:
        """An object without PodGroup in the input, read as KAI would. Raises ``FairshareError`` for no job."""
        manifest = self._manifests.get(subject)
        if manifest is None:
            message = f"neither {subject} nor its PodGroup is in the input"
            raise FairshareError(Problem(message, help="add the object, or its PodGroup, to the input"))
        pod = next((each for each in self._state.pods if each.key == subject), None)
        if pod is not None and not pod.foreign and pod.node and pod.phase in _STARTED:
            return self._without_group(pod)
        submission = submission_of(manifest, self._state)
        why = Why(*_UNDECIDED, subject, None, submission.group.queue, self._fidelity, self._state, now=self._state.now)
        if submission.pods and all(pod.foreign for pod in submission.pods):
            known = self._foreign(submission.pods)
            return replace(why, verdict=Verdict.UNMANAGED, reason=Reason.OTHER_SCHEDULER, fidelity=known)
        session = session_with(self._state, submission)
        given = Reading((manifest,), Texts())
        gaps = (
            *job_gaps(self._snapshot, submission, given),
            *job_making(self._snapshot, submission, given).gaps,
        )
        made = with_gaps(plan(session, submission.group.name), gaps)
        waits = Verdict.WAITING, _WITHOUT_PODS.get(condition_of(manifest), Reason.NO_POD_GROUP)
        verdict, reason = _UNDECIDED if any(gap.touches for gap in gaps) else waits
        return replace(
            why,
            verdict=verdict,
            reason=reason,
            fidelity=made.fidelity,
            chain=made.chain,
            job=made.job,
            plan=made,
        )

    def _foreign(self, pods: Iterable[Pod]) -> Fidelity:
        """What is known of pods that KAI ignores: not when they start."""
        return self._fidelity.with_gaps(foreign_gaps(pods, touches=False))

    def _without_group(self, pod: Pod) -> Why:
        """A pod on its node without a PodGroup in the input: it runs; a PodGroup that it names counts for the rest."""
        fact = Fact(Place(pod.key, ("spec", "nodeName")), pod.node)
        verdict = Verdict.FINISHED if pod.phase in ENDED else Verdict.RUNNING
        reason = Reason.FINISHED if pod.phase in ENDED else Reason.SCHEDULED
        gaps = missing_groups(open_session(self._state), [pod]) if verdict is Verdict.RUNNING else ()
        known = self._fidelity.with_gaps(gaps)
        return Why(verdict, reason, pod.key, None, "", known, self._state, facts=(fact,), now=self._state.now)


def _scheduler(pod: Pod, manifests: Mapping[ObjectKey, Manifest]) -> Fact:
    spec = root_of(manifests[pod.key]).at("spec", "schedulerName") if pod.key in manifests else None
    return Fact(Place(pod.key, ("spec", "schedulerName")), None if spec is None else spec.text())


def _in_session(why: Why, around: SessionOrder, *, over: bool, briefly: bool) -> Why:
    """The decision on a job in its session, with the jobs around it; ``briefly`` leaves out remedies.

    ``over``: KAI has made the one attempt that the job allows.
    """
    session = around.session
    assert why.group is not None
    job = session.jobs[why.group.name]
    why = replace(why, job=job, chain=tuple(session.chain(job.queue)))
    if job.leaves or (not job.pending and (job.ready or job.placed)):
        verdict, reason = _placed_verdict(job)
        placed = replace(why, verdict=verdict, reason=reason, since=why.record.last_start)
        placed = _with_grace(placed, session, job)
        return placed if briefly else _with_takers(placed, session, job)
    made = plan(
        session,
        job.name,
        advise=not briefly,
        over=over,
        doubts=MOST,
        groundwork=around.groundwork,
    )
    verdict, reason = _waiting_verdict(job, made, why)
    why = replace(why, verdict=verdict, reason=reason, plan=made, fidelity=made.fidelity)
    if verdict in (Verdict.NEVER, Verdict.RUNNING):
        return why if briefly else _with_takers(why, session, job)
    reclaims = made.reclaim is not None and all(step.holds for step in made.reclaim.steps)
    safe = around.safe(job) if verdict is Verdict.NOT_NOW and reclaims else ()
    return replace(
        why,
        holding=around.holding(made) if verdict is Verdict.NOT_NOW else (),
        turn=around.turn(job),
        safe=safe,
        until=_until(reason, job, safe),
    )


def _with_grace(why: Why, session: Session, job: Job) -> Why:
    """A running job with the end of its grace period, if fewer of its pods run than its minimum."""
    if why.verdict is not Verdict.RUNNING or not falls_short(session, job):
        return why
    grace, end = grace_of(session, job.group)
    return why if grace < 0 else replace(why, reason=Reason.STALE, grace=grace, until=end)


def _with_takers(why: Why, session: Session, job: Job) -> Why:
    """A running job with the queues that could preempt it."""
    if why.verdict is not Verdict.RUNNING or not job.active:
        return why
    of, doubt, _ = takers(session, PreemptorNumbers(), (job,))
    fidelity = merged_fidelity([why.fidelity, figures_fidelity(session)], untried_gaps(doubt))
    below = tuple(left_below(session, job))
    return replace(why, takers=tuple(sorted(of[job.name])), left_below=below, fidelity=fidelity)


def _placed_verdict(job: Job) -> tuple[Verdict, Reason]:
    """The verdict for a job without waiting pods: it runs, or its last pods are being evicted."""
    if job.placed:
        return Verdict.RUNNING, Reason.SCHEDULED
    return Verdict.WAITING, Reason.EVICTED


def _waiting_verdict(job: Job, made: Plan, why: Why) -> tuple[Verdict, Reason]:
    """The verdict for a job with waiting pods. A job at its minimum runs, even if its other pods wait."""
    if job.runs:
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
    """The reason that KAI recorded, if it is one that this enum names."""
    known = {str(reason): reason for reason in Reason}
    written = (known[each.reason] for each in why.record.explanations if each.reason in known)
    return next(written, Reason.UNSCHEDULABLE)


def _since(record: JobRecord, group: PodGroup) -> int | None:
    """The start of the wait: KAI's first failed attempt, otherwise the last eviction, otherwise the creation."""
    condition = unschedulable(record)
    written = None if condition is None else condition.moment
    return written or record.last_eviction or group.created or None


def _until(reason: Reason, job: Job, safe: tuple[SafeUntil, ...]) -> int | None:
    """The end of the wait: the end of the job's delay, or of the first minimum runtime that protects others."""
    if reason is Reason.DELAYED:
        return max(job.group.created, job.group.last_eviction or 0) + job.group.preemption_delay
    return min((each.until for each in safe), default=None)
