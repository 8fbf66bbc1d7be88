"""Tables, lists and sentences on lines of a given width."""

import pytest
from rich.cells import cell_len

from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.report.text.table import folded, table, wrapped_items
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
        (17, ["NAME   A  BBBB", "one    1    22", "two   10     2", "not shown: CC", "  (-o wide)"]),
        (12, ["NAME   A", "one    1", "two   10", "not shown:", "  BBBB, CC", "  (-o", "  wide)"]),
    ],
)
def test_a_narrow_screen_loses_columns_and_says_which(width: int, lines: list[str]) -> None:
    assert table(COLUMNS, ROWS, View(width)) == lines


def test_a_column_that_says_nothing_goes_before_all_others() -> None:
    columns = (Column("NAME", right=False), Column("WEIGHT", idle="1"), Column("LENT"), Column("PENDING", rank=1))
    rows = [Row(("one", "1", "–", "3")), Row(("two", "–", "–", "0"))]
    assert table(columns, rows, View(21))[0] == "NAME  WEIGHT  PENDING"
    assert table(columns, rows, View(20))[0] == "NAME  PENDING"
    other = [*rows, Row(("three", "2", "4", "0"))]
    assert table(columns, other, View(21))[0] == "NAME   WEIGHT  LENT", "a weight of 2 says something"


def test_a_long_name_is_shortened_in_the_middle_where_it_does_not_fit_and_this_is_said() -> None:
    name = "a-team-with-a-long-name/a-job-with-a-longer-name-0"
    rows = [Row((name, "1", "", "", "")), Row(("short", "2", "", "", ""))]
    assert table(COLUMNS[:2], rows, View(30)) == [
        "NAME                         A",
        "a-team-with-a…longer-name-0  1",
        "short                        2",
        "names are shortened (-o",
        "  wide)",
    ]
    assert table(COLUMNS[:2], rows, View(30, wide=True))[1] == f"{name}  1"


def test_wide_shows_every_column_that_says_something() -> None:
    assert table(COLUMNS, ROWS, View(2, wide=True)) == table(COLUMNS, ROWS, View(80))


def test_a_table_without_rows_has_its_titles() -> None:
    assert table(COLUMNS, [], View(80)) == ["NAME  A  BBBB  CC"]


def test_colour_changes_no_character_of_the_text() -> None:
    coloured = table(COLUMNS, ROWS, View(80, colour="standard"))
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
    assert wrapped_items("of: ", items, 13) == lines


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


WIDE = "日本語"
HOSTILE = "[red]a\x1b[31m\u200b\u202e\r\nb[/red]"
SHOWN = "[red]a\ufffd[31m\ufffd\ufffd  b[/red]"


def test_columns_are_as_wide_as_a_terminal_shows_them() -> None:
    lines = table(COLUMNS[:2], [Row((WIDE, "1")), Row(("e\u0301", "22")), Row(("🟢", "3"))], View(80))
    assert lines == ["NAME     A", "日本語   1", "e\u0301       22", "🟢       3"]
    assert {cell_len(line) for line in lines} == {10}


def test_sentences_fold_where_a_terminal_would() -> None:
    assert folded(f"{WIDE} {WIDE} a", 9) == [WIDE, f"{WIDE} a"]
    assert wrapped_items("of: ", [WIDE, WIDE], 12) == [f"of: {WIDE}" + " ·", f"  {WIDE}"]


def test_a_text_is_data_and_neither_markup_nor_an_order_to_the_terminal() -> None:
    assert table(COLUMNS[:2], [Row((HOSTILE, "1"))], View(80))[1] == f"{SHOWN}  1"
    assert folded(HOSTILE, 80) == [SHOWN.replace("  ", " ")]
    assert wrapped_items("of: ", [HOSTILE], 80) == [f"of: {SHOWN}"]
    assert View(colour="standard").paint("good", HOSTILE) == f"\x1b[32m{SHOWN}\x1b[0m"
    place = Place(ObjectKey("", "Node", "", "n"), ())
    assert View(places={place: Location(HOSTILE, 3, 1)}).cite(place) == f"{SHOWN}:3"


def test_a_column_folds_into_the_sentence_below_its_row() -> None:
    columns = (Column("NAME", right=False), Column("QUEUE", right=False, folds=True), Column("A"))
    rows = [Row(("one", "theirs", "1"), below="because"), Row(("two", "theirs", "2"), below="because")]
    assert table(columns, rows, View(20), "  ") == [
        "  NAME  QUEUE   A",
        "  one   theirs  1",
        "     because (also",
        "     the next row)",
        "  two   theirs  2",
    ]
    assert table(columns, rows, View(16), "  ") == [
        "  NAME  A",
        "  one   1",
        "     theirs:",
        "     because",
        "     (also the",
        "     next row)",
        "  two   2",
    ]


def test_rows_alike_are_counted_only_as_far_as_they_follow_each_other() -> None:
    rows = [Row((each,), below=each[0]) for each in ("a1", "a2", "a3", "b1", "a4")]
    assert table([Column("NAME", right=False)], rows, View(40)) == [
        "NAME",
        "a1",
        "     a (also the next 2 rows)",
        "a2",
        "a3",
        "b1",
        "     b",
        "a4",
        "     a",
    ]


def test_a_hidden_column_without_a_title_is_named() -> None:
    columns = [Column("NAME", right=False), Column("", right=False, rank=1)]
    lines = table(columns, [Row(("one", "org/a.yaml:3"))], View(12))
    assert " ".join(" ".join(lines[2:]).split()) == "not shown: places (-o wide)"


def test_a_wide_terminal_is_not_filled_unless_that_is_asked_for() -> None:
    assert View(200).width == 110
    columns = [Column("x" * 60), Column("y" * 60, rank=1)]
    assert len(table(columns, [], View(200))[0]) == 60
    assert len(table(columns, [], View(200, wide=True))[0]) == 122
