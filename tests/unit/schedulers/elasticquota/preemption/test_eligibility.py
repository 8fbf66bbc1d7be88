"""Whether a pod may preempt at all."""

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.kubescheduler.cycle import Eligibility
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from tests.unit.schedulers.elasticquota.build import cycle, node, pod, quota, state

LENT = (quota("a", {"cpu": 4}), quota("b", {"cpu": 4}))


def leaving(name: str, priority: int = 0, **request: int) -> Pod:
    return replace(pod(name, "n", priority, **request), terminating=True)


@pytest.mark.parametrize(
    ("gone", "eligible"),
    [
        (leaving("a/own", 1, cpu=1), False),
        (leaving("a/own", 9, cpu=1), True),
        (leaving("b/other", 9, cpu=5), False),
        (leaving("b/other", 9, cpu=1), True),
        (leaving("x/free", 0, cpu=1), True),
    ],
    ids=["own and lower", "own and not lower", "of a borrower", "of a lender", "without a quota"],
)
def test_who_has_victims_leaving_waits_for_them(gone: Pod, eligible: bool) -> None:
    full = pod("x/full", "n", 99, cpu=4)
    asking = replace(pod("a/new", priority=9, cpu=1), nominated="n")
    found = cycle(state(node("n", cpu=4), *LENT, gone, full), asking).eligibility
    assert found is not None
    assert found.eligible is eligible


@pytest.mark.parametrize(("priority", "eligible"), [(1, False), (9, True)])
def test_without_a_quota_lower_priorities_are_waited_for(priority: int, eligible: bool) -> None:
    asking = replace(pod("x/new", priority=9, cpu=1), nominated="n")
    found = cycle(state(node("n", cpu=4), leaving("y/old", priority, cpu=4)), asking).eligibility
    assert found is not None
    assert found.eligible is eligible


def test_a_pod_that_never_preempts_is_not_eligible() -> None:
    asking = replace(pod("x/new", priority=9, cpu=1), preempts=False)
    found = cycle(state(node("n", cpu=1), pod("x/old", "n", cpu=1)), asking)
    assert (found.course, found.eligibility) == (CycleEnd.NOT_ELIGIBLE, Eligibility(Law.NEVER_PREEMPTS))


def test_a_place_on_a_node_that_no_longer_does_is_given_up() -> None:
    asking = replace(pod("x/new", priority=9, cpu=5), nominated="n")
    found = cycle(state(node("n", cpu=4), leaving("y/old", 0, cpu=4)), asking)
    assert found.course is CycleEnd.NO_CANDIDATE
