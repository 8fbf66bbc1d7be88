"""Every place in a YAML text is exact: line and column of the value's first character."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Origin
from tests.unit.input.text.texts import place, texts_of

BLOCK = """\
# a comment
apiVersion: v1   # one
spec:
  é日本: {a: [1,  22], "b": 'x'}
  list:
  - name: one
    empty:
  -   name: two
  - - nested
  text: |
    block
  "quoted key" : 5
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), "2:1"),
        (("apiVersion",), "2:13"),
        (("spec",), "4:3"),
        (("spec", "é日本"), "4:8"),
        (("spec", "é日本", "a", 1), "4:17"),
        (("spec", "é日本", "b"), "4:27"),
        (("spec", "list"), "6:3"),
        (("spec", "list", 0), "6:5"),
        (("spec", "list", 0, "empty"), "7:11"),
        (("spec", "list", 1, "name"), "8:13"),
        (("spec", "list", 2), "9:5"),
        (("spec", "list", 2, 0), "9:7"),
        (("spec", "text"), "10:9"),
        (("spec", "quoted key"), "12:18"),
        (("spec", "absent", "deep"), "4:3"),
        (("spec", "list", 9, "name"), "6:3"),
        (("spec", "list", "name"), "6:3"),
        (("apiVersion", "x"), "2:13"),
        (("nothing",), "2:1"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_values_in_block_and_flow_style(path: FieldPath, expected: str, end: str, mark: str) -> None:
    assert place(mark + BLOCK.replace("\n", end), path) == expected


ALIASES = """\
base: &b
  cpu: 1
  mem: 2
use: *b
merged:
  cpu: 9
  <<: *b
list: &l [a]
several:
  <<: [*b, {gpu: 3}]
  disk: 4
  !!str <<: plain
tagged: !!str   5
anchored: &x # why
  6
bare: &y
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("base",), "2:3"),
        (("use",), "4:6"),
        (("use", "cpu"), "4:6"),
        (("merged", "cpu"), "7:7"),
        (("merged", "mem"), "7:7"),
        (("list",), "8:10"),
        (("several", "cpu"), "10:8"),
        (("several", "gpu"), "10:18"),
        (("several", "disk"), "11:9"),
        (("several", "<<"), "12:13"),
        (("tagged",), "13:17"),
        (("anchored",), "15:3"),
        (("bare",), "16:7"),
    ],
)
def test_an_alias_is_where_it_is_used(path: FieldPath, expected: str) -> None:
    assert place(ALIASES, path) == expected


def test_keys_are_found_by_what_they_read_as() -> None:
    assert place("{yes: 1, 0x10: 2}\n", ("true",)) == "1:7"
    assert place("{yes: 1, 0x10: 2}\n", ("16",)) == "1:16"


def test_each_document_has_its_own_places() -> None:
    stream = "# first\n  a: 1\n  b: 2\n...\n%TAG !e! tag:e,1:\n---\na: !e!x 5\n---\n--- {a: 3}\n---\n\n  a:  4"
    found = [place(stream, ("a",), document) for document in (0, 1, 3, 4)]
    assert found == ["2:6", "7:9", "9:9", "12:7"]
    assert place(stream, ("b",), 0) == "3:6"


def test_odd_line_separators_are_no_lines_of_an_editor() -> None:
    assert place('a: "x\u2028y"\nb: 1\n', ("b",)) == "2:4"


def test_the_line_of_a_place_can_be_shown() -> None:
    texts = texts_of("\ufeffa: 1\r\nb:  é  \r\n")
    assert texts.excerpt(texts.locate(Origin("x", 0), ("b",))) == "b:  é  "
    assert texts.excerpt(texts.locate(Origin("x", 0))) == "a: 1"


LEAVES = st.integers(0, 10**6).map(lambda n: f"leaf{n}é")
TREES: st.SearchStrategy[Any] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdef"), inner, max_size=4)
)


def leaves(tree: Any, path: FieldPath = ()) -> list[tuple[FieldPath, str]]:
    if isinstance(tree, str):
        return [(path, tree)]
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree)
    return [leaf for name, held in entries for leaf in leaves(held, (*path, name))]


@given(st.lists(TREES, min_size=1, max_size=3), st.sampled_from([None, True, False]), st.integers(2, 9), st.booleans())
def test_every_leaf_is_found_where_it_is_written(
    trees: list[Any], flow: bool | None, indent: int, explicit: bool
) -> None:
    text = yaml.safe_dump_all(
        trees, default_flow_style=flow, indent=indent, allow_unicode=True, explicit_end=explicit, width=20
    )
    texts, lines = texts_of(text), text.split("\n")
    for document, tree in enumerate(trees):
        for path, leaf in leaves(tree):
            at = texts.locate(Origin("x", document), path)
            assert lines[at.line - 1][at.column - 1 :].startswith(leaf)
