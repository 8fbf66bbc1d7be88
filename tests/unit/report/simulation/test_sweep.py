"""The results of a sweep: means over seeds, the front of Pareto, and a page that loads nothing."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.report.simulation.sweep import SweepReport, pareto
from kubectl_fairshare.report.text.view import View
from tests.schemas import problems


def row(weight: str, seed: int, waiting: float, evictions: float) -> dict[str, str | int | float]:
    found = {"waiting, mean": waiting, "waiting, median": waiting, "evictions": evictions, "lost work": 60.0}
    return {"cell": f"{weight}-{seed}", "weight": weight, "seed": seed, **found}


REPORT = SweepReport(
    "some",
    ("weight",),
    (row("1", 0, 100, 4), row("1", 1, 200, 6), row("2", 0, 300, 5), row("2", 1, 300, 7), row("4", 0, 400, 1)),
    "cell",
)


def test_cells_are_means_over_their_seeds() -> None:
    first = REPORT.cells[0]
    assert (first.settings, first.seeds, first.measures["waiting, mean"], first.measures["evictions"]) == (
        ("1",),
        2,
        150,
        5,
    )


def test_the_front_is_shown_and_what_is_beaten_is_not() -> None:
    assert [cell.settings[0] for cell in REPORT.cells if cell.front] == ["1", "4"]
    lines = REPORT.screen(View(110)).splitlines()
    assert lines[0] == lines[-1] == "⇒ 3 combinations over 5 simulations, 2 on the front · exact"
    assert list(REPORT.names()) == ["weight=1", "weight=4"]


def test_a_narrow_screen_leaves_measures_out_and_says_which() -> None:
    screen = REPORT.screen(View(80))
    assert max(map(len, screen.splitlines())) <= 80
    assert "JAIN'S INDEX (-o wide)" in " ".join(screen.split())


def test_the_document_follows_its_schema() -> None:
    assert problems(REPORT.document({})) == []


def test_csv_has_every_simulation() -> None:
    assert len(REPORT.csv().splitlines()) == 6


def test_the_page_has_the_points_in_order() -> None:
    page = REPORT.html()
    data = re.search(r'<script type="application/json" id="charts">(.*?)</script>', page)
    assert data is not None
    (chart,) = json.loads(data[1])
    assert (chart["x"], chart["xTitle"]) == ([2.5, 5, 400 / 60], "mean waiting, m")
    assert chart["y"] == [[None, 6, None], [5, None, 1]]
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_the_front_has_just_those_that_no_other_beats(points: dict[str, tuple[float, float]]) -> None:
    def beaten(one: tuple[float, float]) -> bool:
        return any(other != one and other[0] <= one[0] and other[1] <= one[1] for other in points.values())

    assert sorted(pareto(points)) == sorted(name for name, point in points.items() if not beaten(point))


def test_a_sweep_with_a_simulation_that_is_not_exact_says_so() -> None:
    rows = [dict(each) | {"not exact": ""} for each in REPORT.rows]
    rows[1]["not exact"] = "admission checks; host ports"
    report = SweepReport("some", ("weight",), tuple(rows), "cell")
    assert (REPORT.exit_code, report.exit_code) == (0, 5)
    assert "not exact: host ports" in report.screen(View(110))
    assert report.screen(View(110)).splitlines()[-1].endswith("on the front · not exact")
    assert "not exact: host ports" in report.html()
    assert report.cells == REPORT.cells
    document = json.loads(json.dumps(report.document({})))
    assert (document["exact"], document["doubts"]) == (False, ["admission checks", "host ports"])
