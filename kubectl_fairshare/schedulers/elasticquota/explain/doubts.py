"""What a cycle after others rests on: chance, features that are not modelled, and the nodes that earlier pods got.

Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Collection, Iterator, Sequence

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.gaps import EQUAL_PODS, plan_gaps
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import fits
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import rests_on_order
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.moving import MetCycle, is_moved
from kubectl_fairshare.schedulers.pod_replay import NODE_SCORES


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
    asker, demands = attempt.asker, state.source.demands
    pod, own = asker.pod, demands.get(asker.pod.key)
    cycle = MetCycle(
        untouched=not any(trial.taken for trial in attempt.trials.values()),
        admitted=attempt.gate.verdict is QuotaVerdict.SUCCESS,
        placed=attempt.course is CycleEnd.SCHEDULABLE,
        loads=state.loads,
        has_room=lambda name, load: fits(asker, state.nodes[name], load),
        alike=lambda other: other.request == pod.request and demands.get(other.key) == own,
    )
    return is_moved(cycle, moving)
