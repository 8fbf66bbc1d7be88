"""What a cycle in a sandbox rests on: chance, features that are not modelled, and the nodes that earlier pods got.

Which of several nodes a pod gets is left to scores, which are not modelled. It matters to a later pod unless that has
room wherever the earlier ones are, or no pod anywhere is a candidate for its preemption.
Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Collection, Iterator

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.gaps import EQUAL_PODS, plan_gaps
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import fits
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import rests_on_order
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, CycleEnd
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
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
    """Whether the cycle may end in another way if the scattered pods are on other nodes."""
    return bool(scattered) and not _is_anywhere(state, attempt, scattered)


def _is_anywhere(state: State, attempt: Attempt, scattered: Collection[str]) -> bool:
    """Whether the cycle ends so wherever the scattered pods are."""
    if attempt.gate.verdict is not QuotaVerdict.SUCCESS:
        return not any(trial.taken for trial in attempt.trials.values())
    moving = [pod for pod in state.source.pods if pod.uid in scattered]
    if all(pod.request == attempt.asker.pod.request for pod in moving):  # each node has room for so many of them
        return not any(trial.taken for trial in attempt.trials.values())
    for name, node in state.nodes.items():
        load = state.loads[name]
        for pod in moving:
            load = load if pod.node == name else load.including(pod)
        if fits(attempt.asker, node, load):
            return True
    return False
