"""Whose turn it is in a job."""

from kubectl_fairshare.schedulers.kai.solver.gangs import (
    Branch,
    Leaf,
    elastic_state,
    limited,
    lowered,
    next_pods,
    next_victims,
)

X, Y = Leaf("x", 1, ("x0", "x1", "x2")), Leaf("y", 1, ("y0", "y1", "y2"))
BOTH = Branch("", None, (X, Y))


def after(branch: Branch, *placed: str) -> list[str]:
    """The pods that come next where ``placed`` are placed."""
    return next_pods(branch, lambda pod: pod in placed, lambda pod: pod not in placed)


def leaving(branch: Branch, *placed: str) -> list[str]:
    """The pods that leave next where ``placed`` are placed."""
    return next_victims(branch, lambda pod: pod in placed)


def test_minimums_come_first_then_one_pod_where_least_is_above() -> None:
    assert after(BOTH) == ["x0", "y0"]
    assert after(BOTH, "y0") == ["x0"]
    assert after(BOTH, "x0", "y0") == ["x1"]
    assert after(BOTH, "x0", "x1", "y0") == ["y1"]


def test_a_stated_minimum_of_sub_groups_asks_for_the_first_ones() -> None:
    some = Branch("", 1, (X, Y))
    assert after(some) == ["x0"]
    assert after(some, "x0") == ["y0"]


def test_surplus_pods_leave_from_the_highest_ratio_and_the_last_name() -> None:
    assert leaving(BOTH, "x0", "x1", "y0") == ["x1"]
    assert leaving(BOTH, "x0", "x1", "y0", "y1") == ["y1"]


def test_without_surplus_all_leave() -> None:
    assert leaving(BOTH, "x0", "y0") == ["x0", "y0"]
    assert leaving(BOTH, "x0", "x1") == ["x1"]
    assert leaving(BOTH) == []


def test_a_surplus_sub_group_leaves_whole() -> None:
    pairs = Branch("", 1, (Leaf("x", 2, ("x0", "x1")), Leaf("y", 2, ("y0", "y1"))))
    assert leaving(pairs, "x0", "x1", "y0", "y1") == ["y1", "y0"]
    assert leaving(pairs, "x0", "x1") == ["x1", "x0"]


def test_a_part_of_a_job_asks_for_what_it_has() -> None:
    part = lowered(limited(Branch("", 2, (Leaf("x", 3, ("x0", "x1", "x2")), Y)), {"x0", "x1"}))
    assert part == Branch("", 1, (Leaf("x", 2, ("x0", "x1")), Leaf("y", 1, ())))


def test_a_job_below_at_or_above_its_minimums() -> None:
    states = [("x0",), ("x0", "y0"), ("x0", "y0", "y1")]
    assert [elastic_state(BOTH, some.__contains__) for some in states] == [0, 1, 2]


def test_optional_members_come_last() -> None:
    optional = Branch("", None, (Leaf("a", 0, ("a0",)), Leaf("b", 1, ("b0", "b1"))))
    assert after(optional, "b0") == ["b1"]
    assert after(optional, "b0", "b1") == ["a0"]
