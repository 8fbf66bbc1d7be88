"""Which of several nodes is chosen."""

import pytest

from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from tests.unit.schedulers.elasticquota.build import budget, cycle, node, pod, state


def two(first: tuple[Pod, ...], second: tuple[Pod, ...]) -> dict[str, str]:
    """Which node is taken of two that can each be emptied; and by which law the other lost."""
    at = state(node("n1", cpu=4), node("n2", cpu=4), *first, *second, budget("x", "precious"))
    found = cycle(at, pod("x/new", priority=99, cpu=4)).choice
    assert found is not None
    return {"taken": ",".join(found.nodes), **{lost.node: str(lost.law) for lost in found.lost}}


@pytest.mark.parametrize(
    ("first", "second", "law"),
    [
        ((pod("x/precious", "n1", cpu=4),), (pod("x/b", "n2", 9, cpu=4),), Law.FEWEST_VIOLATIONS),
        ((pod("x/a", "n1", 2, cpu=4),), (pod("x/b", "n2", 1, cpu=4),), Law.LOWEST_PRIORITY),
        ((pod("x/a", "n1", cpu=2), pod("x/c", "n1", cpu=2)), (pod("x/b", "n2", cpu=4),), Law.LOWEST_SUM),
        ((pod("x/a", "n1", 0, 1, cpu=4),), (pod("x/b", "n2", 0, 2, cpu=4),), Law.LATEST_START),
        ((pod("x/a", "n1", 0, 1, cpu=4),), (pod("x/b", "n2", 0, None, cpu=4),), Law.LATEST_START),
    ],
)
def test_a_node_loses_by_the_first_criterion_that_tells(
    first: tuple[Pod, ...], second: tuple[Pod, ...], law: Law
) -> None:
    assert two(first, second) == {"taken": "n2", "n1": str(law)}


def test_the_fewest_victims_win_where_the_sums_are_equal() -> None:
    least = -(1 << 31)
    first = (pod("x/a", "n1", 0, 2, cpu=2), pod("x/c", "n1", least, 2, cpu=2))
    assert two(first, (pod("x/b", "n2", 0, 1, cpu=4),)) == {"taken": "n2", "n1": str(Law.FEWEST_VICTIMS)}


def test_what_nothing_tells_apart_is_a_tie() -> None:
    assert two((pod("x/a", "n1", cpu=4),), (pod("x/b", "n2", cpu=4),)) == {"taken": "n1,n2"}
