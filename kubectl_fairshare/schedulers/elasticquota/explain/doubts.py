"""What a cycle after others rests on: chance, features that are not modelled, and the nodes that earlier pods got.

Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Collection, Iterator

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.gaps import EQUAL_PODS, plan_gaps
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import rests_on_order
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.moving import rests_on_nodes
from kubectl_fairshare.schedulers.pod_replay import NODE_SCORES


def doubts_of(state: State, attempt: Attempt, scattered: Collection[str]) -> Iterator[Gap]:
    """What the end of a cycle and its victims rest on; ``scattered`` are pods that may be on other nodes."""
    placing = attempt.course in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT, CycleEnd.ERROR)
    found = plan_gaps(state, attempt.pod, admitted=placing, settled=False).gaps
    yield from (replace(gap, places=()) for gap in found if gap.touches)
    if rests_on_order(state, attempt.pod, attempt.demand, attempt):
        yield from EQUAL_PODS
    if len(attempt.preempted_on) > 1 or rests_on_nodes(state, attempt, scattered):
        yield NODE_SCORES
