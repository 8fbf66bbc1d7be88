"""What a cycle after others rests on: chance, features that are not modelled, and the nodes that earlier pods got.

Tested in ``tests/unit/schedulers/koordinator/test_review.py``.
"""

from collections.abc import Collection, Iterator, Sequence

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.trying import is_in_vain
from kubectl_fairshare.schedulers.koordinator.gaps import EQUAL_VICTIMS, IN_VAIN, plan_gaps
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.possible import possible_kinds
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, is_placed
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.moving import MetCycle, is_moved
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
    """Whether the cycle may end in another way if the scattered pods, by their identity, are on other nodes."""
    return rests_on_moving(state, attempt, [pod for pod in state.source.pods if pod.uid in scattered])


def rests_on_moving(state: State, attempt: PodAttempt, moving: Sequence[Pod]) -> bool:
    """Whether the cycle may end in another way if these pods are on other nodes."""
    pod, demands = attempt.pod, state.source.demands
    own = demands.get(pod.key)
    cycle = MetCycle(
        untouched=all(trial.rejected is Law.NO_VICTIMS for trial in attempt.trials.values()),
        admitted=attempt.gate.admits,
        placed=attempt.end is CycleEnd.SCHEDULABLE,
        loads=state.loads,
        has_room=lambda name, load: (
            filter_result(pod, attempt.demand, state.nodes[name], load, state.peers(pod, name)).passed
        ),
        alike=lambda other: other.request == pod.request and demands.get(other.key) == own,
    )
    return is_moved(cycle, moving)
