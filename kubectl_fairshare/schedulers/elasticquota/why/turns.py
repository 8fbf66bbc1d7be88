"""The turns of waiting pods under ElasticQuotas.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Hashable
from typing import Any, Final

from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.doubts import doubts_of
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import (
    State,
    pod_at,
    with_bound,
    with_nominated,
    without_some,
)
from kubectl_fairshare.schedulers.kubescheduler.turns import PluginTurns
from kubectl_fairshare.schedulers.turns.plans import TurnPlans

QuotaTurns = TurnPlans[State, Pod, Any, Plan]


def _amounts(vector: Vector) -> Hashable:
    return vector[:4], tuple(sorted(vector.scalars.items()))


def _work(attempt: Attempt) -> int:
    """Ten attempts for each candidate."""
    return 10 * sum(len(trial.taken) for trial in attempt.trials.values())


def _borrows(state: State, pod: Pod) -> bool:
    """Whether its namespace uses more than its min, so that others can preempt there."""
    return state.ledger.has(pod.namespace) and state.ledger.borrows(pod.namespace)


TURNS: Final = PluginTurns(
    schedule=schedule,
    refusal=lambda found: (found.course, found.gate.verdict),
    is_in_vain=lambda _state, _found: False,
    bound=with_bound,
    nominated=with_nominated,
    without=without_some,
    doubts_of=doubts_of,
    doubts_of_refusal=lambda _state, _found: (),  # nothing lets a pod in that is refused
    amounts=_amounts,
    own=lambda _, pod: _amounts(pod.charge),
    helps_preemption=_borrows,
    work=_work,
    pod_at=pod_at,
)
"""What turns need of CapacityScheduling."""
