"""The number of answers of a page that have remedies: as many as seconds allow."""

import pytest

from kubectl_fairshare.schedulers import every_scheduler
from kubectl_fairshare.schedulers.scheduler import Scheduler


@pytest.mark.parametrize("scheduler", every_scheduler(), ids=lambda each: each.name)
def test_fewer_are_helped_in_a_larger_state(scheduler: Scheduler) -> None:
    most = [scheduler.most_helped(size, size) for size in (0, 10, 100, 1_000, 10_000, 100_000)]
    assert most == sorted(most, reverse=True)
    assert most[0] >= most[1] >= 20
    assert most[-1] <= 1
