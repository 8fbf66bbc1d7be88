"""Blocks as lines: what a screen has room for, and what only a wide one shows."""

from kubectl_fairshare.answers.blocks import Entries, Indented, Items, Layout, Remark, Table, Wide, unfolded
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.report.text.drawing import layout_lines, lines_of
from kubectl_fairshare.report.text.view import View

PLACE = Place(ObjectKey("", "Pod", "a", "b"), ("spec", "priority"))
NAMES = [f"n{number}" for number in range(13)]
REST = "     … and 3 more (-o wide shows all)"


def test_a_remark_is_folded_and_has_its_place_and_a_title_is_not() -> None:
    view = View(20, places={PLACE: Location("a.yaml", 3, 1)})
    assert lines_of([Remark("aaa bbb ccc ddd eee"), unfolded("a title that stays one line")], view) == [
        "  aaa bbb ccc ddd",
        "    eee",
        "  a title that stays one line",
    ]
    assert lines_of([Remark("short", place=PLACE)], view) == ["  short     a.yaml:3"]


def test_a_long_list_ends_with_a_number_unless_the_screen_is_wide() -> None:
    block = Items("  nodes: ", NAMES, long=True)
    *_, last = lines_of([block], View(80))
    assert last == REST
    assert not any("more" in line for line in lines_of([block], View(80, wide=True)))
    assert lines_of([Items("nothing: ", [])], View(80)) == []


def test_what_is_told_of_an_entry_is_made_for_those_that_are_shown() -> None:
    made: list[str] = []

    def told(name: str) -> list[Remark]:
        made.append(name)
        return [Remark(name)]

    assert lines_of([Entries(NAMES, told)], View(80)) == [*(f"  {name}" for name in NAMES[:10]), REST]
    assert made == NAMES[:10]


def test_what_is_wide_is_made_there_alone() -> None:
    made: list[int] = []

    def told() -> list[Remark]:
        made.append(1)
        return [Remark("all")]

    block = Wide(told, [Remark("some")])
    assert lines_of([block], View(80)) == ["  some"]
    assert not made
    assert lines_of([block], View(80, wide=True)) == ["  all"]


def test_a_row_is_followed_by_its_blocks_and_wide_columns_are_for_wide_screens() -> None:
    rows = [Row(("a", "1", "yes")), Row(("b", "2", "no"))]
    columns = (Column("NAME", right=False), Column("N", wide=True), Column("FITS", right=False))
    block = Table(columns, rows, below=([Remark("of a")], []))
    assert lines_of([block], View(80)) == ["NAME  FITS", "a     yes", "  of a", "b     no"]
    assert lines_of([block], View(80, wide=True))[0] == "NAME  N  FITS"


def test_a_group_without_lines_has_no_blank_line() -> None:
    layout = Layout(("classical",), ([unfolded("one", indent="")], [], [Items("", [])], [unfolded("two", indent="")]))
    assert layout_lines(layout, Fidelity("s", "v1"), View(80))[1:] == ["", "one", "", "two"]


def test_fields_in_brackets_and_names_end_a_sentence() -> None:
    view = View(80, places={PLACE: Location("a.yaml", 3, 1)})
    assert lines_of([Remark("fits", within=(PLACE, Place(ObjectKey("", "Pod", "a", "c"))))], view) == [
        "  fits (a.yaml:3)"
    ]
    assert lines_of([Remark("these stay: ", names=NAMES)], view) == [
        "  these stay: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9",
        REST,
    ]


def test_what_belongs_to_a_sentence_is_below_it() -> None:
    assert lines_of([Indented([Remark("below")])], View(80)) == ["    below"]
