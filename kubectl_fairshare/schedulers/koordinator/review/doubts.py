"""What a cycle in a sandbox rests on: chance, features that are not modelled, and the nodes that earlier pods got.

Which of several nodes a pod gets is left to scores, which are not modelled. It matters to a later pod unless that has
room wherever the earlier ones are, or no pod anywhere is a candidate for its preemption.
Tested in ``tests/unit/schedulers/koordinator/test_review.py``.
"""

from collections.abc import Collection, Iterator

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.remedies import is_in_vain
from kubectl_fairshare.schedulers.koordinator.gaps import EQUAL_VICTIMS, IN_VAIN, plan_gaps
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.possible import possible_kinds
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, is_placed
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.pod_replay import NODE_SCORES


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
    """Whether the cycle may end in another way if the scattered pods are on other nodes."""
    return bool(scattered) and not _is_anywhere(state, attempt, scattered)


def _is_anywhere(state: State, attempt: PodAttempt, scattered: Collection[str]) -> bool:
    """Whether the cycle ends so wherever the scattered pods are."""
    if not attempt.gate.admits:
        return all(trial.rejected is Law.NO_VICTIMS for trial in attempt.trials.values())
    moving = [pod for pod in state.source.pods if pod.uid in scattered]
    if all(pod.request == attempt.pod.request for pod in moving):  # each node has room for so many of them
        return all(trial.rejected is Law.NO_VICTIMS for trial in attempt.trials.values())
    return any(_has_room(state, attempt.pod, attempt.demand, name, moving) for name in state.nodes)


def _has_room(state: State, pod: Pod, demand: NodeDemand, name: str, moving: Collection[Pod]) -> bool:
    """Whether a node has room for the pod with all of these, too."""
    load = state.loads[name]
    for other in moving:
        load = load if other.node == name else load.including(other)
    return filter_result(pod, demand, state.nodes[name], load, state.peers(pod, name)).passed
