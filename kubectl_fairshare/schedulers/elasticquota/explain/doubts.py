"""What a cycle after others rests on: chance, features that are not modelled, and the nodes that earlier pods got.

Which of several nodes a pod gets is left to scores, which are not modelled. It matters to a later pod unless that has
room wherever the earlier ones are, or no pod anywhere is a candidate for its preemption.
Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Collection, Iterator, Sequence

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.gaps import EQUAL_PODS, plan_gaps
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Load, fits
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import rests_on_order
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, CycleEnd
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.pod_replay import MOST_MOVING, NODE_SCORES


def doubts_of(state: State, attempt: Attempt, scattered: Collection[str]) -> Iterator[Gap]:
    """What the end of a cycle and its victims rest on; ``scattered`` are pods that may be on other nodes."""
    asker, placing = attempt.asker, attempt.course in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT, CycleEnd.ERROR)
    found = plan_gaps(state, asker.pod, admitted=placing, settled=False).gaps
    yield from (replace(gap, places=()) for gap in found if gap.touches)
    if rests_on_order(state, asker.pod, asker.demand, attempt):
        yield from EQUAL_PODS
    if len(attempt.preempted_on) > 1 or rests_on_nodes(state, attempt, scattered):
        yield NODE_SCORES


def rests_on_nodes(state: State, attempt: Attempt, scattered: Collection[str]) -> bool:
    """Whether the cycle may end in another way if the scattered pods, by their identity, are on other nodes."""
    return rests_on_moving(state, attempt, [pod for pod in state.source.pods if pod.uid in scattered])


def rests_on_moving(state: State, attempt: Attempt, moving: Sequence[Pod]) -> bool:
    """Whether the cycle may end in another way if these pods are on other nodes."""
    return bool(moving) and not _is_anywhere(state, attempt, moving)


def _is_anywhere(state: State, attempt: Attempt, moving: Sequence[Pod]) -> bool:
    """Whether the cycle ends so wherever these pods are."""
    untouched = not any(trial.taken for trial in attempt.trials.values())
    if attempt.gate.verdict is not QuotaVerdict.SUCCESS:
        return untouched
    if all(_is_exchangeable(state, pod, attempt.asker.pod) for pod in moving):  # each node has room for so many
        return untouched
    if len(moving) > MOST_MOVING:
        return False
    if attempt.course is CycleEnd.SCHEDULABLE:
        return any(fits(attempt.asker, node, _with_all(state, name, moving)) for name, node in state.nodes.items())
    rooms = (fits(attempt.asker, node, _with_none(state, name, moving)) for name, node in state.nodes.items())
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


def _is_exchangeable(state: State, pod: Pod, other: Pod) -> bool:
    demands = state.source.demands
    return pod.request == other.request and demands.get(pod.key) == demands.get(other.key)
