"""Why pods are where they are: the pods of a name, or all waiting pods."""

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Final

from kubectl_fairshare.answers.fidelity import untried_gaps
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.explain.preemptors import takers
from kubectl_fairshare.schedulers.elasticquota.gaps import state_gaps
from kubectl_fairshare.schedulers.elasticquota.jobs.amounts import CHARGE
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.holding import holders, holding
from kubectl_fairshare.schedulers.elasticquota.why.standing import standing
from kubectl_fairshare.schedulers.elasticquota.why.turns import QuotaTurnRules, QuotaTurns
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.kubescheduler.creation import MissingPods, UncreatedPods
from kubectl_fairshare.schedulers.pod_standing import PodManifests, PodStatements, groups_of
from kubectl_fairshare.schedulers.question import PodOrigin, WhyQuestion
from kubectl_fairshare.schedulers.subjects import Nameable, Subjects
from kubectl_fairshare.schedulers.turns.line import PodLines, QueueEntry
from kubectl_fairshare.schedulers.turns.newcomers import PodTakers
from kubectl_fairshare.schedulers.turns.plans import TurnPlans
from kubectl_fairshare.trace import Fact, facts_of

_OTHERS: Final = ((GROUP, KIND), ("", "Node"), ("", "ResourceQuota"), ("policy", "PodDisruptionBudget"))


