"""Answers that depend on the order of a Go map: which comes most often, and what else was found."""

import pytest

from kubectl_fairshare.schedulers.kai.map_orders import Walk, arrangements, most_common, over_map_orders, walks


def test_a_small_map_is_walked_in_the_order_of_its_entries_from_one_of_eight_slots() -> None:
    assert walks("abc") == [(6, ["a", "b", "c"]), (1, ["b", "c", "a"]), (1, ["c", "a", "b"])]


@pytest.mark.parametrize("size", range(1, 9))
def test_the_walks_of_a_small_map_fill_its_eight_slots(size: int) -> None:
    assert sum(often for often, _ in walks(range(size))) == 8
    assert len({tuple(order) for _, order in walks(range(size))}) == size


def test_of_a_larger_map_other_orders_than_turned_ones_are_tried() -> None:
    assert list(range(9))[::-1] in [order for _, order in walks(range(9))]


def test_the_first_walk_is_as_filled_and_the_second_backwards() -> None:
    assert (Walk(0).order("abc"), Walk(1).order("abc")) == (["a", "b", "c"], ["c", "b", "a"])
    assert (Walk(0).order_as_filled("abc"), Walk(1).order_as_filled("abc")) == (["a", "b", "c"], ["c", "b", "a"])


def test_a_walk_draws_each_order_anew_and_the_same_number_draws_the_same() -> None:
    walk, again = Walk(5), Walk(5)
    drawn = [walk.order(range(6)) for _ in range(20)]
    assert drawn == [again.order(range(6)) for _ in range(20)]
    assert len({tuple(order) for order in drawn}) > 10
    assert all(sorted(order) == list(range(6)) for order in drawn)


def test_a_small_map_in_its_order_of_filling_is_only_turned() -> None:
    walk = Walk(3)
    turns = {(*range(i, 4), *range(i)) for i in range(4)}
    assert {tuple(walk.order_as_filled(range(4))) for _ in range(60)} == turns
    assert tuple(walk.order_as_filled(range(20))) != tuple(range(20))


@pytest.mark.parametrize("size", [2, 3, 5, 9, 30])
def test_every_arrangement_holds_each_item_once(size: int) -> None:
    assert all(sorted(order) == list(range(size)) for order in arrangements(range(size)))


def test_the_most_common_answer_stands_and_the_others_are_told() -> None:
    assert most_common([(2, "a"), (5, "b"), (2, "c")]) == ("b", ("a", "c"))


def test_an_answer_that_one_late_order_changes_is_told() -> None:
    found = over_map_orders(lambda order: order[0] == "d", "abcdefg")
    assert found.value is False
    assert found.others == (True,)


def test_equal_answers_are_not_asked_for_again_and_again() -> None:
    asked: list[list[int]] = []

    def decide(order: list[int]) -> bool:
        asked.append(order)
        return True

    assert over_map_orders(decide, range(100), agreeing=4).defined
    assert len(asked) == 4
