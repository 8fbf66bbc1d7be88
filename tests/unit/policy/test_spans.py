"""The search for the largest size by spans of sizes that are decided alike."""

from collections.abc import Callable

import pytest

from kubectl_fairshare.policy.capacity.spans import SpanSearch
from kubectl_fairshare.schedulers.sandbox import SizeSpan

EACH = 1000


class Stairs:
    """Room that is the same within steps of ``width``, and what was asked of it."""

    def __init__(self, room: Callable[[int], int], width: int, start: int) -> None:
        self.room, self.width, self.start = room, width * EACH, start * EACH
        self.asked: list[int] = []
        self.ruled: list[int] = []

    def around(self, amount: int, within: tuple[int, int], unit: int) -> SizeSpan:
        """The step of the amount, with ends that are a part of a unit too near."""
        self.asked.append(amount)
        first = amount // self.width * self.width
        least, most = max(first, within[0]), min(first + self.width - 1, within[1])
        return SizeSpan(min(least + unit - 1, amount), max(most - unit + 1, amount), self._reached(amount))

    def _reached(self, amount: int) -> int:
        return self.room(amount // self.width * self.width // EACH) * EACH

    def fits(self, units: int) -> bool:
        """What a ruling says."""
        self.ruled.append(units)
        return self._reached(units * EACH) >= units * EACH


@pytest.mark.parametrize("width", [1, 8, 500])
@pytest.mark.parametrize("start", [1, 900, 1000, 1100, 90_000])
@pytest.mark.parametrize(
    "room",
    [
        lambda size: max(0, 4000 - 3 * size),
        lambda size: max(0, 1_000_000 // max(size, 1) // 8 * 8),
        lambda size: 20_000 if size < 1000 else 300,
        lambda _: 1000,
    ],
)
def test_what_is_proposed_gets_in_and_one_more_does_not(room: Callable[[int], int], start: int, width: int) -> None:
    stairs = Stairs(room, width, start)

    found = SpanSearch(stairs, stairs.fits, EACH, 0, 100_000).proposed()

    assert found is not None
    assert stairs.fits(found)
    assert not stairs.fits(found + 1)
    assert len(stairs.asked) <= 24


def test_a_span_around_what_it_comes_to_is_enough() -> None:
    stairs = Stairs(lambda _: 61_824, 100_000, 500)

    assert SpanSearch(stairs, stairs.fits, EACH, 0, 90_000).proposed() == 61_824
    assert (len(stairs.asked), stairs.ruled) == (1, [])


def test_a_line_through_two_points_finds_room_that_falls_evenly_in_few_spans() -> None:
    stairs = Stairs(lambda size: max(0, 50_000 - 4 * size), 1, 2000)

    assert SpanSearch(stairs, stairs.fits, EACH, 0, 1 << 30).proposed() == 10_000
    assert len(stairs.asked) <= 5


def test_room_that_jumps_is_found_by_halving() -> None:
    stairs = Stairs(lambda size: 900_000 if size < 123_456 else 90_000, 1, 200_000)

    assert SpanSearch(stairs, stairs.fits, EACH, 0, 1_000_000).proposed() == 123_455
    assert len(stairs.asked) <= 22


def test_nothing_is_proposed_where_no_span_is_known() -> None:
    class Unknown(Stairs):
        def around(self, amount: int, within: tuple[int, int], unit: int) -> None:  # type: ignore[override]
            """Nothing."""

    assert SpanSearch(Unknown(int, 1, 5), lambda _: True, EACH, 0, 10).proposed() is None
