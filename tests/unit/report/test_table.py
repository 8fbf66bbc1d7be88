"""Tables, lists and sentences on lines of a given width."""

import pytest

from kubectl_fairshare.report.text.table import Column, Row, folded, table, wrapped
from kubectl_fairshare.report.text.view import View

COLUMNS = (
    Column("NAME", right=False),
    Column("A"),
    Column("BBBB", rank=1),
    Column("CC", rank=2),
    Column("", kept=False),
)
ROWS = [Row(("one", "1", "22", "3", "")), Row(("two", "10", "2", "3", ""), "good")]


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (80, ["NAME   A  BBBB  CC", "one    1    22   3", "two   10     2   3"]),
        (17, ["NAME   A  BBBB", "one    1    22", "two   10     2"]),
        (12, ["NAME   A", "one    1", "two   10"]),
        (2, ["NAME   A", "one    1", "two   10"]),
    ],
)
def test_a_narrow_screen_loses_columns_and_no_part_of_a_cell(width: int, lines: list[str]) -> None:
    assert table(COLUMNS, ROWS, View(width)) == lines


def test_wide_shows_every_column_that_says_something() -> None:
    assert table(COLUMNS, ROWS, View(2, wide=True)) == table(COLUMNS, ROWS, View(80))


def test_a_table_without_rows_has_its_titles() -> None:
    assert table(COLUMNS, [], View(80)) == ["NAME  A  BBBB  CC"]


def test_colour_changes_no_character_of_the_text() -> None:
    coloured = table(COLUMNS, ROWS, View(80, colour=True))
    assert coloured[2] == "\x1b[32mtwo   10     2   3\x1b[0m"
    assert coloured[1] == "one    1    22   3"


@pytest.mark.parametrize(
    ("items", "lines"),
    [
        ([], []),
        (["aa"], ["of: aa"]),
        (["aa", "bb", "cc"], ["of: aa · bb ·", "  cc"]),
        (["averyverylongname", "b"], ["of:", "  averyverylongname ·", "  b"]),
    ],
)
def test_items_are_never_divided(items: list[str], lines: list[str]) -> None:
    assert wrapped("of: ", items, 13) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a b c", ["a b c"]),
        ("aaa bbb ccc", ["aaa bbb", "  ccc"]),
        ("averyverylongname b", ["averyverylongname", "  b"]),
    ],
)
def test_sentences_break_at_blanks(text: str, lines: list[str]) -> None:
    assert folded(text, 8, "  ") == lines
