"""Long lists are cut with a count."""

import pytest

from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.report.text.listing import long_table
from kubectl_fairshare.report.text.view import View

ITEMS = [f"i{n:02}" for n in range(20)]


@pytest.mark.parametrize(("number", "shown", "left"), [(0, 0, 0), (10, 10, 0), (11, 11, 0), (12, 10, 2), (20, 10, 10)])
def test_so_many_are_shown_and_one_left_over_is_shown_too(number: int, shown: int, left: int) -> None:
    text = "\n".join(long_table([Column("NAME")], [Row((item,)) for item in ITEMS[:number]], View(80)))
    assert sum(item in text for item in ITEMS) == shown
    assert (f"… and {left} more (-o wide shows all)" in text) is (left > 0)


def test_a_table_is_cut_below_its_last_row() -> None:
    rows = [Row((item,), below="because") for item in ITEMS]
    lines = long_table([Column("NAME", right=False)], rows, View(80))
    assert lines[:3] == ["  NAME", "  i00", "     because (also the next 9 rows)"]
    assert lines[-2:] == ["  i09", "     … and 10 more (-o wide shows all)"]
    assert len(long_table([Column("NAME")], rows, View(80, wide=True))) == 22
