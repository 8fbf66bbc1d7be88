"""The positions of a whole JSON object, taken in one pass, are those of the exact scanner."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.input.text.json_places import JsonPlaces, deepest
from kubectl_fairshare.input.text.yaml_places import descend
from kubectl_fairshare.model.json import FieldPath, Json

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=5), v, max_size=4))


def paths(value: Json, path: FieldPath = ()) -> Iterator[FieldPath]:
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, held in entries:
        yield from paths(held, (*path, name))


@pytest.mark.parametrize("indent", [None, 2])
@given(value=st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_every_value_is_where_the_scanner_finds_it(indent: int | None, value: Json) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    _, tree = JsonPlaces(text, (0,)).tree(0, ())
    for path in paths(value):
        spot, rest = descend(tree, path)
        assert rest == ()
        assert spot.position == deepest(text, 0, path)


@given(value=st.dictionaries(st.text(max_size=5), SCALARS, min_size=1, max_size=4))
def test_keys_are_where_they_stand(value: Json) -> None:
    text = json.dumps(value, ensure_ascii=False)
    _, tree = JsonPlaces(text, (0,)).tree(0, ())
    for name in value:
        key = descend(tree, (name,))[0].key
        assert text[key:].startswith(json.dumps(name, ensure_ascii=False))


def test_one_item_of_a_list_is_enough() -> None:
    text = '{"kind":"List","items":[{"a":1},{"b":[2]}]}'
    _, tree = JsonPlaces(text, (0,)).tree(0, ("items", 1))
    assert text[tree.position :].startswith('{"b"')
    assert text[descend(tree, ("b", 0))[0].position] == "2"
