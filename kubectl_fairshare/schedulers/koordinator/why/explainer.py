"""Why pods are where they are: the pods of a name, or all waiting pods."""

from collections.abc import Callable, Collection, Hashable, Iterator
from functools import cached_property
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap, untried_gaps
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.asking import QuotaQuestion, new_origins, next_pods
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.preemptors import left_below, takers
from kubectl_fairshare.schedulers.koordinator.gaps import state_gaps
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.names import GROUP, KIND
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.gate import QuotaTest
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.risks import EvictionRisks
from kubectl_fairshare.schedulers.koordinator.why.turns import RuntimeTurnRules, RuntimeTurns
from kubectl_fairshare.schedulers.koordinator.why.verdict import HeldBy, Reason, Why, computed_reason, standing
from kubectl_fairshare.schedulers.kubescheduler.creation import MissingPods
from kubectl_fairshare.schedulers.kubescheduler.explainer import PodExplainer, PodsToExplain
from kubectl_fairshare.schedulers.kubescheduler.why import why_missing, why_none, why_unread
from kubectl_fairshare.schedulers.pod_standing import NoPod, PodManifests, groups_of
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.schedulers.turns.line import PodLine
from kubectl_fairshare.schedulers.turns.newcomers import PodTakers
from kubectl_fairshare.schedulers.turns.plans import TurnPlans, Wanted
from kubectl_fairshare.trace import Fact, facts_of

_OTHERS: Final = ((GROUP, KIND), ("", "Node"), ("policy", "PodDisruptionBudget"))


class Explainer:
    """Answers for the ``pods`` of one snapshot; ``now`` is the moment of the question, if known."""

    def __init__(self, snapshot: Snapshot, state: State, now: int | None) -> None:
        self._snapshot = snapshot
        self._objects = PodManifests(snapshot.manifests)
        self._state = state
        self._now = now
        source, live = state.source, {pod.key: pod for pod in state.source.pods}
        waiting = [pod for pod in source.pods if not (pod.node or pod.gated or pod.terminating)]
        pods = PodsToExplain(live, waiting, source.profiles, source.unread, _OTHERS)
        self.pods: PodExplainer[Pod, Why] = PodExplainer(snapshot, self._objects, pods, self)

    @cached_property
    def _risks(self) -> EvictionRisks:
        return EvictionRisks(self._state, self.pods.lines.tried)

    def plans(self, line: PodLine[Pod], wanted: Wanted | None) -> RuntimeTurns:
        """The plans of the waiting pods that the plugin is asked about, each in its turn."""
        briefly = wanted is None

        def planned(at: State, pod: Pod) -> Plan:
            origin = self._origin(pod.key)
            return plan(at, pod, None, origin, remedied=not briefly, briefly=briefly)

        return TurnPlans(RuntimeTurnRules(), self._state, line, planned, wanted)

    def is_listed(self, pod: Pod) -> bool:
        """Whether its scheduler runs the plugin."""
        profiles = self._state.source.profiles
        return profiles is None or pod.scheduler in profiles

    def of_waiting(self, alike: list[Pod], job: ObjectKey | None, turns: RuntimeTurns, *, briefly: bool) -> Why:
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
            quota=found.attempt.gate.quota,
            alike=tuple(p.key for p in alike[1:]),
            plan=found,
            held=() if briefly else holders(self._state, found.attempt.gate.refusal),
            ahead=tuple(line.ahead(pod)),
            equals=line.equals(pod),
            before=turns.turns.before(pod),
            rivals=len(line.pods),
            watched=state.source.arguments.monitors_all,
            gates=tuple(str(gate.value) for gate in gates),
            record=record,
            since=None if record is None else (written.moment if written is not None else None) or record.created,
            now=self._now,
        )

    def of_placed(self, pods: Collection[Pod], job: ObjectKey | None) -> Iterator[Why]:
        """Why pods are on their nodes, those with equal inputs to every decision and equal risks in one answer."""
        exposed = takers(self._state, PreemptorNumbers(), pods)

        def inputs(pod: Pod) -> Hashable:
            shape = RuntimeTurnRules().shape(self._state, pod)
            return shape, self._risks.of(pod).likeness, exposed.of[pod.key]

        for alike in groups_of(pods, inputs):
            yield self._of_placed(alike, job, exposed)

    def _of_placed(self, alike: list[Pod], job: ObjectKey | None, exposed: PodTakers) -> Why:
        pod, state = alike[0], self._state
        quota, record = state.quota_of[pod.key].quota, self._objects.record(pod.key)
        risk = self._risks.of(pod)
        fidelity = state_gaps(state).with_gaps(untried_gaps(exposed.doubt))
        if risk.across:
            gap = Gap("DefaultPreemption", tuple(Place(other.key) for other in risk.across), touches=True)
            fidelity = replace(fidelity, gaps=(*fidelity.gaps, gap))
        return Why(
            Verdict.RUNNING,
            Reason.LEAVING if pod.terminating else Reason.PLACED,
            (Fact(Place(pod.key, ("spec", "nodeName")), pod.node),),
            fidelity if risk.defined else replace(fidelity, outcomes=2),
            pod=pod,
            key=pod.key,
            job=job,
            quota=quota,
            alike=tuple(p.key for p in alike[1:]),
            risk=risk,
            takers=tuple(sorted(exposed.of[pod.key])),
            left_below=tuple(left_below(state, pod)),
            watched=state.source.arguments.monitors_all,
            record=record,
            since=pod.started,
            now=self._now,
        )

    @cached_property
    def _origin(self) -> Callable[[ObjectKey], PodOrigin]:
        return new_origins(self._snapshot)

    @cached_property
    def _next_pod(self) -> Callable[[Manifest], QuotaQuestion]:
        return next_pods(self._snapshot)

    def of_missing(self, missing: MissingPods) -> Why:
        """The pods of a job that are not created, because ResourceQuotas reject them."""
        try:
            asked = self._next_pod(self._snapshot.manifests[missing.job])
        except FairshareError as error:
            return why_unread(Why, missing, Reason.NOT_MODELLED, error, state_gaps(self._state), self._now)
        planned = plan(asked.state, asked.pod, asked.demand, asked.origin, remedied=False)
        found = why_missing(Why, missing, computed_reason(planned), planned, asked.state, self._now)
        return replace(found, quota=planned.attempt.gate.quota)

    def of_none(self, found: NoPod) -> Why:
        """An object without a waiting or running pod."""
        record = None if found.key is None else self._objects.record(found.key)
        return why_none(Why, found, Reason(found.reason.value), state_gaps(self._state), record, self._now)


