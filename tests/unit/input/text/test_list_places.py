"""Places in a large List in ASCII are those that the scanner of characters finds."""

import gc
import json
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.input.text import json_list, list_places
from kubectl_fairshare.input.text.json_places import JsonPlaces
from kubectl_fairshare.input.text.list_places import ItemExtents, ListPlaces, first_item
from kubectl_fairshare.input.text.marks import mark
from kubectl_fairshare.input.text.text_places import TextPlaces
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Origin

_VALUES = st.recursive(
    st.sampled_from([None, 7, 1.5, "", "a,b", '"items": [', "}\n", "]"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "items", ","]), inner, max_size=3)
    ),
    max_leaves=6,
)
_LISTS = st.fixed_dictionaries(
    {"kind": st.just("List"), "items": st.lists(_VALUES, max_size=4)},
    optional={"metadata": _VALUES, "apiVersion": st.just("v1")},
).map(lambda found: dict(sorted(found.items(), key=str)))


def paths(value: object, at: FieldPath = ()) -> list[FieldPath]:
    """Every path in a value, and one beside each."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    below = [path for name, each in inside for path in paths(each, (*at, name))]
    return [at, (*at, "no such field"), (*at, 9), *below]


@given(_LISTS, st.sampled_from([None, 0, 1]))
def test_each_place_is_that_in_the_characters(found: dict[str, object], indent: int | None) -> None:
    text = json.dumps(found, indent=indent)
    packed = json_list.packed_list(text.encode())
    assert packed is not None
    assert packed.extents is not None
    whole = JsonPlaces(text, (0,))
    places = ListPlaces(text.encode(), packed.extents, lambda: whole)
    for path in paths(found):
        assert places.position(0, path) == whole.position(0, path)
        offset, tree = places.tree(0, path)
        assert offset + tree.position == whole.tree(0, path)[1].position


@given(_LISTS, st.sampled_from([None, 0, 1]), st.booleans())
def test_each_word_is_that_in_the_characters(found: dict[str, object], indent: int | None, at_key: bool) -> None:
    data = json.dumps(found, indent=indent).encode()
    packed = json_list.packed_list(data)
    assert packed is not None
    as_bytes, whole = (Texts([Text("x", data, "json", (0,), extents)]) for extents in (packed.extents, None))
    for number, item in enumerate(found["items"]):  # type: ignore[arg-type, var-annotated]
        origin = Origin("x", 0, ("items", number))
        for path in paths(item):
            assert mark(as_bytes, origin, path, at_key=at_key) == mark(whole, origin, path, at_key=at_key)
    assert isinstance(as_bytes["x"].held, bytes)


def test_only_the_object_is_made_characters() -> None:
    text = '{"kind": "List", "items": [{"a": 1},\n {"a": [2, 3]}]}'
    extents = ItemExtents(text.index('{"a": 1'), (8, 13), b",\n ")
    read = Text("x", text.encode(), "json", (0,), extents)
    texts = Texts([read])
    assert str(texts.locate(Origin("x", 0, ("items", 1)), ("a", 1))) == "x:2:12"
    assert texts.excerpt(texts.locate(Origin("x", 0, ("items", 1)))) == ' {"a": [2, 3]}]}'
    assert isinstance(read.held, bytes)
    assert str(texts.locate(Origin("x", 0, ("kind",)))) == "x:1:10"


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ('{"items": [ 1, 2]}', 12),
        ('{"items":[]}', 10),
        ('{"a": "\\"items\\": [", "items" : [1]}', 33),
        ('{"a": {"items": [7]}, "items": [1]}', 32),
        ('{"a": "items", "items": [1]}', 25),
        ('{"a": [1]}', None),
    ],
)
def test_the_first_item_is_that_of_the_list_itself(text: str, position: int | None) -> None:
    assert first_item(text.encode()) == position


def test_a_text_with_many_such_keys_is_left_to_the_scanner() -> None:
    many = ",".join(f'"{number}": {{"items": [1]}}' for number in range(list_places._MOST_KEYS))
    assert first_item(f'{{{many}, "items": [1]}}'.encode()) is None


def test_items_that_lie_differently_are_left_to_the_scanner() -> None:
    """Only then does nothing but the characters say where each of them is."""
    text = '{"kind": "List", "items": [{"a": 1}, {"a": 2},\n{"a": 3}]}'
    packed = json_list.packed_list(text.encode())
    assert packed is not None
    assert packed.content["items"] == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert packed.extents is None
    texts = Texts([Text("x", text.encode(), "json", (0,), packed.extents)])
    assert str(texts.locate(Origin("x", 0, ("items", 2)), ("a",))) == "x:2:7"


def test_places_of_a_list_go_with_their_text_at_once() -> None:
    text = b'{"kind": "List", "items": [{"a": 1}, {"a": 2}]}'
    packed = json_list.ListPieces(text)
    for _ in packed.batches():
        pass
    places = TextPlaces(Text("x", text, "json", (0,), packed.extents))
    assert places.place(0, ("items", 1, "a")) == (1, 44)
    assert places.place(0, ("kind",)) == (1, 10)
    gone = ref(places)
    gc.disable()
    try:
        del places
        assert gone() is None
    finally:
        gc.enable()
