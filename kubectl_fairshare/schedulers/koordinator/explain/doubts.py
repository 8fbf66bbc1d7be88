"""What a cycle after others rests on: chance, features that are not modelled, and the nodes that earlier pods got.

Which of several nodes a pod gets is left to scores, which are not modelled. It matters to a later pod unless that has
room wherever the earlier ones are, or no pod anywhere is a candidate for its preemption.
Tested in ``tests/unit/schedulers/koordinator/test_review.py``.
"""

from collections.abc import Collection, Iterator, Sequence

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.trying import is_in_vain
from kubectl_fairshare.schedulers.koordinator.gaps import EQUAL_VICTIMS, IN_VAIN, plan_gaps
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import Load, filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.possible import possible_kinds
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import AttemptEnd, PodAttempt, is_placed
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.pod_replay import MOST_MOVING, NODE_SCORES


def doubts_of(state: State, attempt: PodAttempt, scattered: Collection[str]) -> Iterator[Gap]:
    """What the end of a cycle and its victims rest on; ``scattered`` are pods that may be on other nodes."""
    placed = is_placed(state, attempt)
    found = plan_gaps(state, attempt, admitted=placed, settled=False).gaps
    yield from (replace(gap, places=()) for gap in found if gap.touches)
    ways = possible_kinds(state, attempt)
    if len({victims for _, victims in ways.results}) > 1 or not ways.complete:
        yield from EQUAL_VICTIMS
    elif len(ways.results) > 1 or rests_on_nodes(state, attempt, scattered):
        yield NODE_SCORES
    if is_in_vain(state, attempt):
        yield from IN_VAIN


def rests_on_nodes(state: State, attempt: PodAttempt, scattered: Collection[str]) -> bool:
    """Whether the cycle may end in another way if the scattered pods, by their identity, are on other nodes."""
    return rests_on_moving(state, attempt, [pod for pod in state.source.pods if pod.uid in scattered])


def rests_on_moving(state: State, attempt: PodAttempt, moving: Sequence[Pod]) -> bool:
    """Whether the cycle may end in another way if these pods are on other nodes."""
    return bool(moving) and not _is_anywhere(state, attempt, moving)


def _is_anywhere(state: State, attempt: PodAttempt, moving: Sequence[Pod]) -> bool:
    """Whether the cycle ends so wherever these pods are."""
    untouched = all(trial.rejected is Law.NO_VICTIMS for trial in attempt.trials.values())
    if not attempt.gate.admits:
        return untouched
    if all(_is_exchangeable(state, pod, attempt.pod) for pod in moving):  # each node has room for so many of them
        return untouched
    if len(moving) > MOST_MOVING:
        return False
    if attempt.end is AttemptEnd.SCHEDULABLE:
        return any(_has_room(state, attempt, name, _with_all(state, name, moving)) for name in state.nodes)
    rooms = (_has_room(state, attempt, name, _with_none(state, name, moving)) for name in state.nodes)
    return untouched and not any(rooms)


def _with_all(state: State, name: str, moving: Sequence[Pod]) -> Load:
    """The load of a node if all of these pods are there."""
    load = state.loads[name]
    for pod in moving:
        load = load if pod.node == name else load.including(pod)
    return load


def _with_none(state: State, name: str, moving: Sequence[Pod]) -> Load:
    """The load of a node if none of these pods is there."""
    load = state.loads[name]
    for pod in moving:
        load = load.without(pod) if pod.node == name else load
    return load


def _has_room(state: State, attempt: PodAttempt, name: str, load: Load) -> bool:
    """Whether a node with this load has room for the pod."""
    pod = attempt.pod
    return filter_result(pod, attempt.demand, state.nodes[name], load, state.peers(pod, name)).passed


def _is_exchangeable(state: State, pod: Pod, other: Pod) -> bool:
    demands = state.source.demands
    return pod.request == other.request and demands.get(pod.key) == demands.get(other.key)
