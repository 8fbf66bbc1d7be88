"""The verdict and the reason of a waiting pod."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.standing import computed_reason
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason
from kubectl_fairshare.schedulers.kubescheduler.standing import standing_of
from tests.unit.schedulers.elasticquota.build import kept, node, planned, pod, quota, state

TIGHT = (node("n", cpu=4), quota("a", {"cpu": 9}, {"cpu": 2}))
FULL = (node("n", cpu=4), quota("a", {"cpu": 4}), quota("b", {"cpu": 4}), pod("a/old", "n", cpu=3))


def stands(at: State, asking: Pod, *, recorded: bool = False) -> tuple[Verdict, Reason]:
    found = planned(at, asking)
    return standing_of(found, computed_reason(found), at.source.profiles, recorded=recorded)


@pytest.mark.parametrize(
    ("at", "asking", "verdict", "reason"),
    [
        (state(*FULL), pod("a/new", cpu=1), Verdict.WAITING, Reason.NEXT_ATTEMPT),
        (state(*FULL), pod("a/new", priority=1, cpu=4), Verdict.WAITING, Reason.NEXT_PREEMPTION),
        (state(*FULL), pod("a/new", cpu=2), Verdict.NOT_NOW, Reason.NO_ROOM),
        (state(*FULL), pod("a/new", cpu=5), Verdict.NEVER, Reason.NO_NODE),
        (
            state(node("n", cpu=4), quota("a", {"cpu": 9}, {"cpu": 2})),
            pod("a/new", cpu=3),
            Verdict.NEVER,
            Reason.OVER_MAX,
        ),
        (state(node("n", cpu=4), quota("a", {"cpu": 2})), pod("a/new", cpu=3), Verdict.NEVER, Reason.OVER_POOL),
        (
            state(*FULL),
            replace(pod("a/new", priority=1, cpu=2), preempts=False),
            Verdict.NOT_NOW,
            Reason.NEVER_PREEMPTS,
        ),
    ],
)
def test_each_outcome_has_its_reason(at: State, asking: Pod, verdict: Verdict, reason: Reason) -> None:
    assert stands(at, asking) == (verdict, reason)


def test_a_pod_that_never_preempts_says_so() -> None:
    asking = replace(pod("a/new", priority=1, cpu=2), preempts=False)
    assert stands(state(*FULL), asking) == (Verdict.NOT_NOW, Reason.NEVER_PREEMPTS)


def test_room_that_is_scattered_is_a_reason_of_its_own() -> None:
    nodes = (node("n1", cpu=4), node("n2", cpu=4))
    at = state(*nodes, quota("a", {"cpu": 9}), pod("a/x", "n1", cpu=3), pod("a/y", "n2", cpu=1))
    assert stands(at, pod("a/new", cpu=4)) == (Verdict.NOT_NOW, Reason.SCATTERED)


def test_a_pod_waits_for_victims_that_are_leaving() -> None:
    leaving = replace(pod("b/old", "n", cpu=3), terminating=True)
    at = state(node("n", cpu=4), quota("a", {"cpu": 4}), quota("b", {"cpu": 0}), leaving)
    assert stands(at, kept(pod("a/new", cpu=4), "n")) == (Verdict.WAITING, Reason.VICTIMS_LEAVING)
    assert stands(at, kept(pod("a/new", cpu=5), "n")) == (Verdict.NEVER, Reason.OVER_POOL)


@pytest.mark.parametrize("cpu", [1, 2, 4])
def test_gates_hold_a_pod_back_whether_or_not_the_quotas_admit_it(cpu: int) -> None:
    assert stands(state(*FULL), replace(pod("a/new", cpu=cpu), gates=("g",))) == (Verdict.WAITING, Reason.GATED)


def test_a_pod_that_never_fits_does_not_wait_for_its_gates() -> None:
    assert stands(state(*FULL), replace(pod("a/new", cpu=9), gates=("g",))) == (Verdict.NEVER, Reason.OVER_POOL)


def test_a_pod_that_quotas_reject_now_and_no_node_ever_takes_is_refused_by_the_nodes() -> None:
    at = state(node("n", cpu=4), quota("a", {"cpu": 9}, {"cpu": 6}), pod("a/old", "n", cpu=3))
    assert stands(at, pod("a/new", cpu=5)) == (Verdict.NEVER, Reason.NO_NODE)


def test_a_scheduler_without_the_plugin_does_not_manage_the_pod() -> None:
    at = state(*FULL)
    at = replace(at, source=replace(at.source, profiles=("capacity",)))
    assert stands(at, pod("a/new", cpu=1)) == (Verdict.UNMANAGED, Reason.OTHER_SCHEDULER)


def test_what_is_not_modelled_is_unknown_unless_the_scheduler_wrote_something() -> None:
    asking = replace(pod("a/new", cpu=1), unmodelled=("Volumes",))
    assert stands(state(*FULL), asking) == (Verdict.UNKNOWN, Reason.NOT_MODELLED)
    assert stands(state(*FULL), asking, recorded=True) == (Verdict.NOT_NOW, Reason.NOT_MODELLED)


def test_without_nodes_the_quotas_reason_is_told() -> None:
    at = state(quota("a", {"cpu": 4}), quota("b", {"cpu": 0}), pod("b/x", "far", cpu=2))
    assert stands(at, pod("a/new", cpu=4)) == (Verdict.UNKNOWN, Reason.OVER_POOL)


def test_what_the_order_of_equal_pods_decides_is_unknown_as_its_plan_is() -> None:
    """Without either of its pods the borrower is within its min, and only without the large one there is room."""
    borrower = (pod("b/large", "n", cpu=4), pod("b/small", "n", cpu=1))
    at = state(node("n", cpu=7), quota("a", {"cpu": 4}), quota("b", {"cpu": 4}), *borrower)
    assert planned(at, pod("a/new", cpu=4)).outcome is Outcome.UNKNOWN
    assert stands(at, pod("a/new", cpu=4)) == (Verdict.UNKNOWN, Reason.SCATTERED)
    assert stands(at, pod("a/new", cpu=4), recorded=True)[0] is Verdict.NOT_NOW
