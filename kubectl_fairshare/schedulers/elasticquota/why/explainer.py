"""Why pods are where they are: the pods of a name, or all waiting pods."""

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from typing import Final

from kubectl_fairshare.answers.fidelity import untried_gaps
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.elasticquota.explain.asking import PodQuestion, new_origins, next_pods
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.explain.preemptors import takers
from kubectl_fairshare.schedulers.elasticquota.gaps import state_gaps
from kubectl_fairshare.schedulers.elasticquota.jobs.amounts import CHARGE
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.holding import holders, holding
from kubectl_fairshare.schedulers.elasticquota.why.standing import computed_reason, standing
from kubectl_fairshare.schedulers.elasticquota.why.turns import QuotaTurnRules, QuotaTurns
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.kubescheduler.creation import MissingPods
from kubectl_fairshare.schedulers.kubescheduler.explainer import PodExplainer, PodsToExplain
from kubectl_fairshare.schedulers.kubescheduler.why import why_missing, why_none, why_unread
from kubectl_fairshare.schedulers.pod_standing import NoPod, PodManifests, groups_of
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.schedulers.turns.line import PodLine
from kubectl_fairshare.schedulers.turns.newcomers import PodTakers
from kubectl_fairshare.schedulers.turns.plans import TurnPlans, Wanted
from kubectl_fairshare.trace import Fact, facts_of

_OTHERS: Final = ((GROUP, KIND), ("", "Node"), ("", "ResourceQuota"), ("policy", "PodDisruptionBudget"))


class Explainer:
    """Answers for the ``pods`` of one snapshot; ``now`` is the moment of the question, if known."""

    def __init__(self, snapshot: Snapshot, state: State, now: int | None) -> None:
        self._snapshot = snapshot
        self._objects = PodManifests(snapshot.manifests)
        self._state = state
        self._now = now
        source, live = state.source, {pod.key: pod for pod in state.source.pods}
        waiting = [pod for pod in source.pods if not (pod.node or pod.gated or pod.terminating)]
        pods = PodsToExplain(live, waiting, source.profiles, source.unread, _OTHERS, CHARGE)
        self.pods: PodExplainer[Pod, Why] = PodExplainer(snapshot, self._objects, pods, self)

    def plans(self, line: PodLine[Pod], wanted: Wanted | None) -> QuotaTurns:
        """The plans of the waiting pods that the plugin is asked about, each in its turn."""

        def planned(at: State, pod: Pod) -> Plan:
            return plan(at, pod, None, self._origin(pod.key), remedied=wanted is not None)

        return TurnPlans(QuotaTurnRules(), self._state, line, planned, wanted)

    def is_listed(self, pod: Pod) -> bool:
        """Whether its scheduler runs the plugin, or its namespace has a quota."""
        profiles = self._state.source.profiles
        return profiles is None or pod.scheduler in profiles or self._state.ledger.has(pod.namespace)

    def of_waiting(self, alike: list[Pod], job: ObjectKey | None, turns: QuotaTurns, *, briefly: bool) -> Why:  # noqa: ARG002
        """Why a pod waits, with those that are ``alike``."""
        pod = alike[0]
        record = self._objects.record(pod.key)
        written = None if record is None else record.unscheduled
        found, state = turns.of(pod)
        verdict, reason = standing(found, state.source.profiles, recorded=written is not None)
        line = self.pods.lines.of(pod)
        gates = self._objects.gates(pod.key) if pod.gated else ()
        return Why(
            verdict,
            reason,
            (*gates, *facts_of(found.proof)),
            found.fidelity.with_gaps(turns.turns.gaps(pod)),
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
            before=turns.turns.before(pod),
            gates=tuple(str(gate.value) for gate in gates),
            record=record,
            since=None if record is None else (written.moment if written is not None else None) or record.created,
            now=self._now,
        )

    def of_placed(self, pods: Collection[Pod], job: ObjectKey | None) -> Iterator[Why]:
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
            holding=holding(state, pod, self.pods.in_turn.attempts, exposed.of[pod.key]),
            record=record,
            since=pod.started,
            now=self._now,
        )

    @cached_property
    def _origin(self) -> Callable[[ObjectKey], PodOrigin]:
        return new_origins(self._snapshot)

    @cached_property
    def _next_pod(self) -> Callable[[Manifest], PodQuestion]:
        return next_pods(self._snapshot)

    def of_missing(self, missing: MissingPods) -> Why:
        """The pods of a job that are not created, because ResourceQuotas reject them."""
        try:
            asked = self._next_pod(self._snapshot.manifests[missing.job])
        except FairshareError as error:
            return why_unread(Why, missing, Reason.NOT_MODELLED, error, state_gaps(self._state), self._now)
        planned = plan(asked.state, asked.pod, asked.demand, asked.origin, remedied=False)
        return why_missing(Why, missing, computed_reason(planned), planned, asked.state, self._now)

    def of_none(self, found: NoPod) -> Why:
        """An object without a waiting or running pod."""
        record = None if found.key is None else self._objects.record(found.key)
        return why_none(Why, found, Reason(found.reason.value), state_gaps(self._state), record, self._now)
