"""The order of pods by importance."""

from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.kubescheduler.importance import equals, least_first, most_first
from tests.unit.schedulers.elasticquota.build import pod


def names(pods: list[Pod]) -> list[str]:
    return [each.key.name for each in pods]


HIGH = pod("a/high", "n", 10, started=5, cpu=1)
EARLY, LATE = pod("a/early", "n", started=1, cpu=1), pod("a/late", "n", started=2, cpu=1)


def test_priority_decides_before_the_start_and_an_earlier_start_before_a_later_one() -> None:
    assert names(most_first([LATE, HIGH, EARLY])) == ["high", "early", "late"]
    assert names(least_first([EARLY, HIGH, LATE])) == ["late", "early", "high"]


def test_equal_pods_are_a_group_and_a_single_pod_is_not() -> None:
    twin = pod("a/twin", "n", started=1, cpu=1)
    assert [tuple(each.key.name for each in group) for group in equals([HIGH, EARLY, LATE, twin])] == [
        ("early", "twin")
    ]


# Kubernetes' scheduler takes the moment of the comparison for the start of a pod that has none.
def test_equal_pods_that_have_not_started_turn_from_the_most_important_and_keep_their_order_from_the_least() -> None:
    twins = [pod("a/x", "n", started=None, cpu=1), pod("a/y", "n", started=None, cpu=1)]
    assert names(most_first(twins)) == ["y", "x"]
    assert names(least_first(twins)) == ["x", "y"]


def test_equal_pods_keep_their_order_from_the_most_important_and_turn_from_the_least() -> None:
    twins = [pod("a/x", "n", started=1, cpu=1), pod("a/y", "n", started=1, cpu=1)]
    assert names(most_first(twins)) == ["x", "y"]
    assert names(least_first(twins)) == ["y", "x"]
