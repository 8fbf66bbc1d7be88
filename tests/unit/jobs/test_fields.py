"""Fields of foreign objects, with errors that name the place."""

from collections.abc import Callable

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey

KEY = ObjectKey("", "Pod", "team", "p")


def field(value: Json) -> Field:
    return Field(KEY, ("spec",), value)


def test_a_missing_field_has_missing_children_and_defaults() -> None:
    missing = field({}).at("a", "b")
    assert (missing.value, missing.text("x"), missing.flag(), missing.integer(3)) == (None, "x", False, 3)
    assert (missing.entries(), missing.texts(), missing.mapping(), missing.nano(native=True)) == ((), {}, {}, 0)


def test_a_path_leads_to_the_place_of_the_field() -> None:
    assert str(field({"a": {"b": [1, 2]}}).at("a", "b").entries()[1].place) == "Pod team/p spec.a.b[1]"


@pytest.mark.parametrize(
    ("read", "value", "wanted"),
    [
        (Field.text, 1, "a string"),
        (Field.entries, {}, "a list"),
        (Field.mapping, [], "an object"),
        (Field.flag, "yes", "true or false"),
        (lambda each: each.integer(0), 2**31, "a whole number of 32 bits"),
        (lambda each: each.integer(0), -(2**31) - 1, "a whole number of 32 bits"),
        (lambda each: each.integer(0), True, "a whole number of 32 bits"),
    ],
)
def test_a_value_of_another_type_is_an_error(read: Callable[[Field], object], value: Json, wanted: str) -> None:
    with pytest.raises(FairshareError, match=rf"`spec\.x` must be {wanted}") as caught:
        read(field({"x": value}).at("x"))
    assert str(caught.value.problems[0].place) == "Pod team/p spec.x"


@pytest.mark.parametrize("value", [-(2**31), 2**31 - 1])
def test_the_least_and_the_greatest_integer_are_read(value: int) -> None:
    assert field(value).integer(0) == value


def test_a_child_of_a_text_is_an_error_at_the_text() -> None:
    with pytest.raises(FairshareError, match=r"`spec\.a` must be an object, not `b`"):
        field({"a": "b"}).at("a", "c")


@pytest.mark.parametrize("value", [-1, "-1"])
def test_negative_amounts_are_errors(value: Json) -> None:
    with pytest.raises(FairshareError, match="negative"):
        field(value).nano(native=True)
    with pytest.raises(FairshareError):
        field(value).natural(0)


def test_only_kubernetes_own_kinds_take_fractions_without_quotes() -> None:
    assert field(0.5).nano(native=True) == 500_000_000
    with pytest.raises(FairshareError, match=r"`0\.5` is not a quantity") as caught:
        field(0.5).nano(native=False)
    assert caught.value.problems[0].help == "put quotes around it"


def test_a_moment_is_read_and_another_text_refused_at_its_place() -> None:
    assert (field("1970-01-01T00:00:01Z").moment(), field("").moment(), field(None).moment()) == (10**9, None, None)
    with pytest.raises(FairshareError, match=r"`spec` is not a moment: `soon`"):
        field("soon").moment()
