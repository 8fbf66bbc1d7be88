"""The mark stands under the word that is meant, however long the line is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.lint.formats.excerpt import excerpt_lines, piece
from kubectl_fairshare.report.text.view import View
from tests.unit.lint.formats.findings import placed


def marked(text: str, column: int, end: int, width: int = 80) -> tuple[str, str]:
    first, second = excerpt_lines(placed(excerpt=text, column=column, end=end), View(width), "")
    return first, second


def test_a_short_line_stands_as_it_is() -> None:
    assert marked("  name: vision", 9, 15) == ("18 |   name: vision", "   |         ^^^^^^")


def test_a_tabulator_keeps_the_mark_in_its_place() -> None:
    assert marked("\tname:\tx", 8, 9) == ("18 |  name: x", "   |        ^")


def test_the_mark_stands_under_the_cells_of_a_wide_word() -> None:
    assert marked("日: 本語 x", 4, 6) == ("18 | 日: 本語 x", "   |     ^^^^")


def test_a_line_without_text_has_no_excerpt() -> None:
    assert excerpt_lines(placed(excerpt="  "), View(), "") == []


@given(
    before=st.text(st.characters(categories=["L", "N", "P"]), max_size=400),
    word=st.text("abcdefgh", min_size=1, max_size=30),
    after=st.text(st.characters(categories=["L", "N", "P"]), max_size=400),
)
def test_the_word_is_under_the_mark(before: str, word: str, after: str) -> None:
    column = len(before) + 1
    found = placed(excerpt=before + word + after, column=column, end=column + len(word))
    text, at, length = piece(found, 60)
    assert len(text) <= 60
    assert text[at : at + length] == word


@pytest.mark.parametrize("room", [20, 60])
def test_a_word_longer_than_the_screen_is_marked_from_its_beginning(room: int) -> None:
    text, at, length = piece(placed(excerpt="x" * 500, column=1, end=400), room)
    assert (at, len(text)) == (0, room - 1)
    assert at + length <= room
