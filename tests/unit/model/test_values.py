"""What values are made of: what msgspec promises and the program relies on, and what is our own."""

import pickle
from functools import cached_property
from typing import Any

import pytest

from kubectl_fairshare.model.values import ComparedInPart, Value, field, fields, replace


class Point(Value, frozen=True):
    """A point."""

    x: int
    y: int = 2
    more: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.x > 100:
            raise ValueError("far away")


class Read(ComparedInPart, Value, frozen=True):
    """What was read at a ``place``."""

    UNCOMPARED = ("place",)
    name: str
    value: int
    place: list[int] = field(default_factory=list)


class Unread(Read, frozen=True):
    """Another kind of the same."""


class Tree(Value, frozen=True, dict=True):
    """One that remembers."""

    height: int

    @cached_property
    def rings(self) -> list[int]:
        """One for each year."""
        return list(range(self.height))


class Held(Value):
    """One that changes."""

    amount: int


def test_a_frozen_value_never_changes() -> None:
    point: Any = Point(1)
    with pytest.raises(AttributeError):
        point.x = 3
    with pytest.raises(AttributeError):
        del point.x
    with pytest.raises(AttributeError):
        point.z = 3
    assert replace(point, x=3) == Point(3, 2) != point == Point(1)


def test_a_replaced_value_is_checked_as_a_new_one() -> None:
    with pytest.raises(ValueError, match="far away"):
        replace(Point(1), x=101)
    with pytest.raises(TypeError):
        replace(Point(1), z=1)


def test_a_default_that_can_change_is_each_values_own() -> None:
    assert Point(1).more is not Point(1).more


def test_fields_keep_their_order() -> None:
    assert [each.name for each in fields(Point)] == ["x", "y", "more"] == list(Point.__match_args__)


def test_equal_values_are_of_one_class_and_have_one_hash() -> None:
    values: list[Value] = [Tree(1), Tree(1), Held(1)]
    assert values[0] == values[1] != values[2]
    assert hash(Tree(1)) == hash(Tree(1)) != hash(Tree(2))
    with pytest.raises(TypeError):
        hash(Held(1))


def test_a_field_that_does_not_count_makes_no_difference() -> None:
    here, there = Read("a", 1, [1]), Read("a", 1, [2])
    assert here == there
    assert hash(here) == hash(there)
    assert here != Read("a", 2, [1])
    assert here != Read("b", 1, [1])
    assert here != Unread("a", 1, [1])
    assert len({here, there, Read("b", 1)}) == 2


def test_a_cached_property_is_computed_once() -> None:
    tree = Tree(2)
    assert tree.rings is tree.rings


@pytest.mark.parametrize("value", [Point(1, 3, {"a": 1}), Read("a", 1, [1]), Held(1)], ids=repr)
def test_a_value_travels_to_another_process(value: Value) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
