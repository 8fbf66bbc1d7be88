"""The decision for a pod, with its explanation."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.missing_objects import missing_without
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import BarredNodes, NodeDemand, barred_nodes, barrier, in_service
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan, PossibleEnd
from kubectl_fairshare.schedulers.koordinator.explain.messages import message
from kubectl_fairshare.schedulers.koordinator.explain.proof import proof
from kubectl_fairshare.schedulers.koordinator.explain.remedies import remedies
from kubectl_fairshare.schedulers.koordinator.explain.trying import is_in_vain
from kubectl_fairshare.schedulers.koordinator.gaps import DEFAULT_PREEMPTION, NO_MOMENT, is_refused_by_spec, plan_gaps
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import Load, filter_result, room_result
from kubectl_fairshare.schedulers.koordinator.preemption.gate import exceeded_limits, may_admit
from kubectl_fairshare.schedulers.koordinator.preemption.possible import (
    TiedEviction,
    possible_evictions,
    revoked_by_chance,
)
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import is_over, revoked
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, is_placed, schedule
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionQuestion
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pods, without_some
from kubectl_fairshare.schedulers.kubescheduler.creation import uncreated
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd, Remedy
from kubectl_fairshare.schedulers.pod_making import daemon_gaps, gated_outcome, without_gates
from kubectl_fairshare.schedulers.question import PodOrigin


def plan(
    state: State,
    pod: Pod,
    demand: NodeDemand | None,
    origin: PodOrigin | None = None,
    *,
    remedied: bool = True,
    briefly: bool = False,
    proven: bool = True,
) -> Plan:
    """The effect of one scheduling cycle on the pod, which is among the state's waiting pods.

    ``remedied`` False skips the search for changes that help; ``briefly`` leaves out the scheduler's message and the
    pods that are spared, and ``proven`` False the proof.
    """
    at_first = origin or PodOrigin(Place(pod.key))

    def decided(at: State) -> Plan:
        asked = pod if at is state else next((each for each in at.source.pods if each.key == pod.key), pod)
        return _plan(at, asked, demand, at_first, remedied=remedied, briefly=briefly, proven=proven)

    found = at_every_moment(state, decided(state), decided)
    return replace(uncreated(found), moments=()) if found.refusals else found


def _plan(
    state: State,
    pod: Pod,
    demand: NodeDemand | None,
    origin: PodOrigin,
    *,
    remedied: bool,
    briefly: bool,
    proven: bool,
) -> Plan:
    """The effect on the pod, at the moment of the state."""
    attempt = schedule(state, pod, demand)
    in_vain = is_in_vain(state, attempt)
    computed = _outcome(state, attempt, in_vain=in_vain)
    admitted = computed in (Outcome.ADMITTED, Outcome.PREEMPTS)
    settled = computed is Outcome.NEVER or (not state.nodes and is_refused_by_spec(state, attempt.gate))
    fidelity = without_gates(plan_gaps(state, attempt, admitted=admitted, settled=settled))
    ways = possible_evictions(state, attempt)
    fidelity = fidelity.with_gaps((*origin.gaps, *_daemon_gaps(state, attempt, computed, origin)))
    fidelity = replace(fidelity, outcomes=ways.number, all_outcomes=ways.complete)
    arguments = state.source.arguments
    quota = attempt.gate.quota
    over = bool(quota) and arguments.uses_runtime and bool(state.nodes) and is_over(state, quota)
    return Plan(
        pod=pod,
        outcome=gated_outcome(computed, fidelity, alike=ways.settled, gated=pod.gated),
        computed=computed,
        attempt=attempt,
        half=not state.nodes,
        message=message(state, pod, attempt.gate) if not briefly else "",
        in_vain=in_vain,
        spared=() if briefly else _non_candidates(state, attempt),
        revoked=revoked(state, quota) if over else (),
        watched=arguments.monitors_all,
        remedies=_remedies(state, attempt, origin, in_vain=in_vain) if remedied and not pod.gated else (),
        proof=proof(state, attempt) if proven else (),
        fidelity=fidelity,
        origin=origin,
        possible=_possible_ends(state, attempt, ways.results) if ways.number > 1 else (),
        feasible=attempt.feasible,
        preempted_on=attempt.preempted_on,
        victims=0 if attempt.chosen is None else len(attempt.chosen.victims),
        elsewhere=() if in_vain else _elsewhere(state, attempt),
        revoked_perhaps=revoked_by_chance(state, quota) if over else (),
        barred=_barred(state, attempt, computed),
        node_bound=_is_node_bound(state, attempt, computed),
        alone=tuple(room_result(attempt.pod, node, Load()) for node in state.nodes.values())
        if computed is Outcome.NEVER
        else (),
        beyond=tuple(exceeded_limits(state, pod)) if computed is Outcome.NEVER else (),
    )


def _remedies(state: State, attempt: PodAttempt, origin: PodOrigin, *, in_vain: bool) -> tuple[Remedy, ...]:
    """The changes that would get the pod in, each with whether something that is not modelled then decides."""
    found = remedies(state, attempt, origin.place, in_vain=in_vain)
    doubted = bool(found) and _is_doubted(state, attempt, origin)
    return tuple(replace(each, doubted=doubted and _is_doubted_after(state, attempt, origin, each)) for each in found)


def _is_doubted_after(state: State, attempt: PodAttempt, origin: PodOrigin, remedy: Remedy) -> bool:
    """Whether what is not modelled decides after the changes, too: it may go with the pod that is deleted."""
    keys = {change.pod.key for change in remedy.changes if change.pod is not None}
    gone = [pod for pod in state.source.pods if pod.key in keys]
    if not gone:
        return True
    left = without_some(state, gone)
    source = replace(left.source, missing=missing_without(left.source.missing, keys))
    return _is_doubted(replace(left, source=source), attempt, origin)


def _is_doubted(state: State, attempt: PodAttempt, origin: PodOrigin) -> bool:
    """Whether something that is not modelled decides once the pod may have a node, as a remedy lets it."""
    gaps = (*plan_gaps(state, attempt, admitted=True, settled=False).gaps, *origin.gaps)
    return any(gap.touches and gap.feature != DEFAULT_PREEMPTION for gap in gaps)


def _is_node_bound(state: State, attempt: PodAttempt, computed: Outcome) -> bool:
    """Whether quotas reject a pod that they would admit one day, and no node ever takes it."""
    if computed is not Outcome.NEVER or attempt.gate.admits or not state.nodes:
        return False
    return may_admit(state, attempt.pod)


def _barred(state: State, attempt: PodAttempt, computed: Outcome) -> BarredNodes | None:
    """The nodes that exclude a pod which no node takes, and could take it; the quotas admit it, now or one day."""
    if attempt.end in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT):
        return None
    if not attempt.filters and not _is_node_bound(state, attempt, computed):
        return None
    pod, nodes = attempt.pod, state.nodes
    return barred_nodes(
        attempt.demand,
        nodes.values(),
        lambda name: room_result(pod, nodes[name], state.loads[name]).passed,
        lambda name: room_result(pod, nodes[name], Load()).passed,
    )


def _elsewhere(state: State, attempt: PodAttempt) -> tuple[str, ...]:
    """The nodes with room now, where only the quotas make the pod preempt.

    The API server stores the nomination after the victims are deleted, and the scheduler may try the pod in between.
    Source: observed with another plugin, Kubernetes 1.34 and 1.35.
    """
    if attempt.choice is None or attempt.filters:
        return ()
    pod, demand, peers = attempt.pod, attempt.demand, state.peers
    return tuple(
        name
        for name, node in state.nodes.items()
        if name not in attempt.choice.nodes
        and filter_result(pod, demand, node, state.loads[name], peers(pod, name)).passed
    )


def _possible_ends(state: State, attempt: PodAttempt, ways: Iterable[TiedEviction]) -> tuple[PossibleEnd, ...]:
    """The outcome of each way; those that evict in vain end in the same way."""
    failing = _outcome(state, attempt, in_vain=True)
    return tuple(PossibleEnd(failing if way.in_vain else Outcome.PREEMPTS, way.node, way.victims) for way in ways)


def _non_candidates(state: State, attempt: PodAttempt) -> tuple[tuple[Pod, Law], ...]:
    """The pods of the chosen node that cannot be victims, each with the reason."""
    if attempt.chosen is None:
        return ()
    search = PreemptionQuestion(state, attempt.pod, attempt.demand, attempt.gate.quota)
    reasons = ((pod, search.why_spared(pod)) for pod in state.pods[attempt.chosen.node])
    return tuple((pod, law) for pod, law in reasons if law is not None)


def _outcome(state: State, attempt: PodAttempt, *, in_vain: bool) -> Outcome:
    """The outcome as far as it is modelled; Never only if no state that ended work leads to places the pod."""
    if is_placed(state, attempt) and not in_vain:
        return Outcome.PREEMPTS if attempt.end is CycleEnd.PREEMPT else Outcome.ADMITTED
    return Outcome.WAITS if _may_fit(state, attempt) else Outcome.NEVER


def _daemon_gaps(state: State, attempt: PodAttempt, computed: Outcome, origin: PodOrigin) -> tuple[Gap, ...]:
    if not origin.targets:
        return ()
    return daemon_gaps(origin, computed, attempt.feasible, partial(_may_fit, state, attempt))


def _may_fit(state: State, attempt: PodAttempt, on: str = "") -> bool:
    """Whether the pod may be placed once other pods are gone and all nodes are in service: anywhere, or ``on`` one."""
    if not may_admit(state, attempt.pod):
        return not state.nodes and state.source.arguments.uses_runtime
    nodes = {on: state.nodes[on]} if on else state.nodes
    open_nodes = (node for node in nodes.values() if barrier(attempt.demand, in_service(node)) is None)
    return not nodes or any(room_result(attempt.pod, node, Load()).passed for node in open_nodes)


_MOST: Final = 16
"""The most moments that are tried."""


def at_every_moment(state: State, found: Plan, decide: Callable[[State], Plan]) -> Plan:
    """The plan as each moment gives it where only the moment is open and all agree, else with the outcome of each."""
    if {gap.feature for gap in found.fidelity.gaps if gap.touches} != {NO_MOMENT}:
        return found
    ends = sorted({pod.gone_at for pod in state.source.pods if pod.terminating and pod.gone_at is not None})
    if len(ends) > _MOST:
        return found
    moments = [ends[0] - 1, *(end + 1 for end in ends)] if ends else [0]
    plans = [decide(_at(state, moment)) for moment in moments]
    if len({_effects(each) for each in plans}) == 1:  # the figures next to the answer may still be others
        gaps = tuple(replace(gap, touches=False) if gap.feature == NO_MOMENT else gap for gap in found.fidelity.gaps)
        return replace(plans[0], fidelity=replace(plans[0].fidelity, gaps=gaps))
    return replace(found, moments=tuple(each.outcome for each in plans))


def _at(state: State, moment: int) -> State:
    """The state at a moment."""
    source = replace(state.source, moment=moment)
    return with_pods(replace(state, source=source), source.pods)


def _effects(of: Plan) -> tuple[Outcome, tuple[str, ...], frozenset[ObjectKey]]:
    """The outcome, the nodes that the pod may get, and the pods that leave."""
    chosen = of.attempt.chosen
    victims = frozenset[ObjectKey]() if chosen is None else frozenset(fate.pod.key for fate in chosen.victims)
    return of.outcome, tuple(of.attempt.feasible), victims
