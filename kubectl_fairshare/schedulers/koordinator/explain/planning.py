"""The decision for a pod, with its explanation."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import NodeDemand
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
from kubectl_fairshare.schedulers.koordinator.preemption.gate import exceeded_limits, may_admit
from kubectl_fairshare.schedulers.koordinator.preemption.possible import (
    TiedEviction,
    possible_evictions,
    revoked_by_chance,
)
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import is_over, revoked
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionQuestion
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pods
from kubectl_fairshare.schedulers.kubescheduler.creation import uncreated
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import Remedy
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
    never = computed is Outcome.NEVER
    node_bound = never and bool(state.nodes) and not attempt.gate.admits and may_admit(state, pod)
    over = bool(quota) and arguments.uses_runtime and bool(state.nodes) and is_over(state, quota)
    return Plan(
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
        elsewhere=() if in_vain else elsewhere(state, attempt),
        revoked_perhaps=revoked_by_chance(state, quota) if over else (),
        barred=barred(state, attempt, node_bound=node_bound),
        node_bound=node_bound,
        alone=each_node_alone(state, attempt) if never else (),
        beyond=tuple(exceeded_limits(state, pod)) if never else (),
    )


def _remedies(state: State, attempt: PodAttempt, origin: PodOrigin, *, in_vain: bool) -> tuple[Remedy, ...]:
    """The changes that would get the pod in, each with whether something that is not modelled then decides."""

    def is_doubted(at: State) -> bool:
        """As a remedy lets the pod have a node, what only decides then counts."""
        gaps = (*plan_gaps(at, attempt, admitted=True, settled=False).gaps, *origin.gaps)
        return touching(gaps, besides=(DEFAULT_PREEMPTION,))

    return with_doubts(remedies(state, attempt, origin.place, in_vain=in_vain), state, is_doubted, with_pods)


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
    if is_placed(state.nodes, attempt) and not in_vain:
        return placing_outcome(attempt.course)
    return Outcome.WAITS if _may_fit(state, attempt) else Outcome.NEVER


def _daemon_gaps(state: State, attempt: PodAttempt, computed: Outcome, origin: PodOrigin) -> tuple[Gap, ...]:
    if not origin.targets:
        return ()
    return daemon_gaps(origin, computed, attempt.feasible, partial(_may_fit, state, attempt))


def _may_fit(state: State, attempt: PodAttempt, on: str = "") -> bool:
    """Whether the pod may be placed once other pods are gone and all nodes are in service: anywhere, or ``on`` one."""
    if not may_admit(state, attempt.pod):
        return not state.nodes and state.source.arguments.uses_runtime
    return fits_alone(state, attempt, on)


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
