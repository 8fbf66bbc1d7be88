"""Jobs: priority, preemptibility, and whether KAI tries them again."""

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import Phase
from kubectl_fairshare.schedulers.kai.session.session import open_session
from tests.unit.schedulers.kai.build import group, pod, queue, session, state


@pytest.mark.parametrize(
    ("preemptible", "priority", "wanted"), [(None, 99, True), (None, 100, False), (True, 100, True)]
)
def test_a_job_is_preemptible_where_it_says_so_or_below_one_hundred(
    preemptible: bool | None, priority: int, wanted: bool
) -> None:
    one = replace(group("j", "q"), preemptible=preemptible)
    known = state([queue("q")], [one])
    known = replace(known, priorities=replace(known.priorities, default=priority))
    assert open_session(known).jobs["j"].preemptible is wanted


def test_a_job_of_an_unknown_queue_has_no_priority_and_cannot_be_preempted() -> None:
    job = session([queue("q")], [group("j", "nowhere", preemptible=True)]).jobs["j"]
    assert (job.known, job.priority, job.preemptible) == (False, 0, False)


def test_a_job_that_is_tried_once_is_not_tried_again_in_its_pool() -> None:
    one = replace(group("j", "q"), backoff=1, condition_pool="default")
    assert session([queue("q")], [one]).jobs == {}
    assert list(session([queue("q")], [replace(one, backoff=-1)]).jobs) == ["j"]


@pytest.mark.parametrize(
    ("phases", "minimum", "runs", "waits"),
    [
        ([Phase.PENDING], 1, False, True),
        ([Phase.GATED], 1, False, True),
        ([], 1, False, True),
        ([Phase.RUNNING, Phase.PENDING], 1, True, False),
        ([Phase.RUNNING, Phase.PENDING], 2, False, True),
        ([Phase.RUNNING, Phase.GATED], 2, True, False),
        ([Phase.RUNNING, Phase.FAILED], 2, True, False),
        ([Phase.RELEASING], 1, False, False),
        ([Phase.RELEASING, Phase.PENDING], 1, False, True),
        ([Phase.SUCCEEDED, Phase.FAILED], 1, False, False),
    ],
)
def test_a_job_at_its_minimum_does_not_wait_though_further_pods_do(
    phases: list[Phase], minimum: int, runs: bool, waits: bool
) -> None:
    pods = [pod("j", number, phase=phase) for number, phase in enumerate(phases)]
    job = session([queue("q")], [group("j", "q", minimum=minimum)], pods).jobs["j"]
    assert (job.runs, job.waits) == (runs, waits)
