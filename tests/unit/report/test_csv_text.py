"""Rows for other programs."""

import csv

from kubectl_fairshare.report.csv_text import csv_text


def test_every_text_comes_back_as_it_was() -> None:
    rows = [("a,b", 'say "x"', ""), ("two\nlines", "–", "1")]
    text = csv_text(("name", "what", "n"), rows)
    assert text.startswith("name,what,n\n")
    assert [tuple(row) for row in csv.reader(text.splitlines(keepends=True))][1:] == rows
