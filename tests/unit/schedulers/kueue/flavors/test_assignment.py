"""How well the flavors of one pod set serve it."""

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet
from tests.unit.schedulers.kueue.build import holder, pending, queue, state


@pytest.mark.parametrize(("held", "mode"), [(0, Mode.FIT), (4, Mode.NO_FIT)])
def test_a_group_with_pods_that_request_nothing_fits_or_never_preempts(held: int, mode: Mode) -> None:
    """A real Kueue counts no resource as no fit once its group has a reason not to fit."""
    idle, busy = PodSet("idle", 1, {}, group="g"), PodSet("busy", 1, {"gpu": 2}, group="g")
    asks = pending("w", "q", pod_sets=(idle, busy), priority=9)
    policy = Preemption(within_cluster_queue="LowerPriority")
    holders = [holder("h", "q", held)] if held else []
    found = nominate(state(queue("q", None, 4, preemption=policy), *holders, asks), asks)
    assert found.assignment is not None
    assert found.assignment.mode is mode
