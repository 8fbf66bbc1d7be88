"""What fixes change: a patch where it is piped, safe to look at where it is not."""

import re

from kubectl_fairshare.lint.formats.diff import unified_diff
from kubectl_fairshare.report.text.view import View

BEFORE = "a:\t1\u00a0\r\nb: \x1b[2J2\nc: 3"
AFTER = BEFORE.replace("1", "10").replace("2J2", "2J20")


def test_a_piped_patch_has_every_byte() -> None:
    lines = unified_diff([("a.yaml", BEFORE, AFTER)], View()).split("\n")
    assert lines[:3] == ["--- a.yaml", "+++ a.yaml", "@@ -1,3 +1,3 @@"]
    assert lines[3:7] == ["-a:\t1\u00a0\r", "-b: \x1b[2J2", "+a:\t10\u00a0\r", "+b: \x1b[2J20"]
    assert lines[7:] == [" c: 3", "\\ No newline at end of file", ""]


def test_a_coloured_one_obeys_no_text() -> None:
    screen = unified_diff([("a.yaml", BEFORE, AFTER)], View(colour="standard"))
    assert "\x1b" not in re.sub(r"\x1b\[(0|1|2|31|32)m", "", screen)
    assert "\x1b[31m-b: \ufffd[2J2\x1b[0m" in screen
