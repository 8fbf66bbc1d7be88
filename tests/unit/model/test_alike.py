"""Functions that work through equal values once."""

import pytest
from msgspec import msgpack

from kubectl_fairshare.model import alike
from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.json import Json


class Work:
    """A function that notes its calls."""

    def __init__(self) -> None:
        self.seen: list[Json] = []

    def __call__(self, value: Json) -> str:
        self.seen.append(value)
        if value == ["bad"]:
            raise ValueError("bad")
        return repr(value)


def test_equal_values_are_worked_through_once() -> None:
    work = Work()
    found = once_for_equal(work)
    assert found([{"name": "cpu", "quota": 1}]) is found([{"name": "cpu", "quota": 1}])
    assert len(work.seen) == 1


def test_the_first_of_equal_values_is_packed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[Json] = []

    class Packer:
        def encode(self, value: Json) -> bytes:
            packed.append(value)
            return repr(value).encode()

    monkeypatch.setattr(msgpack, "Encoder", Packer)
    found, first = once_for_equal(Work()), ["x"]
    assert {found(value) for value in (first, first, ["x"], first)} == {"['x']"}
    assert packed == [first, ["x"]]


def test_no_value_is_taken_for_another_that_had_its_place_in_memory() -> None:
    found = once_for_equal(Work())
    for number in range(5_000):
        assert found([number % 7, number]) == repr([number % 7, number])
        assert found([number % 7]) == repr([number % 7])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1], [True]),
        ([0], [False]),
        ([1], [1.0]),
        ([1], ["1"]),
        ([None], ["null"]),
        ([0.0], [-0.0]),
        ([""], []),
        ({}, []),
    ],
)
def test_values_of_other_types_are_other_values(one: Json, other: Json) -> None:
    found = once_for_equal(Work())
    assert [found(one), found(other)] == [repr(one), repr(other)]


def test_what_raises_raises_again() -> None:
    work = Work()
    found = once_for_equal(work)
    for _ in range(2):
        with pytest.raises(ValueError, match="bad"):
            found(["bad"])
    assert len(work.seen) == 2


@pytest.mark.parametrize("value", [[10**40], ["\ud800"], [object()]])
def test_what_cannot_be_packed_is_worked_through_each_time(value: Json) -> None:
    work = Work()
    found = once_for_equal(work)
    assert (found(value), found(value)) == (repr(value), repr(value))
    assert len(work.seen) == 2


def test_long_values_and_more_than_a_bound_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "_MOST", 2)
    monkeypatch.setattr(alike, "_LONGEST", 9)
    work = Work()
    found = once_for_equal(work)
    for value in (["x" * 9], ["x" * 9], [1], [2], [3], [1]):
        assert found(value) == repr(value)
    assert work.seen == [["x" * 9], ["x" * 9], [1], [2], [3], [1]]
