"""Findings as a screen: on a terminal by file, elsewhere each with its whole place in front."""

import re

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.formats.text import concise_lines, lint_screen
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.view import View
from tests.unit.lint.formats.findings import HOSTILE, UNREAD, counts, made, placed

WARNING = made("K059", "cohort-misnamed", Severity.WARNING)

GREPPABLE = """\
org/speech.yaml:18:23: error[K027] lending-limit-above-nominal: `lendingLimit` is 4 more than there is to lend
      18 |         lendingLimit: 16  # generous
         |                       ^^
      nominalQuota: 12
      lendingLimit: 16
      org/flavors.yaml:3:9: defined here
      help: 12 or less [*] --fix

⇒ 1 error in 9 files (41 objects) · 1 fixable with --fix ·
  rule K027: kubectl fairshare help K027
"""
GROUPED = """\
org/a.yaml
  18:23  error[K027] lending-limit-above-nominal
      `lendingLimit` is 4 more than there is to lend
      18 |         lendingLimit: 16  # generous
         |                       ^^
      nominalQuota: 12
      lendingLimit: 16
      org/flavors.yaml:3:9: defined here
      help: 12 or less

org/b.yaml
  2:23  info[K059] cohort-misnamed
      one
      2 |         lendingLimit: 16  # generous
        |                       ^^
      nominalQuota: 12
      lendingLimit: 16
      org/flavors.yaml:3:9: defined here
      rendered from chart/templates/b.yaml
      info only: Cohort root may be defined elsewhere; with --complete it is
        missing
      help: 12 or less

⇒ 1 error, 1 info in 9 files (41 objects) ·
  rule K027: kubectl fairshare help K027
"""


def screen(*findings: object, grouped: bool = False, colour: bool = False) -> str:
    found = [f for f in findings if not isinstance(f, tuple)]
    return lint_screen(found, counts(*found), (), View(colour="standard" if colour else ""), grouped=grouped)  # type: ignore[arg-type]


def test_away_from_a_terminal_a_finding_begins_with_its_place() -> None:
    assert screen(placed()) == GREPPABLE


def test_on_a_terminal_findings_stand_under_their_file() -> None:
    mild = placed(
        "one", of=WARNING, source="org/b.yaml", line=2, fixable=False, elsewhere="Cohort root",
        template="chart/templates/b.yaml",
    )  # fmt: skip
    assert screen(placed(source="org/a.yaml", fixable=False), mild, grouped=True) == GROUPED


def test_a_unit_that_is_one_file_is_named_once() -> None:
    one = replace(placed(source="org/a.yaml", fixable=False), unit="org/a.yaml")
    assert screen(one, grouped=True).startswith("org/a.yaml\n")
    assert screen(one).startswith("org/a.yaml:18:23: ")
    folder = replace(one, unit="org")
    assert screen(folder, grouped=True).startswith("org: org/a.yaml\n")


def test_a_clean_result_says_what_was_read() -> None:
    assert screen() == "✔ no findings in 9 files (41 objects)\n"


def test_what_could_not_be_read_is_said_where_the_result_is() -> None:
    text = lint_screen((), counts(), UNREAD, View(), grouped=False)
    assert text.splitlines()[-1] == "3 problems while reading: this report covers the rest only"


def test_the_hint_is_about_the_worst_finding() -> None:
    assert "kubectl fairshare help K027" in screen(placed("one", of=WARNING), placed())


def test_a_message_is_one_line_that_no_terminal_obeys() -> None:
    text = screen(placed(HOSTILE, excerpt=f"lendingLimit: {HOSTILE}", column=15, end=20))
    assert len(text.splitlines()) == len(GREPPABLE.splitlines())
    assert "\x1b" not in text
    assert "\x00" not in text


def test_all_but_the_greppable_line_keep_to_the_width() -> None:
    long = placed("word " * 60, excerpt="x" * 300, column=150, end=170, elsewhere="ResourceFlavor " + "a " * 50)
    lines = screen(long).splitlines()
    assert len(lines[0]) > 80
    assert max(map(len, lines[1:])) <= 80
    assert max(map(len, screen(long, grouped=True).splitlines())) <= 80


def test_without_colour_it_says_the_same() -> None:
    coloured = screen(placed(), colour=True)
    assert coloured != screen(placed())
    assert re.sub(r"\x1b\[\d*m", "", coloured) == screen(placed())


def test_equal_advice_of_a_file_has_a_line_for_each_place_and_its_help_once() -> None:
    advice = made("K059", "cohort-misnamed", Severity.INFO)
    several = [placed(of=advice, line=2), placed(of=made(), line=3), placed(of=advice, line=4)]
    lines = screen(*several).splitlines()
    assert [line.partition(" ")[0] for line in lines if line.startswith("org/")] == [
        *("org/speech.yaml:2:23:", "org/speech.yaml:4:23:", "org/speech.yaml:3:23:"),
    ]
    assert sum("help: 12 or less" in line for line in lines) == 2
    apart = screen(placed(of=advice, line=2), placed(of=advice, source="org/other.yaml"))
    assert sum("help: 12 or less" in line for line in apart.splitlines()) == 2


def test_errors_keep_their_own_help() -> None:
    lines = screen(placed(line=2), placed(line=3)).splitlines()
    assert sum("help: 12 or less" in line for line in lines) == 2


def test_a_concise_finding_is_one_line() -> None:
    found = (placed(), placed(HOSTILE, fixable=False))
    lines = concise_lines(found, counts(*found), (), View()).splitlines()
    assert lines[0] == GREPPABLE.splitlines()[0] + " [*] --fix"
    assert lines[1].startswith("org/speech.yaml:18:23: error[K027] lending-limit-above-nominal: a|b <script>")
    assert lines[2:] == [
        "⇒ 2 errors in 9 files (41 objects) · 1 fixable with --fix ·",
        "  rule K027: kubectl fairshare help K027",
    ]
