"""The decision for a pod, with its explanation."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.proof import limit_steps, proof
from kubectl_fairshare.schedulers.elasticquota.explain.remedies import remedies
from kubectl_fairshare.schedulers.elasticquota.gaps import plan_gaps
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict, gate
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import possible_courses, possible_evictions
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import spread
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import QuotaPreemption, spared_pods
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, with_pods, without_pods
from kubectl_fairshare.schedulers.kubescheduler.creation import uncreated
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy
from kubectl_fairshare.schedulers.kubescheduler.limits import ExceededLimit
from kubectl_fairshare.schedulers.kubescheduler.planning import (
    barred,
    each_node_alone,
    elsewhere,
    fits_alone,
    placing_outcome,
    touching,
    with_doubts,
)
from kubectl_fairshare.schedulers.pod_making import daemon_gaps, gated_outcome, without_gates
from kubectl_fairshare.schedulers.question import PodOrigin

_OF_QUOTA: Final = (ChangeKind.MIN, ChangeKind.MAX)


def plan(
    state: State,
    pod: Pod,
    demand: NodeDemand | None,
    origin: PodOrigin | None = None,
    *,
    remedied: bool = True,
    briefly: bool = False,
) -> Plan:
    """The effect of one scheduling cycle on the pod.

    ``remedied`` False skips the search for changes that help; ``briefly`` skips the proof, too.
    """
    origin = origin or PodOrigin(Place(pod.key))
    attempt = schedule(state, pod, demand)
    computed = _outcome(state, attempt)
    admitted = computed in (Outcome.ADMITTED, Outcome.PREEMPTS)
    never = computed is Outcome.NEVER
    placing = admitted or _filters_decide(attempt)
    fidelity = without_gates(plan_gaps(state, pod, admitted=placing, settled=never))
    ways = possible_evictions(state, pod, demand, attempt)
    ends = possible_courses(state, pod, demand, attempt)
    outcomes = tuple(_outcome_at(end, computed, state, attempt) for end in ends.results)
    alike = ends.complete and len({*outcomes}) == 1
    tied = len(ways.results) > 1 or not ways.complete
    fidelity = fidelity.with_gaps((*origin.gaps, *_daemon_gaps(state, attempt, computed, origin)))
    fidelity = replace(fidelity, outcomes=len(ways.results), all_outcomes=ways.complete)
    scattered = spread(state, attempt) if _is_stuck(state, attempt) else None
    node_bound = never and bool(state.nodes) and not attempt.gate.admits and _admits_alone(state, pod)
    found = Plan(
        outcome=gated_outcome(computed, fidelity, alike=alike, gated=pod.gated),
        computed=computed,
        attempt=attempt,
        half=not state.nodes,
        over_min=state.ledger.beyond_min_with(pod.namespace, attempt.gate.in_quota) if attempt.gate.quoted else (),
        spared=_non_candidates(state, attempt),
        spread=scattered,
        remedies=_remedies(state, attempt, origin) if remedied and not (briefly or pod.gated) else (),
        proof=() if briefly else (*proof(state, attempt), *limit_steps(attempt, scattered, tied=tied)),
        fidelity=fidelity,
        origin=origin,
        possible=ways.results if len(ways.results) > 1 else (),
        ends=outcomes if ends.complete else (),
        elsewhere=elsewhere(state, attempt),
        barred=barred(state, attempt, node_bound=node_bound),
        node_bound=node_bound,
        alone=each_node_alone(state, attempt) if never else (),
        beyond=tuple(_beyond(state, pod)) if never else (),
    )
    return replace(uncreated(found), spared=()) if origin.refusals else found


def _admits_alone(state: State, pod: Pod) -> bool:
    """Whether the quotas admit the pod if no other one is there."""
    return gate(without_pods(state).ledger, pod, ()).admits


def _beyond(state: State, pod: Pod) -> Iterator[ExceededLimit]:
    """The limits that the pod exceeds if no other one is there."""
    found = gate(without_pods(state).ledger, pod, ())
    limit = f"max of {pod.namespace}" if found.verdict is QuotaVerdict.OVER_MAX else "sum of all min"
    for excess in found.excesses:
        yield ExceededLimit(excess.resource, excess.wanted, excess.bound, limit)


def _filters_decide(attempt: Attempt) -> bool:
    """Whether a further filter could change the end of a pod that is not admitted.

    It can where the scheduler fails on a node, for it may make a pod leave there; and where the pod waits for its
    nominated node, which it may take from it.
    """
    waits = attempt.eligible is Law.VICTIMS_LEAVING
    return attempt.course is CycleEnd.ERROR or (waits and bool(attempt.filters))


def _non_candidates(state: State, attempt: Attempt) -> tuple[tuple[Pod, Law], ...]:
    if attempt.chosen is None:
        return ()
    return spared_pods(QuotaPreemption(state, attempt.pod, attempt.demand, attempt.gate), attempt.chosen)


def _is_stuck(state: State, attempt: Attempt) -> bool:
    """Whether the pod needs preemption and no node offers it; without nodes, whether the quotas reject the pod."""
    if not state.nodes:
        return not attempt.gate.admits
    return attempt.course in (CycleEnd.NO_CANDIDATE, CycleEnd.ERROR)


def _remedies(state: State, attempt: Attempt, origin: PodOrigin) -> tuple[Remedy, ...]:
    """The changes that would place the pod, each with whether something that is not modelled then decides."""

    def is_doubted(at: State) -> bool:
        """As a remedy lets the pod have a node, what only decides then counts."""
        return touching((*plan_gaps(at, attempt.pod, admitted=True, settled=False).gaps, *origin.gaps))

    found = remedies(state, attempt, origin.place)
    return with_doubts(found, state, is_doubted, with_pods, lambda remedy: _makes_differ(state, remedy))


def _makes_differ(state: State, remedy: Remedy) -> bool:
    """Whether a namespace has several quotas that are equal, and only one of them is changed."""
    changed = {c.place.object.namespace for c in remedy.changes if c.kind in _OF_QUOTA and c.place is not None}
    return bool(changed & state.source.others.keys())


def _outcome(state: State, attempt: Attempt) -> Outcome:
    """The outcome as far as it is modelled; Never only if an empty cluster would not place the pod either."""
    if is_placed(state.nodes, attempt):
        return placing_outcome(attempt.course)
    return Outcome.WAITS if _may_fit(state, attempt) else Outcome.NEVER


def _outcome_at(end: CycleEnd, computed: Outcome, state: State, attempt: Attempt) -> Outcome:
    """The outcome of another end of the cycle; ``computed`` is that of the attempt."""
    if end is attempt.course:
        return computed
    if end in (CycleEnd.PREEMPT, CycleEnd.SCHEDULABLE):
        return placing_outcome(end)
    return Outcome.WAITS if _may_fit(state, attempt) else Outcome.NEVER


def _daemon_gaps(state: State, attempt: Attempt, computed: Outcome, origin: PodOrigin) -> tuple[Gap, ...]:
    if not origin.targets:
        return ()
    return daemon_gaps(origin, computed, attempt.feasible, partial(_may_fit, state, attempt))


def _may_fit(state: State, attempt: Attempt, on: str = "") -> bool:
    """Whether the pod would be placed if it were the only pod and all nodes in service: anywhere, or ``on`` one."""
    return _admits_alone(state, attempt.pod) and fits_alone(state, attempt, on)
