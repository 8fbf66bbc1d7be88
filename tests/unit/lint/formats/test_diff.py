"""What fixes change: a patch where it is piped, safe to look at where it is not."""

import re
from difflib import unified_diff as plain_diff

import pytest

from kubectl_fairshare.editing.changed_lines import ChangedLines, changed_lines
from kubectl_fairshare.editing.splice import Splice, spliced_text
from kubectl_fairshare.lint.formats.diff import ChangedText, unified_diff
from kubectl_fairshare.report.text.view import View

BEFORE = "a:\t1\u00a0\r\nb: \x1b[2J2\nc: 3"
AFTER = BEFORE.replace("1", "10").replace("2J2", "2J20")
CHANGED = ChangedText("a.yaml", BEFORE, AFTER, [ChangedLines(0, 1, 0, 1), ChangedLines(1, 2, 1, 2)])
NUMBERED = "".join(f"line {number}\n" for number in range(30))


def test_a_piped_patch_has_every_byte() -> None:
    lines = unified_diff([CHANGED], View()).split("\n")
    assert lines[:3] == ["--- a.yaml", "+++ a.yaml", "@@ -1,3 +1,3 @@"]
    assert lines[3:7] == ["-a:\t1\u00a0\r", "-b: \x1b[2J2", "+a:\t10\u00a0\r", "+b: \x1b[2J20"]
    assert lines[7:] == [" c: 3", "\\ No newline at end of file", ""]


def test_a_coloured_one_obeys_no_text() -> None:
    screen = unified_diff([CHANGED], View(colour="standard"))
    assert "\x1b" not in re.sub(r"\x1b\[(0|1|2|31|32)m", "", screen)
    assert "\x1b[31m-b: \ufffd[2J2\x1b[0m" in screen


@pytest.mark.parametrize(
    "changed",
    [
        {0: "first\n"},
        {29: "last"},
        {0: "", 29: ""},
        {0: "new\nline 0\n", 29: "line 29\nnew\n"},
        {4: "x\n", 11: "x\n"},  # six lines between them: one hunk
        {4: "x\n", 12: "x\n"},  # seven: two
        dict.fromkeys(range(0, 30, 2), "x\n"),
        dict.fromkeys(range(30), ""),
        {3: "line 3\n"},  # nothing new
        {10: "line 10\nline 11\n", 11: ""},
    ],
)
def test_hunks_are_those_of_a_plain_comparison(changed: dict[int, str]) -> None:
    starts = [0, *(each.end() for each in re.finditer("\n", NUMBERED))]
    splices = [Splice(starts[number], starts[number + 1], text) for number, text in changed.items()]
    after = spliced_text(NUMBERED, splices)
    found = unified_diff([ChangedText("a", NUMBERED, after, changed_lines(NUMBERED, splices))], View())
    plain = plain_diff(NUMBERED.splitlines(keepends=True), after.splitlines(keepends=True), "a", "a")
    assert found == "".join(map(_ended, plain))


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def test_too_many_lines_to_compare_are_all_shown_as_changed() -> None:
    old = [f"{number}\n" for number in range(600)]
    new = ["new\n", *old[1:]]
    text = ChangedText("a", "".join(old), "".join(new), [ChangedLines(0, 600, 0, 600)])
    lines = unified_diff([text], View()).splitlines(keepends=True)
    assert lines[2] == "@@ -1,600 +1,600 @@\n"
    assert lines[3:] == [*(f"-{line}" for line in old), *(f"+{line}" for line in new)]
