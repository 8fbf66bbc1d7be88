"""Which JSON values are one value to the API server."""

import pytest

from kubectl_fairshare.api.sameness import ABSENT, same
from kubectl_fairshare.model.json import Json


@pytest.mark.parametrize("value", [None, True, 1, 1.0, "1", [1, {"a": []}], {"a": {"b": [1, 1.5]}}])
def test_a_value_is_itself(value: Json) -> None:
    assert same(value, value)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (1, True), (0, None), ("1", 1), ([1], [1, 1]), ([1, 2], [2, 1]), ({"a": 1}, {}), ({"a": 1}, {"a": 1.0})],
)
def test_numbers_of_another_kind_are_another_value(one: Json, other: Json) -> None:
    assert not same(one, other)
    assert not same(other, one)


def test_what_is_absent_is_no_value() -> None:
    assert not same(None, ABSENT)
    assert same(ABSENT, ABSENT)
