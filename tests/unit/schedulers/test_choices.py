"""All ways through a decision that leaves choices to chance."""

from kubectl_fairshare.schedulers.choices import FIRST, Choices, FirstChoices, drawn_order, over_choices, ways_worth


def pick(chance: Choices, alternatives: int) -> int:
    return chance.pick(alternatives, lambda: None)


def draws(chance: Choices, names: str) -> str:
    """The names in an order that chance draws."""
    left, drawn = list(names), ""
    while left:
        drawn += left.pop(pick(chance, len(left)) if len(left) > 1 else 0)
    return drawn


def test_the_first_alternative_is_the_answer_without_a_search() -> None:
    assert draws(FIRST, "abc") == "abc"
    assert FIRST.fixed


def test_a_probe_notes_that_there_was_a_choice() -> None:
    probe = FirstChoices()
    assert draws(probe, "a") == "a"
    assert not probe.asked
    assert draws(probe, "ab") == "ab"
    assert probe.asked
    assert not probe.fixed


def test_every_way_is_taken_once_the_first_choices_first() -> None:
    found = over_choices(lambda chance: draws(chance, "abc"), str, 100)
    assert found.results[0] == "abc"
    assert sorted(found.results) == ["abc", "acb", "bac", "bca", "cab", "cba"]
    assert (found.complete, found.ways) == (True, 6)


def test_equal_results_count_as_one() -> None:
    assert over_choices(lambda chance: draws(chance, "abc"), len, 100).results == ("abc",)


def test_a_search_that_stops_says_so() -> None:
    found = over_choices(lambda chance: draws(chance, "abcd"), str, 5)
    assert (len(found.results), found.complete, found.ways) == (5, False, 5)


def test_choices_may_depend_on_earlier_ones() -> None:
    def decide(chance: Choices) -> str:
        return "a" if pick(chance, 2) == 0 else f"b{pick(chance, 3)}"

    assert over_choices(decide, str, 100).results == ("a", "b0", "b1", "b2")


def test_a_situation_is_followed_once() -> None:
    decided = []

    def decide(chance: Choices) -> tuple[int, int]:
        chance.pick(3, lambda: "start")
        decided.append(chance)
        return 0, chance.pick(2, lambda: "the same whatever came first")

    found = over_choices(decide, str, 100)
    assert found.results == ((0, 0), (0, 1))
    assert (found.complete, found.ways, len(decided)) == (True, 4, 4)


def test_noted_results_tell_situations_apart() -> None:
    def decide(chance: Choices) -> tuple[int, int]:
        first = chance.pick(2, lambda: "start")
        chance.note(lambda: first)
        return first, chance.pick(2, lambda: "later")

    assert set(over_choices(decide, str, 100).results) == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_items_of_one_kind_keep_their_order() -> None:
    found = over_choices(lambda chance: "".join(drawn_order("aAbB", str.lower, chance)), str, 100)
    assert found.results[0] == "aAbB"
    assert sorted(found.results) == ["aAbB", "abAB", "abBA", "bBaA", "baAB", "baBA"]
    assert "".join(drawn_order("aAbB", str.lower, FIRST)) == "aAbB"


def test_ways_that_look_at_many_pods_are_fewer() -> None:
    assert [ways_worth(512, pods) for pods in (0, 1, 64, 65, 640, 5_000)] == [512, 512, 512, 504, 51, 32]
    assert ways_worth(5, 1) == 5
