"""Rows for other programs."""

import csv

from kubectl_fairshare.report.csv_text import csv_text


def test_every_text_comes_back_as_it_was() -> None:
    rows = [("a,b", 'say "x"', ""), ("two words", "–", "1")]
    text = csv_text(("name", "what", "n"), rows)
    assert text.startswith("name,what,n\n")
    assert [tuple(row) for row in csv.reader(text.splitlines(keepends=True))][1:] == rows


def test_no_cell_is_obeyed_by_a_terminal_or_a_spreadsheet() -> None:
    rows = [("=cmd()", "@SUM(1)", "\x1b[2J", "a\nb"), ("-5", "-", 7, "x=y")]
    assert csv_text(("a", "b", "c", "d"), rows).splitlines()[1:] == ["'=cmd(),'@SUM(1),\ufffd[2J,a b", "-5,-,7,x=y"]
