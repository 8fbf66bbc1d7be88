"""The decision for a pod, with its explanation."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.missing_objects import missing_without
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import BarredNodes, NodeDemand, barred_nodes, barrier, in_service
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.proof import limit_steps, proof
from kubectl_fairshare.schedulers.elasticquota.explain.remedies import remedies
from kubectl_fairshare.schedulers.elasticquota.gaps import plan_gaps
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Load, fits, has_room, room_alone
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict, gate
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import possible_courses, possible_evictions
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, places, schedule
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import spread
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import spared_pods
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, with_pods, without_pods
from kubectl_fairshare.schedulers.kubescheduler.creation import uncreated
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy
from kubectl_fairshare.schedulers.kubescheduler.limits import ExceededLimit
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
    placing = admitted or _filters_decide(attempt)
    fidelity = without_gates(plan_gaps(state, pod, admitted=placing, settled=computed is Outcome.NEVER))
    ways = possible_evictions(state, pod, demand, attempt)
    ends = possible_courses(state, pod, demand, attempt)
    outcomes = tuple(_outcome_at(end, computed, state, attempt) for end in ends.results)
    alike = ends.complete and len({*outcomes}) == 1
    tied = len(ways.results) > 1 or not ways.complete
    fidelity = fidelity.with_gaps((*origin.gaps, *_daemon_gaps(state, attempt, computed, origin)))
    fidelity = replace(fidelity, outcomes=len(ways.results), all_outcomes=ways.complete)
    quoted = attempt.gate.quoted
    scattered = spread(state, attempt) if _is_stuck(state, attempt) else None
    found = Plan(
        pod=pod,
        outcome=gated_outcome(computed, fidelity, alike=alike, gated=pod.gated),
        computed=computed,
        attempt=attempt,
        half=not state.nodes,
        over_min=state.ledger.beyond_min_with(pod.namespace, attempt.gate.in_quota) if quoted else (),
        spared=_non_candidates(state, attempt),
        spread=scattered,
        remedies=_remedies(state, attempt, origin) if remedied and not (briefly or pod.gated) else (),
        proof=() if briefly else (*proof(state, attempt), *limit_steps(attempt, scattered, tied=tied)),
        fidelity=fidelity,
        origin=origin,
        possible=ways.results if len(ways.results) > 1 else (),
        ends=outcomes if ends.complete else (),
        feasible=attempt.feasible,
        preempted_on=attempt.preempted_on,
        victims=0 if attempt.choice is None else len(attempt.trials[attempt.choice.nodes[0]].victims),
        elsewhere=_elsewhere(state, attempt),
        barred=_barred(state, attempt, computed),
        node_bound=_is_node_bound(state, attempt, computed),
        alone=tuple(room_alone(pod, node) for node in state.nodes.values()) if computed is Outcome.NEVER else (),
        beyond=tuple(_beyond(state, pod)) if computed is Outcome.NEVER else (),
    )
    return replace(uncreated(found), spared=()) if origin.refusals else found


def _is_node_bound(state: State, attempt: Attempt, computed: Outcome) -> bool:
    """Whether quotas reject a pod that they would admit one day, and no node ever takes it."""
    if computed is not Outcome.NEVER or attempt.gate.verdict is QuotaVerdict.SUCCESS or not state.nodes:
        return False
    return gate(without_pods(state).ledger, attempt.asker.pod, ()).verdict is QuotaVerdict.SUCCESS


def _beyond(state: State, pod: Pod) -> Iterator[ExceededLimit]:
    """The limits that the pod exceeds if no other one is there."""
    found = gate(without_pods(state).ledger, pod, ())
    limit = f"max of {pod.namespace}" if found.verdict is QuotaVerdict.OVER_MAX else "sum of all min"
    for excess in found.excesses:
        yield ExceededLimit(excess.resource, excess.wanted, excess.bound, limit)


def _barred(state: State, attempt: Attempt, computed: Outcome) -> BarredNodes | None:
    """The nodes that exclude a pod which no node takes, and could take it; the quotas admit it, now or one day."""
    if attempt.course in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT):
        return None
    if not attempt.filters and not _is_node_bound(state, attempt, computed):
        return None
    asker, nodes = attempt.asker, state.nodes
    return barred_nodes(
        asker.demand,
        nodes.values(),
        lambda name: has_room(asker, nodes[name], state.loads[name]),
        lambda name: has_room(asker, nodes[name], Load()),
    )


def _filters_decide(attempt: Attempt) -> bool:
    """Whether a further filter could change the end of a pod that is not admitted.

    It can where the scheduler fails on a node, for it may make a pod leave there; and where the pod waits for its
    nominated node, which it may take from it.
    """
    waits = attempt.eligibility is not None and attempt.eligibility.law is Law.VICTIMS_LEAVING
    return attempt.course is CycleEnd.ERROR or (waits and bool(attempt.filters))


def _non_candidates(state: State, attempt: Attempt) -> tuple[tuple[Pod, Law], ...]:
    if attempt.choice is None:
        return ()
    return spared_pods(state, attempt.asker, attempt.gate, attempt.trials[attempt.choice.nodes[0]])


def _elsewhere(state: State, attempt: Attempt) -> tuple[str, ...]:
    """The nodes with room now, where only the quotas make the pod preempt.

    The API server stores the nomination after the victims are deleted, and the scheduler may try the pod in between.
    Source: observed, Kubernetes 1.34 and 1.35.
    """
    if attempt.choice is None or attempt.filters:
        return ()
    others = ((name, node) for name, node in state.nodes.items() if name not in attempt.choice.nodes)
    return tuple(name for name, node in others if fits(attempt.asker, node, state.loads[name]))


def _is_stuck(state: State, attempt: Attempt) -> bool:
    """Whether the pod needs preemption and no node offers it; without nodes, whether the quotas reject the pod."""
    if not state.nodes:
        return attempt.gate.verdict is not QuotaVerdict.SUCCESS
    return attempt.course in (CycleEnd.NO_CANDIDATE, CycleEnd.ERROR)


def _remedies(state: State, attempt: Attempt, origin: PodOrigin) -> tuple[Remedy, ...]:
    """The changes that would place the pod, each with whether something that is not modelled then decides."""
    found = remedies(state, attempt, origin.place)
    doubted = bool(found) and _is_doubted(state, attempt.asker.pod, origin)
    return tuple(
        replace(
            each, doubted=_is_doubted_after(state, attempt, origin, each) if doubted else _makes_differ(state, each)
        )
        for each in found
    )


def _makes_differ(state: State, remedy: Remedy) -> bool:
    """Whether a namespace has several quotas that are equal, and only one of them is changed."""
    changed = {c.place.object.namespace for c in remedy.changes if c.kind in _OF_QUOTA and c.place is not None}
    return bool(changed & state.source.others.keys())


def _is_doubted_after(state: State, attempt: Attempt, origin: PodOrigin, remedy: Remedy) -> bool:
    """Whether what is not modelled decides after the changes, too: it may go with the pod that is deleted."""
    gone = {change.pod.key for change in remedy.changes if change.pod is not None}
    if not gone:
        return True
    left = with_pods(state, [pod for pod in state.source.pods if pod.key not in gone])
    source = replace(left.source, missing=missing_without(left.source.missing, gone))
    return _is_doubted(replace(left, source=source), attempt.asker.pod, origin)


def _is_doubted(state: State, pod: Pod, origin: PodOrigin) -> bool:
    """Whether something that is not modelled decides once the pod may have a node, as a remedy lets it."""
    gaps = (*plan_gaps(state, pod, admitted=True, settled=False).gaps, *origin.gaps)
    return any(gap.touches for gap in gaps)


def _outcome(state: State, attempt: Attempt) -> Outcome:
    """The outcome as far as it is modelled; Never only if an empty cluster would not place the pod either."""
    if places(state, attempt):
        return Outcome.PREEMPTS if attempt.course is CycleEnd.PREEMPT else Outcome.ADMITTED
    return Outcome.WAITS if _fits_alone(without_pods(state), attempt) else Outcome.NEVER


def _outcome_at(end: CycleEnd, computed: Outcome, state: State, attempt: Attempt) -> Outcome:
    """The outcome of another end of the cycle; ``computed`` is that of the attempt."""
    if end is attempt.course:
        return computed
    if end in (CycleEnd.PREEMPT, CycleEnd.SCHEDULABLE):
        return Outcome.PREEMPTS if end is CycleEnd.PREEMPT else Outcome.ADMITTED
    return Outcome.WAITS if _fits_alone(without_pods(state), attempt) else Outcome.NEVER


def _daemon_gaps(state: State, attempt: Attempt, computed: Outcome, origin: PodOrigin) -> tuple[Gap, ...]:
    if not origin.targets:
        return ()
    return daemon_gaps(origin, computed, attempt.feasible, partial(_fits_alone, without_pods(state), attempt))


def _fits_alone(empty: State, attempt: Attempt, on: str = "") -> bool:
    """Whether the pod would be placed if it were the only pod and all nodes in service: anywhere, or ``on`` one."""
    asker = empty.asker(attempt.asker.pod, attempt.asker.demand)
    if gate(empty.ledger, asker.pod, ()).verdict is not QuotaVerdict.SUCCESS:
        return False
    nodes = {on: empty.nodes[on]} if on else empty.nodes
    open_nodes = ((name, n) for name, n in nodes.items() if barrier(asker.demand, in_service(n)) is None)
    return not nodes or any(has_room(asker, node, empty.loads[name]) for name, node in open_nodes)
