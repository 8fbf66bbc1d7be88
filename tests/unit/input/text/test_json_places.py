"""Every place in a JSON text is exact, and cheap in a large one."""

import json
import time
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Origin
from tests.unit.input.text.test_yaml_places import TREES, leaves
from tests.unit.input.text.texts import place, texts_of

LIST = """\
{ "metadata" : {"items": [0], "é": "日本", "x": {}},
\t"items":[{}, {"a":{"b\\"c":  7}},
  [ 1 , "]" , {"k":"}"} ] ],
  "kind":"List"
}
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), "1:1"),
        (("metadata",), "1:16"),
        (("metadata", "items", 0), "1:27"),
        (("metadata", "é"), "1:36"),
        (("metadata", "x"), "1:47"),
        (("items",), "2:10"),
        (("items", 0), "2:11"),
        (("items", 1), "2:15"),
        (("items", 1, "a", 'b"c'), "2:30"),
        (("items", 2, 1), "3:9"),
        (("items", 2, 2, "k"), "3:20"),
        (("items", 3), "2:10"),
        (("items", 1, "z", "y"), "2:15"),
        (("items", "x"), "2:10"),
        (("items", 1, 0), "2:15"),
        (("kind",), "4:10"),
        (("kind", "x"), "4:10"),
        (("none", 1), "1:1"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_values_of_a_list(path: FieldPath, expected: str, end: str, mark: str) -> None:
    assert place(mark + LIST.replace("\n", end), path) == expected


def test_documents_one_after_another() -> None:
    stream = '{"a":1}\n\n{"é":"é","items":[5,{"a":2}]} {"a":3}\n---\n {"a" :\t4}'
    found = [place(stream, ("a",), document) for document in (0, 2, 3)]
    assert found == ["1:6", "3:36", "5:9"]
    assert place(stream, ("items", 1, "a"), 1) == "3:26"


def test_a_list_without_items_or_with_odd_ones() -> None:
    assert place('{"items": 5}', ("items", 0)) == "1:11"
    assert place('{"kind": "x"}', ("items", 0)) == "1:1"
    assert place('{"items": []}', ("items", 0)) == "1:11"


@given(TREES, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_every_leaf_is_found_where_it_is_written(tree: Any, escaped: bool, indent: int | str | None) -> None:
    text = json.dumps({"items": [tree, tree]}, ensure_ascii=escaped, indent=indent)
    texts, lines = texts_of(text), text.split("\n")
    for path, leaf in leaves([tree, tree]):
        at = texts.locate(Origin("x", 0), ("items", *path))
        assert lines[at.line - 1][at.column - 1 :].startswith(json.dumps(leaf, ensure_ascii=escaped))


@pytest.mark.parametrize("option", [pytest.param(0, marks=pytest.mark.slow), orjson.OPT_INDENT_2])
def test_one_place_in_a_large_list_is_cheap_and_the_next_ones_nearly_free(option: int) -> None:
    item = {"metadata": {"name": "é", "labels": {f"k{n}": "v" * 9 for n in range(40)}}, "spec": {"x": 1}}
    data = orjson.dumps({"items": [item] * 12_000}, option=option)
    texts = texts_of(data)
    whole = shortest(lambda: orjson.loads(data))
    started = time.process_time()
    texts.locate(Origin("x", 0), ("items", 9_000, "spec", "x"))
    first = time.process_time() - started
    following = shortest(lambda: texts.locate(Origin("x", 0), ("items", 11_000, "spec", "x")))
    assert first < 3 * whole
    assert following < whole / 50


def shortest(run: Any) -> float:
    times = []
    for _ in range(3):
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return min(times)
