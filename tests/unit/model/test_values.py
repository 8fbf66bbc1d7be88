"""Our ``dataclass`` makes what the standard one makes, later."""

import dataclasses
import operator
from collections.abc import Callable
from functools import cached_property, partial
from threading import Barrier, Thread
from typing import Any, ClassVar

import pytest

from kubectl_fairshare.model import values

MAKERS = {"standard": dataclasses.dataclass, "ours": values.dataclass}
OPTIONS: list[dict[str, Any]] = [
    {"frozen": True, "slots": True},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True, "eq": False},
    {"slots": True, "kw_only": True},
]


def pair(maker: Callable[..., Any], **options: Any) -> tuple[Any, Any]:
    """A class and one that builds on it."""

    @maker(**options)
    class Point:
        """A point."""

        x: int
        y: int = 2
        more: list[int] = dataclasses.field(default_factory=list, compare=False)

        def __post_init__(self) -> None:
            if self.x > 100:
                raise ValueError("far away")

        @property
        def double(self) -> int:
            """Twice the first."""
            return self.x * 2

    @maker(**options)
    class Named(Point):
        """One with a name."""

        name: str = "a"

    return Point, Named


def told(make: Callable[[], Any]) -> object:
    """What comes of a call: a value, or the kind of error."""
    try:
        return make()
    except (AttributeError, TypeError, ValueError) as error:
        return type(error)


def seen(maker: Callable[..., Any], options: dict[str, Any]) -> list[object]:
    """Everything about the two classes that can be seen from outside."""
    point, named = pair(maker, **options)
    a, b, c = point(x=1), point(x=1, more=[7]), named(x=1, name="b")
    values = [a, b, c, dataclasses.replace(c, x=5)]
    return [
        *(repr(value) for value in values),
        [[one == other for other in values] for one in values],
        [told(partial(hash, one)) == told(partial(hash, a)) for one in values],
        [told(partial(operator.lt, one, a)) for one in values],
        [hasattr(value, "__dict__") for value in values],
        [getattr(cls, "__slots__", None) for cls in (point, named)],
        [cls.__match_args__ for cls in (point, named)],
        [[field.name for field in dataclasses.fields(cls)] for cls in (point, named)],
        [(cls.__name__, cls.__qualname__.rpartition(".")[2], cls.__doc__, cls.__module__) for cls in (point, named)],
        [(value.double, value.more) for value in values],
        told(lambda: setattr(a, "x", 3)),
        told(lambda: delattr(a, "x")),
        told(lambda: setattr(a, "nowhere", 3)) is None or "raises",  # TypeError where it is frozen and has no slots
        told(point),
        told(lambda: point(1, 2, [3], 4)),
        told(lambda: point(x=1, z=1)),
        told(lambda: point(x=101)),
    ]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_class_is_the_same_as_the_standard_one(options: dict[str, Any]) -> None:
    standard, ours = (seen(maker, options) for maker in MAKERS.values())
    assert ours == standard


def test_nothing_is_compiled_before_there_is_a_value() -> None:
    point, named = pair(values.dataclass, frozen=True, slots=True)
    assert not {"__eq__", "__repr__", "__setattr__"} & {*vars(point), *vars(named)}
    named(x=1)
    assert {"__eq__", "__repr__", "__setattr__"} <= vars(point).keys() & vars(named).keys()


def test_fields_can_be_asked_for_before_there_is_a_value() -> None:
    point, named = pair(values.dataclass, frozen=True, slots=True)
    assert [field.name for field in dataclasses.fields(named)] == ["x", "y", "more", "name"]
    assert dataclasses.is_dataclass(point)


def test_a_plain_class_may_build_on_one() -> None:
    point, _ = pair(values.dataclass, slots=True)

    plain: Any = type("Plain", (point,), {})
    assert plain(x=4).double == 8


def test_a_class_attribute_is_no_field_and_a_cached_property_works() -> None:
    @values.dataclass(frozen=True)
    class Tree:
        """One without slots."""

        kinds: ClassVar[int] = 7
        height: int

        @cached_property
        def rings(self) -> list[int]:
            """One for each year."""
            return list(range(self.height))

    tree = Tree(2)
    assert tree.rings is tree.rings
    assert [field.name for field in dataclasses.fields(Tree)] == ["height"]


def test_threads_may_make_the_first_values_at_once() -> None:
    for _ in range(50):
        _, named = pair(values.dataclass, frozen=True, slots=True)
        barrier, made = Barrier(4), list[Any]()

        def make(named: Any = named, barrier: Barrier = barrier, made: list[Any] = made) -> None:
            barrier.wait()
            made.append(named(x=1, name="b"))

        threads = [Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [named(x=1, name="b")] * 4
