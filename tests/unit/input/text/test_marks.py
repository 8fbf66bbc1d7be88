"""A mark stands under the word that means the field: a value, a key, or a name."""

import pytest

from kubectl_fairshare.input.text.marks import REACH, mark
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Origin
from tests.unit.input.text.texts import texts_of

YAML = """\
apiVersion: v1   # one
kind: Thing
metadata:
  name: "the thing"  # its name
spec:
  plain: two words   # said
  flow: {a: [1,  22], "b": 'it''s', c: d e}
  list:
  - name: one
    empty:
  - other: 3
  - scalar
  block: |
    text
  anchored: &here !!str value
  alias: *here
"""
JSON = '{"apiVersion":"v1","metadata":{"name":"the \\"thing\\""},"spec":{"list":[{"name":"one"},{"x":3}],"n":16}}'


def marked(text: str, path: FieldPath, at_key: bool = False) -> str:
    found = mark(texts_of(text), Origin("x", 0), path, at_key=at_key)
    where = found.location
    word = found.excerpt[where.column - found.column : found.end - found.column]
    return f"{where.line}:{where.column} {word}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), '4:9 "the thing"'),
        (("metadata",), "3:1 metadata"),
        (("spec", "plain"), "6:10 two words"),
        (("spec", "flow"), "7:3 flow"),
        (("spec", "flow", "a"), "7:10 a"),
        (("spec", "flow", "a", 1), "7:18 22"),
        (("spec", "flow", "b"), "7:28 'it''s'"),
        (("spec", "flow", "c"), "7:40 d e"),
        (("spec", "list"), "8:3 list"),
        (("spec", "list", 0), "9:11 one"),
        (("spec", "list", 0, "empty"), "10:5 empty"),
        (("spec", "list", 1), "11:5 other"),
        (("spec", "list", 2), "12:5 scalar"),
        (("spec", "block"), "13:10 |"),
        (("spec", "anchored"), "15:25 value"),
        (("spec", "alias"), "16:10 *here"),
        (("spec", "missing"), "5:1 spec"),
        (("spec", "list", 0, "missing", "deep"), "9:11 one"),
        (("status",), '4:9 "the thing"'),
    ],
)
def test_the_word_in_yaml(path: FieldPath, expected: str) -> None:
    assert marked(YAML, path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), '1:39 "the \\"thing\\""'),
        (("spec",), '1:56 "spec"'),
        (("spec", "list", 0), '1:80 "one"'),
        (("spec", "list", 1), "1:87 {"),
        (("spec", "list", 1, "x"), "1:92 3"),
        (("spec", "n"), "1:100 16"),
    ],
)
def test_the_word_in_json(path: FieldPath, expected: str) -> None:
    assert marked(JSON, path) == expected


def test_a_key_can_be_meant() -> None:
    assert marked(YAML, ("spec", "plain"), at_key=True) == "6:3 plain"
    assert marked(JSON, ("spec", "n"), at_key=True) == '1:96 "n"'


def test_an_object_without_a_name_is_marked_where_it_begins() -> None:
    assert marked("apiVersion: v1\nkind: Configuration\n", ()) == "1:1 apiVersion"


def test_of_a_text_that_is_one_long_line_the_word_and_its_key_are_kept_alone() -> None:
    text = '{"a":"' + "x" * 9999 + '","b":16,"env":"hunter2","c":{"d":"' + "y" * 9999 + '"}}'
    found = mark(texts_of(text), Origin("x", 0), ("b",))
    assert (found.excerpt, found.location.column - found.column) == ('"b":16', 4)
    assert mark(texts_of(text), Origin("x", 0), ("c",)).excerpt == '"c"'
    assert len(mark(texts_of(text), Origin("x", 0), ("c", "d")).excerpt) <= 2 * REACH


@pytest.mark.parametrize("document", ['{"a":"b","b":16,"env":"hunter2"}', '["b", {"b":16,"env":"hunter2"}]'])
def test_of_a_line_that_is_a_document_the_word_and_its_key_are_kept_alone(document: str) -> None:
    found = mark(texts_of(f"{document}\n---\nx: y\n"), Origin("x", 0), ("b",) if document[0] == "{" else (1, "b"))
    assert found.excerpt == '"b":16'


def test_of_a_long_line_among_others_the_word_and_its_key_are_kept_alone() -> None:
    text = "a: {env: hunter2, b: 16, c: " + "y" * 9999 + "}\n"
    assert mark(texts_of(text), Origin("x", 0), ("a", "b")).excerpt == "b: 16"
    text = "d: 1\na: {c: " + "y" * 160 + ", env: hunter2, b: 16}\n"
    assert mark(texts_of(text), Origin("x", 0), ("a", "b")).excerpt == "b: 16"


def test_of_a_short_line_all_is_kept() -> None:
    assert mark(texts_of("a: {b: 16, c: 5}\n"), Origin("x", 0), ("a", "b")).excerpt == "a: {b: 16, c: 5}"


def test_a_text_inside_a_text_has_its_own_words() -> None:
    text = "metadata: {name: x}\ndata:\n  file.yaml: |\n    a:\n      b: 16 # wide\n"
    assert marked(text, ("data", "file.yaml", "a", "b")) == "5:10 16"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(end: str) -> None:
    assert marked(YAML.replace("\n", end), ("spec", "plain")) == "6:10 two words"
