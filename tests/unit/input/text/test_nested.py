"""Places inside a text that is YAML itself: exact in a block, at the field elsewhere."""

import pytest

from kubectl_fairshare.model.json import ColumnPart, FieldPath, LinePart
from tests.unit.input.text.texts import place

CONTENT = """\
# what the manager reads

apiVersion: config.kueue.x-k8s.io/v1beta2
integrations:
  frameworks:
  - pod
  - "é": {a: 1}
"""


def config_map(content: str, header: str, indentation: str, end: str = "\n") -> str:
    lines = [f"{indentation}{line}" if line else "" for line in content.split("\n")]
    return end.join(["data:", f"  other: 1\n  text: {header}".replace("\n", end), *lines, "kind: ConfigMap"])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("apiVersion",), "6:17"),
        (("integrations",), "8:7"),
        (("integrations", "frameworks"), "9:7"),
        (("integrations", "frameworks", 0), "9:9"),
        (("integrations", "frameworks", 1, "é", "a"), "10:18"),
        (("integrations", "externalFrameworks", 3), "8:7"),
        (("nothing",), "6:5"),
        ((LinePart(5),), "8:5"),
        ((LinePart(5), ColumnPart(3)), "8:7"),
    ],
)
@pytest.mark.parametrize("header", ["|", "|-", "|+", "|2 # as it is", "&anchor |", "!!str |"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_block_is_looked_into(path: FieldPath, expected: str, header: str, end: str) -> None:
    assert place(config_map(CONTENT, header, "    ", end), ("data", "text", *path)) == expected


def test_an_indented_first_line_does_not_shift_the_columns() -> None:
    text = "data:\n  text: |2\n      a:\n      - 1\n    "
    assert place(text, ("data", "text", "a", 0)) == "4:9"


@pytest.mark.parametrize(
    "text",
    [
        'data:\n  text: "a:\\n  b: 1\\n"\n',
        "data:\n  text: 'a: {b: 1}'\n",
        "data:\n  text: >\n    a: {b: 1}\n",
        "data:\n  text: |\n    a: [\n",
        "data:\n  text: |\n    a: *nobody\n",
        "data:\n  text: |\n    plain words\n",
        "data:\n  text: |\n",
        '{"data":\n{"k":1,"text": "a:\\n  b: 1\\n"}}',
    ],
)
def test_other_texts_are_one_place(text: str) -> None:
    assert place(text, ("data", "text", "a", "b")) == place(text, ("data", "text"))


def test_an_alias_of_a_block_is_where_it_is_used() -> None:
    assert place("a: &a |\n  b: 1\nc: *a\n", ("c", "b")) == "3:4"
    assert place("a: &a |\n  b: 1\nc: *a\n", ("a", "b")) == "2:6"


def test_a_line_tells_which_document_of_the_text_is_meant() -> None:
    text = "data: |\n  # first\n  a: 1\n  ---\n  only a text\n  ---\n  a: 2\n"
    assert place(text, ("data", "a")) == "3:6"
    assert place(text, ("data", LinePart(3), "a")) == "7:6"


def test_blocks_of_several_objects_are_told_apart() -> None:
    stream = "---\ndata: |\n  a: 1\n---\ndata: |\n  b: 0\n  a: 2\n"
    assert [place(stream, ("data", "a"), document) for document in (0, 1)] == ["3:6", "7:6"]