def holders(state: State, refusal: QuotaTest | None) -> tuple[HeldBy, ...]:
    """The pods that hold what the failing test lacks, largest first.

    These are the pods of the quota that the test is about, and of those below it, and the pods of its siblings that use
    more than their min, as the surplus went to them. Only pods that are not preemptible count against min, and siblings
    do not.
    """
    if refusal is None or refusal.quota not in state.tree_of:
        return ()
    tree = state.figures(refusal.quota).tree
    parent = tree.quotas[refusal.quota].parent
    own = _subtree(state, refusal.quota)
    firm = refusal.law is Law.OVER_MIN
    found = []
    for resource in refusal.exceeded:
        beside = [q for q in tree.children.get(parent, ()) if q != refusal.quota and _borrows(state, q, resource)]
        around = set() if firm else {q for sibling in beside for q in _subtree(state, sibling)}
        taking = own | around
        for pod in (each for each in state.source.pods if not (firm and each.preemptible)):
            quota = state.quota_of[pod.key].quota
            amount = whole(resource, pod.charged.get(resource, 0))
            if pod.node and amount > 0 and quota in taking and resource in state.quotas[quota].max:
                found.append(HeldBy(pod, quota, resource, amount, quota in around))
    return tuple(sorted(found, key=lambda h: (h.resource, h.borrows, -h.amount, h.pod.key)))


def _subtree(state: State, quota: str) -> set[str]:
    children, names = state.figures(quota).tree.children, [quota]
    for name in names:
        names += children.get(name, ())
    return set(names)


def _borrows(state: State, quota: str, resource: str) -> bool:
    return state.sums(quota).used.get(resource, 0) > state.quotas[quota].min.get(resource, 0)