class Explainer:
    """Answers for the pods of one snapshot; ``now`` is the moment of the question, if known."""

    def __init__(self, snapshot: Snapshot, state: State, now: int | None) -> None:
        self._snapshot = snapshot
        self._objects = PodManifests(snapshot.manifests)
        self._state = state
        self._now = now
        self._live = {pod.key: pod for pod in state.source.pods}

    @cached_property
    def _lines(self) -> PodLines[Pod]:
        """The waiting pods of each scheduler, as it tries them."""
        waiting = [pod for pod in self._live.values() if not (pod.node or pod.gated or pod.terminating)]
        return PodLines(waiting, self._queued, known=self._state.source.profiles is not None)

    def _queued(self, pod: Pod) -> QueueEntry:
        return self._objects.queued(pod.key, pod.scheduler, self._state.source.profiles)

    def _plans(self, wanted: Collection[ObjectKey] | None) -> QuotaTurns:
        """The plans of the waiting pods that the plugin is asked about, each in its turn."""

        def planned(at: State, pod: Pod) -> Plan:
            return plan(at, pod, None, PodOrigin(Place(pod.key), exists=True), remedied=wanted is not None)

        return TurnPlans(QuotaTurnRules(), self._state, self._lines.tried, planned, wanted)

    @property
    def subjects(self) -> Subjects:
        """The objects that a name can mean: pods, and the owners of pods."""
        return self._objects.subjects(_OTHERS)

    @property
    def statements(self) -> PodStatements:
        """What manifests say of the pods."""
        return PodStatements(self._snapshot, self._objects.owners, self._state.source.unread, CHARGE)

    def asked(self, question: WhyQuestion) -> Iterator[Why]:
        """The pods that the question names; all waiting ones if it names none. Raises ``UsageError`` for a name."""
        if not question.names:
            yield from (why for why in self.waiting(question.namespace) if question.picks(why.key or why.job))
            return
        for subject in self.subjects.named(question.names, question.namespace or "", anywhere=question.anywhere):
            yield from self.about(subject)

    def about(self, subject: Nameable) -> list[Why]:
        """Why the pods of an object are where they are: the waiting or missing ones, or else the running ones."""
        job = None if subject.key in subject.workloads else subject.key
        live = [self._live[key] for key in subject.workloads if key in self._live]
        waiting = [pod for pod in live if not pod.node]
        plans = self._plans({pod.key for pod in waiting}) if waiting else None
        whys = [] if plans is None else [self._of_waiting(e, job, plans) for e in plans.turns.groups(waiting)]
        missing = None if job is None else self._uncreated.of(job)
        whys += [] if missing is None else [self._of_missing(missing)]
        whys = whys or [*self._of_all_placed(live, job)]
        return whys or [self._of_none(subject)]

    def waiting(self, namespace: str | None) -> Iterator[Why]:
        """Every waiting pod, with equal pods of a job in one answer, and every pod that is not created.

        A pod whose scheduler lacks the plugin is listed only if its namespace has a quota.
        """
        by_job: dict[ObjectKey, list[Pod]] = {}
        for key, pod in self._live.items():
            if not pod.node and namespace in (None, key.namespace) and self._is_near(pod):
                by_job.setdefault(self._objects.owners.root(key), []).append(pod)
        for job, pods in by_job.items():
            for alike in self._in_turn.turns.groups(pods):
                yield self._of_waiting(alike, None if job == alike[0].key else job, self._in_turn)
        yield from map(self._of_missing, self._uncreated.all(namespace))

    def _is_near(self, pod: Pod) -> bool:
        profiles = self._state.source.profiles
        return profiles is None or pod.scheduler in profiles or self._state.ledger.has(pod.namespace)

    def _of_waiting(self, alike: list[Pod], job: ObjectKey | None, plans: QuotaTurns) -> Why:
        pod = alike[0]
        record = self._objects.record(pod.key)
        written = None if record is None else record.unscheduled
        found, state = plans.of(pod)
        verdict, reason = standing(found, state.source.profiles, recorded=written is not None)
        line = self._lines.of(pod)
        gates = self._objects.gates(pod.key) if pod.gated else ()
        return Why(
            verdict,
            reason,
            (*gates, *facts_of(found.proof)),
            found.fidelity.with_gaps(plans.turns.gaps(pod)),
            pod=pod,
            key=pod.key,
            job=job,
            state=state,
            alike=tuple(p.key for p in alike[1:]),
            plan=found,
            held=holders(self._state, pod.namespace, found.attempt.gate),
            ahead=tuple(line.ahead(pod)),
            equals=line.equals(pod),
            rivals=len(line.pods),
            before=plans.turns.before(pod),
            gates=tuple(str(gate.value) for gate in gates),
            record=record,
            since=None if record is None else (written.moment if written is not None else None) or record.created,
            now=self._now,
        )

    def _of_all_placed(self, pods: Collection[Pod], job: ObjectKey | None) -> Iterator[Why]:
        """Why pods are on their nodes, those with equal inputs to every decision and equal preemptors in one answer."""
        exposed = takers(self._state, PreemptorNumbers(), pods)
        shape = QuotaTurnRules().shape
        for alike in groups_of(pods, lambda pod: (shape(self._state, pod), exposed.of[pod.key])):
            yield self._of_placed(alike, job, exposed)

    def _of_placed(self, alike: list[Pod], job: ObjectKey | None, exposed: PodTakers) -> Why:
        pod, state = alike[0], self._state
        record = self._objects.record(pod.key)
        return Why(
            Verdict.RUNNING,
            Reason.LEAVING if pod.terminating else Reason.PLACED,
            (Fact(Place(pod.key, ("spec", "nodeName")), pod.node),),
            state_gaps(state).with_gaps(untried_gaps(exposed.doubt)),
            pod=pod,
            key=pod.key,
            job=job,
            alike=tuple(p.key for p in alike[1:]),
            holding=holding(state, pod, self._in_turn.attempts, exposed.of[pod.key]),
            record=record,
            since=pod.started,
            now=self._now,
        )

    @cached_property
    def _in_turn(self) -> QuotaTurns:
        """The plans of all waiting pods, without remedies."""
        return self._plans(None)

    @cached_property
    def _uncreated(self) -> UncreatedPods:
        return UncreatedPods(self._snapshot, self._objects, self._live, self._state.source.unread)

    def _of_missing(self, missing: MissingPods) -> Why:
        """The pods of a job that are not created, because ResourceQuotas reject them."""
        return Why(
            missing.verdict,
            Reason.REFUSED,
            missing.facts,
            state_gaps(self._state),
            job=missing.job,
            refusals=missing.refusals,
            missing=missing.number,
            now=self._now,
        )

    def _of_none(self, subject: Nameable) -> Why:
        """An object without a waiting or running pod."""
        found = self._objects.without_pod(subject)
        record = None if found.key is None else self._objects.record(found.key)
        return Why(
            found.verdict,
            Reason(found.reason.value),
            (found.fact,),
            state_gaps(self._state),
            key=found.key,
            job=found.job,
            record=record,
            since=None if record is None else record.started,
            now=self._now,
        )
