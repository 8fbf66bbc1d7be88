"""``__init__`` of a dataclass, made of one that was compiled for another."""

import dataclasses
import inspect
from typing import Any

import pytest

from kubectl_fairshare.model.initializers import initializer


def fields_alone(**fields: Any) -> Any:
    """A dataclass without ``__init__``; each field is annotated, and has its value as default unless that is None."""
    given = [(name, object) if value is None else (name, object, value) for name, value in fields.items()]
    return dataclasses.make_dataclass("Point", given, init=False)


def test_each_parameter_has_the_name_of_its_field() -> None:
    made = initializer(fields_alone(x=None, y=2), frozen=True)
    assert str(inspect.signature(made)) == "(self, x, y=2)"
    assert made.__qualname__ == "Point.__init__"


def test_classes_with_as_many_fields_share_no_names() -> None:
    one, other = fields_alone(x=None, y=None), fields_alone(a=None, b=None)
    first: Any = initializer(one, frozen=False)
    second: Any = initializer(other, frozen=False)
    point, pair = one.__new__(one), other.__new__(other)
    first(point, 1, y=2)
    second(pair, a=3, b=4)
    assert (vars(point), vars(pair)) == ({"x": 1, "y": 2}, {"a": 3, "b": 4})


def test_a_missing_argument_is_named() -> None:
    made: Any = initializer(fields_alone(x=None, y=None), frozen=False)
    with pytest.raises(TypeError, match=r"Point\.__init__\(\) missing 1 required positional argument: 'y'"):
        made(object(), 1)


def test_a_factory_makes_a_value_each_time_and_only_where_none_is_given() -> None:
    cls = fields_alone(x=None, more=dataclasses.field(default_factory=list))
    made: Any = initializer(cls, frozen=False)
    points = [cls.__new__(cls) for _ in range(3)]
    for point, rest in zip(points, ((), (), ([7],)), strict=True):
        made(point, 1, *rest)
    assert [point.more for point in points] == [[], [], [7]]
    assert points[0].more is not points[1].more


@pytest.mark.parametrize(
    "fields",
    [{"x": dataclasses.field(init=False)}, {"x": dataclasses.field(kw_only=True)}, {"x": 1, "y": None}],
    ids=["not a parameter", "by name alone", "a default before none"],
)
def test_other_fields_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="Point"):
        initializer(fields_alone(**fields), frozen=True)
