"""Edits inside a block of lines: the lines around them stay, and so does what follows the block."""

import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.editing.inner_text import inner_text
from kubectl_fairshare.editing.splice import Splice, UnspliceableError, in_order, spliced_text
from kubectl_fairshare.input.text.nodes import TextNode, yaml_document
from tests.property.effort import examples

BLANK = re.compile(r"(\r?\n)+(?=z: |# remark\r?\nz: |$(?!\s))")
"""Ends of lines before what follows the block: how many the text in it has there is no matter of its lines."""
HEAD = "top:\n"
LINES = st.sampled_from(["", "a: b", "- x", "# remark", "  deep: 1", "ä: ü"])
ENDS = st.sampled_from(["", "\n", "\nz: 1\n", "\n\nz: 1\n", "\n# remark\nz: |\n  a\n"])


def block(lines: list[str], newline: str, end: str) -> str:
    """A document whose field ``c`` has these lines."""
    written = "".join(f"\n    {line}" if line else "\n" for line in ["top:", *lines])
    return f"b: 1\nc: |{written}{end}".replace("\n", newline)


def held(text: str) -> TextNode:
    node = yaml_document(text).root
    assert node.entries is not None
    return node.entries[1].value


@given(
    lines=st.lists(LINES, max_size=12),
    newline=st.sampled_from(["\n", "\r\n"]),
    end=ENDS,
    places=st.lists(st.integers(0, 60), max_size=6),
    texts=st.lists(st.sampled_from(["", "x", "x\n", "\nx", "a: b\n", "\n"]), min_size=3, max_size=3),
)
@examples(2000)
def test_a_block_reads_as_the_text_after_the_edits(
    lines: list[str], newline: str, end: str, places: list[int], texts: list[str]
) -> None:
    outer = block([*lines, "last: 1"], newline, end)
    document = yaml_document(outer, newline)
    node = held(outer)
    at = sorted({len(HEAD) + place for place in places if len(HEAD) + place <= len(node.value)})
    splices = [Splice(a, b, new) for a, b, new in zip(at[::2], at[1::2], texts, strict=False)]
    changed = spliced_text(outer, inner_text(document, node).rewriting(splices))
    found, before = (yaml.safe_load(each) for each in (changed, outer))
    assert found.pop("c").rstrip("\n") == spliced_text(node.value, splices).rstrip("\n")
    del before["c"]
    assert found == before
    _, *after = spliced_text(node.value, splices).rstrip("\n").split("\n")
    assert BLANK.sub("", changed) == BLANK.sub("", block(after, newline, end))


@pytest.mark.parametrize(
    ("old", "new", "lines", "written"),
    [
        ("\nb", "\nnew: 1\nb", "", "    new: 1\n"),
        ("1\nb: 2\nc", "1\nb: 3\nc", "    b: 2\n", "    b: 3\n"),
        ("b: 2", "b: 2\nb: 3", "", "    b: 3\n"),
    ],
)
def test_an_edit_changes_no_more_lines_than_it_has_to(old: str, new: str, lines: str, written: str) -> None:
    outer = block(["a: 1", "b: 2", "c: 3"], "\n", "\nz: 1\n")
    value = held(outer).value
    at = value.index(old)
    (made,) = inner_text(yaml_document(outer), held(outer)).rewriting([Splice(at, at + len(old), new)])
    assert (outer[made.start : made.end], made.text) == (lines, written)


def test_an_edit_of_nothing_changes_nothing() -> None:
    outer = block(["a: 1"], "\n", "")
    value = held(outer).value
    splices = [Splice(value.index("1"), value.index("1") + 1, "1"), Splice(len(value), len(value), "\n")]
    assert not list(inner_text(yaml_document(outer), held(outer)).rewriting(splices))


@pytest.mark.parametrize(
    ("old", "new", "end"),
    [
        ("b: 2", "b: 3", ""),
        ("b: 2", "b: 2\nc: 3", ""),
        ("\nb: 2", "", ""),
        ("a: 1", "a: 1\n\nc: 3", ""),
        ("b: 2", "b: 2\nc: 3", "\n"),
        ("b: 2", "b: 2\nc: 3", "\nz: 1\n"),
    ],
)
def test_a_last_line_without_an_end_gets_none(old: str, new: str, end: str) -> None:
    outer = block(["a: 1", "b: 2"], "\n", end)
    value = held(outer).value
    at = value.index(old)
    made = inner_text(yaml_document(outer), held(outer)).rewriting([Splice(at, at + len(old), new)])
    after = value.rstrip("\n").replace(old, new).split("\n")[1:]
    assert spliced_text(outer, made) == block(after, "\n", end)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("b: 1\nc: >\n  a: 1\n", "not written as a block"),
        ("b: 1\nc: |\n\n  \n", "is empty"),
    ],
)
def test_why_an_edit_is_refused_is_told_each_time(text: str, why: str) -> None:
    inside: Any = inner_text(yaml_document(text), held(text))
    for _ in range(2):
        with pytest.raises(UnspliceableError, match=why):
            list(inside.rewriting(in_order([Splice(0, 0, "x\n")])))


def test_a_text_is_read_once_for_all_its_edits() -> None:
    text = block([], "\n", "\n")
    document = yaml_document(text)
    assert document.root.entries is not None
    node = document.root.entries[1].value
    assert inner_text(document, node) is inner_text(document, node)
    assert inner_text(document, node).document is inner_text(document, node).document
