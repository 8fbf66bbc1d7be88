"""What changed from one picture to the next, and how much of a picture fits."""

import pytest

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.report.text.console import printed, texts
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.text.watching import (
    Changes,
    broken,
    changes,
    fitting,
    marked_lines,
    status_lines,
    unanswered,
)

BEFORE = ["total  3", "├─ a   1", "└─ b   2", "", "note"]
PLAIN = View(80)
COLOURED = View(80, colour="standard")


def shown(lines: list[str], found: Changes, view: View = PLAIN) -> list[str]:
    return printed(marked_lines(lines, found, view), view.colour).splitlines()


def test_the_same_lines_have_not_changed() -> None:
    assert not changes(BEFORE, BEFORE)


def test_blanks_and_branches_are_no_change() -> None:
    assert not changes(["total      3", "├─ a       1", "├─ b       2", "note"], BEFORE)


def test_a_line_that_begins_alike_has_changed_and_keeps_its_words() -> None:
    assert changes(["total  4", *BEFORE[1:]], BEFORE) == Changes({0: ("total", "3")}, 0)


def test_a_line_that_begins_like_none_is_new() -> None:
    assert changes([*BEFORE[:3], "└─ c   2", *BEFORE[3:]], BEFORE) == Changes({3: ()}, 0)


def test_a_line_without_successor_is_gone() -> None:
    assert changes(BEFORE[:4], BEFORE) == Changes({}, 1)


def test_the_second_of_two_equal_lines_is_new() -> None:
    assert changes(["same", "same"], ["same"]) == Changes({1: ()}, 0)


def test_lines_that_only_changed_places_have_not_changed() -> None:
    assert not changes(["b 2", "a 1"], ["a 1", "b 2"])


def test_paint_is_no_change() -> None:
    assert not changes([COLOURED.paint("good", "total  3")], ["total  3"])


def test_changed_lines_bear_a_mark_and_others_stand_where_they_stand() -> None:
    assert shown(["a 1", "", "b 2"], Changes({2: ("b", "1")}, 0)) == ["  a 1", "", "▸ b 2"]


def test_in_colour_the_words_that_changed_are_reversed() -> None:
    lines = shown(["└─ b  0.2  ▲  gpu"], Changes({0: ("b", "0", "gpu")}, 0), COLOURED)
    assert lines == ["\x1b[1m▸ \x1b[0m└─ b  \x1b[7m0.2\x1b[0m  \x1b[7m▲\x1b[0m  gpu"]


def test_a_new_line_is_not_reversed() -> None:
    assert shown(["b 2"], Changes({0: ()}, 0), COLOURED) == ["\x1b[1m▸ \x1b[0mb 2"]


def test_a_line_in_colour_keeps_it_behind_its_mark() -> None:
    line = COLOURED.paint("good", "└─ b  0.2")
    assert shown([line], Changes({0: ("b", "0")}, 0), COLOURED) == [
        "\x1b[1m▸ \x1b[0m\x1b[32m└─ b  \x1b[0m\x1b[7;32m0.2\x1b[0m"
    ]


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (None, "no change since 12:00:00"),
        (Changes({0: ("a",)}, 0), "last change 12:00:00: 1 line changed"),
        (Changes({0: ("a",), 1: (), 2: ()}, 4), "last change 12:00:00: 1 line changed, 2 lines new, 4 lines gone"),
    ],
)
def test_the_head_tells_what_changed_when(found: Changes | None, told: str) -> None:
    assert status_lines("12:00:05", 2.5, found, "12:00:00", View(120)) == [f"12:00:05 · every 2.5s · {told}"]


def test_a_picture_that_is_old_says_since_when_and_why() -> None:
    problems = [Problem("the API server can't be reached", "https://here", "wait")]
    assert unanswered(problems, "12:00:00", "12:00:05", "12:00:15", PLAIN) == [
        "answer of 12:00:00, out of date since 12:00:05; next attempt at 12:00:15",
        "error: https://here: the API server can't be reached",
        "  help: wait",
    ]


def fitted(head: list[str], lines: list[str], columns: int, rows: int) -> list[str]:
    return [row.plain.rstrip() for row in fitting(texts(head), texts(lines), columns, rows)]


def test_what_fits_is_shown_whole() -> None:
    assert fitted(["head"], ["a", "b"], 80, 3) == ["head", "a", "b"]


def test_what_does_not_fit_is_counted() -> None:
    rows = fitted(["head"], [str(n) for n in range(9)], 80, 4)
    assert rows == ["head", "0", "1", "… 7 more lines: use a taller terminal"]


def test_a_last_line_of_two_rows_needs_both() -> None:
    lines = ["a", "b", "long line"]
    assert fitted([], lines, 5, 4) == ["a", "b", "long", "line"]
    assert fitted([], lines, 5, 3) == ["a", "b", "… 1 more line: use a taller terminal"]


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
@pytest.mark.parametrize("columns", [40, 41])
def test_never_more_rows_than_there_are(rows: int, columns: int) -> None:
    lines = ["x" * n for n in range(30, 90)]
    assert len(fitted(["h" * 100], lines, columns, rows)) <= rows


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("", [""]),
        ("a bc def", ["a bc", "def"]),
        ("a bcdefghi", ["a", "bcdef", "ghi"]),
        ("abcde", ["abcde"]),
        ("日本語", ["日本", "語"]),
    ],
)
def test_lines_are_broken_at_blanks_where_there_are_any(line: str, rows: list[str]) -> None:
    assert [row.plain.rstrip() for row in broken(texts([line])[0], 5)] == rows


def test_colour_goes_on_from_row_to_row() -> None:
    rows = broken(texts(["\x1b[2mab cde\x1b[0m"])[0], 5)
    assert printed(rows, "standard") == "\x1b[2mab \x1b[0m\n\x1b[2mcde\x1b[0m\n"
