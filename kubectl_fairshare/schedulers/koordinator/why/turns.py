"""The turns of waiting pods under Koordinator's quotas.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Hashable, Iterable
from typing import Any, Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.doubts import doubts_of
from kubectl_fairshare.schedulers.koordinator.explain.trying import is_in_vain
from kubectl_fairshare.schedulers.koordinator.model.amounts import fingerprint
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.default_preemption import nodes_of_default_preemption
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import (
    State,
    pod_at,
    with_bound,
    with_nominated,
    without_some,
)
from kubectl_fairshare.schedulers.kubescheduler.turns import PluginTurns
from kubectl_fairshare.schedulers.turns.plans import TurnPlans

RuntimeTurns = TurnPlans[State, Pod, Any, Plan]


def _refusal(found: PodAttempt) -> Hashable:
    refusal = found.gate.refusal
    return found.course, None if refusal is None else (refusal.law, refusal.quota)


def _refusal_doubts(state: State, found: PodAttempt) -> Iterable[Gap]:
    """DefaultPreemption may let a pod in that is refused."""
    across = next(nodes_of_default_preemption(state, found), None)
    return () if across is None else (Gap("DefaultPreemption", (), touches=True),)


TURNS: Final = PluginTurns(
    schedule=schedule,
    refusal=_refusal,
    is_in_vain=is_in_vain,
    bound=with_bound,
    nominated=with_nominated,
    without=without_some,
    doubts_of=doubts_of,
    doubts_of_refusal=_refusal_doubts,
    amounts=fingerprint,
    own=lambda state, pod: (fingerprint(pod.charge), state.quota_of[pod.key], pod.preemptible),
    helps_preemption=lambda _state, _pod: False,  # a pod preempts lower priorities of its quota, tried after it
    work=lambda _: 20,  # the orders of pods cost little here
    pod_at=pod_at,
)
"""What turns need of the plugin ElasticQuota."""
