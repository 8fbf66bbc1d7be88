"""Every node and every set of victims that the scheduler's ties allow.

Pods that are equal in priority and start are in an order that no object records, and so are nodes that are equal by
every criterion.
Why not the one result with pods in the order of their names: two equal pods of 1 and 3 cpu on a node, a newcomer of 1
cpu; which is evicted rests on an order in the scheduler's memory, and both are possible.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``SelectVictimsOnNode``;
https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/preemption/preemption.go,
``pickOneNodeForPreemption``; "elasticquota-order-tie" and "elasticquota-choice-tie" in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.choices import Choices, Possible, over_choices, ways_worth
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.preemption.ties import Kind, drawn_pods, kinds, tied_nodes
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd

MOST_WAYS: Final = 512
"""The largest number of ways through one decision that are tried."""


class PossibleEviction(Value, frozen=True):
    """The end of one way: the node and the trial on it; None where no pod is evicted."""

    course: CycleEnd
    trial: NodeTrial | None = None


class _TiedCycle(NamedTuple):
    """A cycle, and the nodes on which the order of equal pods may decide."""

    state: State
    pod: Pod
    demand: NodeDemand | None
    attempt: Attempt
    tied: Sequence[str]


def possible_evictions(
    state: State, pod: Pod, demand: NodeDemand | None, attempt: Attempt, most: int = MOST_WAYS
) -> Possible[PossibleEviction]:
    """The ends that ties allow, first that of ``attempt``, which has the pods in the order of their names."""
    tied = tied_nodes(state, attempt)
    # The usual case costs no second cycle.
    if not tied and (attempt.choice is None or len(attempt.choice.nodes) < 2):
        return Possible((_end(attempt, 0),))
    cycle = _TiedCycle(state, pod, demand, attempt, tied)
    return over_choices(lambda chance: _decided(cycle, chance, _name), _key, min(most, _worth(state)))


def possible_courses(state: State, pod: Pod, demand: NodeDemand | None, attempt: Attempt) -> Possible[CycleEnd]:
    """How the cycle may end. Pods that differ in nothing but their names count as one here."""
    tied = tied_nodes(state, attempt)
    if not tied:
        return Possible((attempt.course,))
    # Which of several exchangeable pods leaves changes no course, so pods of one kind keep their order: fewer ways.
    cycle, kind = _TiedCycle(state, pod, demand, attempt, tied), kinds(state)
    return over_choices(lambda chance: _decided(cycle, chance, kind).course, str, _worth(state))


def rests_on_order(state: State, pod: Pod, demand: NodeDemand | None, attempt: Attempt) -> bool:
    """Whether the order of equal pods decides how the cycle ends, or which kinds of pods leave."""
    tied = tied_nodes(state, attempt)
    if not tied:
        return False
    cycle, kind = _TiedCycle(state, pod, demand, attempt, tied), kinds(state)
    ways = over_choices(lambda chance: _decided(cycle, chance, kind), lambda end: _by_kind(end, kind), _worth(state), 2)
    # Where not all ways were tried, another result cannot be ruled out.
    return len(ways.results) > 1 or not ways.complete


def _by_kind(end: PossibleEviction, kind: Kind) -> Hashable:
    victims = () if end.trial is None else (fate.pod for fate in end.trial.victims)
    return end.course, frozenset(Counter((pod.priority, pod.start, kind(pod)) for pod in victims).items())


def _worth(state: State) -> int:
    return ways_worth(MOST_WAYS, sum(map(len, state.pods.values())))


def _decided(cycle: _TiedCycle, chance: Choices, kind: Kind) -> PossibleEviction:
    """The end with the order of pods and the node that chance draws; pods of one kind keep their order."""
    state, attempt = cycle.state, cycle.attempt
    if cycle.tied:
        pods = {**state.pods, **{name: drawn_pods(state.pods[name], chance, kind) for name in cycle.tied}}
        attempt = schedule(replace(state, pods=pods), cycle.pod, cycle.demand)
    nodes = 1 if attempt.choice is None else len(attempt.choice.nodes)
    return _end(attempt, chance.pick(nodes, lambda: None) if nodes > 1 else 0)


def _end(attempt: Attempt, at: int) -> PossibleEviction:
    choice = attempt.choice
    return PossibleEviction(attempt.course, None if choice is None else attempt.trials[choice.nodes[at]])


def _key(end: PossibleEviction) -> Hashable:
    if end.trial is None:
        return end.course
    return end.trial.node, frozenset(fate.pod.key for fate in end.trial.victims)


def _name(pod: Pod) -> Hashable:
    return pod.key
