"""What Go's types make of an object, and how Go writes it back."""

from typing import Any

import pytest

from kubectl_fairshare.api.golang import DecodingError, decode, encode, equal
from kubectl_fairshare.api.structures.structure import (
    BOOLEAN,
    DURATION,
    INT32,
    INT_OR_STRING,
    QUANTITY,
    STRING,
    TIME,
    Array,
    Map,
    Struct,
    StructField,
)

PART = Struct("Part", {"amount": StructField("amount", QUANTITY), "note": StructField("note", STRING, kept=True)})
WHOLE = Struct(
    "Whole",
    {
        field.name: field
        for field in (
            StructField("name", STRING),
            StructField("count", INT32),
            StructField("limit", INT32, pointer=True),
            StructField("on", BOOLEAN, pointer=True, kept=True),
            StructField("at", TIME, zeroless=True),
            StructField("span", DURATION),
            StructField("port", INT_OR_STRING),
            StructField("part", PART),
            StructField("later", PART, pointer=True),
            StructField("parts", Array(PART)),
            StructField("amounts", Map(QUANTITY)),
        )
    },
)


@pytest.mark.parametrize(
    ("written", "view"),
    [
        ({"name": "", "count": 0}, {}),
        ({"limit": 0, "on": False}, {"limit": 0, "on": False}),
        ({"name": None, "unknown": 1}, {}),
        (
            {"count": 2.0, "amounts": {"cpu": 0.5, "memory": "1024Ki"}},
            {"count": 2, "amounts": {"cpu": "500m", "memory": "1Mi"}},
        ),
        ({"at": "2024-01-01T01:00:00.5+01:00"}, {"at": "2024-01-01T00:00:00Z"}),
        ({"parts": [None, {"amount": 1000}]}, {"parts": [{}, {"amount": "1k"}]}),
    ],
)
def test_the_go_view(written: Any, view: Any) -> None:
    assert decode(WHOLE, written) == view


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ({"name": 1}, ("name",)),
        ({"count": 1 << 31}, ("count",)),
        ({"count": 1.5}, ("count",)),
        ({"on": "true"}, ("on",)),
        ({"span": "5 minutes"}, ("span",)),
        ({"at": "yesterday"}, ("at",)),
        ({"port": 1 << 31}, ("port",)),
        ({"parts": {}}, ("parts",)),
        ({"parts": [{}, {"amount": "1x"}]}, ("parts", 1, "amount")),
        ({"amounts": {"cpu": []}}, ("amounts", "cpu")),
        ([], ()),
    ],
)
def test_a_value_that_go_cannot_hold_is_named(written: Any, path: tuple[str | int, ...]) -> None:
    with pytest.raises(DecodingError) as raised:
        decode(WHOLE, written)
    assert raised.value.path == path


def test_go_writes_zero_structs_and_kept_fields_and_leaves_out_the_rest() -> None:
    part = {"amount": "0", "note": ""}
    assert encode(WHOLE, {}) == {"on": None, "part": part}
    assert encode(WHOLE, {"parts": [], "amounts": {}, "limit": 0, "gone": 1}) == {"on": None, "part": part, "limit": 0}
    assert encode(WHOLE, {"parts": [{}]})["parts"] == [part]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ({"amounts": {"cpu": "1"}}, {"amounts": {"cpu": "1000m"}}, True),
        ({"parts": []}, {}, True),
        ({"later": {}}, {}, False),
        ({"part": {}}, {}, True),
        ({"parts": [{"amount": "1"}]}, {"parts": [{"amount": "2"}]}, False),
        ({"unknown": 1}, {}, False),
    ],
)
def test_semantic_equality(one: Any, other: Any, alike: bool) -> None:
    assert equal(WHOLE, one, other) is alike
    assert equal(WHOLE, other, one) is alike
