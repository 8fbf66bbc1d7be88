"""A comparison on a screen, as a document, as CSV, and as a page that loads nothing."""

import json
import re

from kubectl_fairshare.answers.comparison import ComparedPolicy, Comparison, Measure
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.compare import compared
from kubectl_fairshare.report.simulation import comparison_words as words
from kubectl_fairshare.report.simulation.comparison import TITLES, ComparisonReport
from kubectl_fairshare.report.text.view import View
from tests.schemas import problems
from tests.unit.policy.simulation.made_up import job, simulation


def comparison(name: str = "larger quota") -> Comparison:
    runs = {"as it is": (100, 200), name: (40, 150)}
    return compared(
        "v1",
        {
            policy: [
                simulation([job("x", "a", 0, wait, evicted=1), job("<b>", "b", 0, None)], seed=seed)
                for seed, wait in enumerate(waits)
            ]
            for policy, waits in runs.items()
        },
    )


def test_the_document_follows_its_schema() -> None:
    document = json.loads(json.dumps(ComparisonReport(comparison()).document({})))
    assert problems(document) == []
    assert document["policies"][1]["measures"][0]["difference"] == -55


def test_the_screen_begins_and_ends_with_the_verdict() -> None:
    lines = ComparisonReport(comparison()).screen(View(110)).rstrip("\n").splitlines()
    assert lines[0].startswith("⇒ With `larger quota`: no certain difference (2 jobs)")
    assert lines[0] in lines[-4:]
    assert any("waiting, median" in line for line in lines)


def test_resources_that_end_alike_are_told_apart_in_80_columns() -> None:
    made = comparison()
    more = [
        Measure(f"utilisation, example.com/{resource} of spot-{n}", "%", 1, 18.6, -0.5, -0.5, -0.5)
        for n, resource in enumerate(("cpu", "tpu"))
    ]
    policies = tuple(replace(each, measures=(*each.measures, *more)) for each in made.policies)
    lines = ComparisonReport(replace(made, policies=policies)).screen(View(80)).splitlines()
    names = [line.split("  ")[1] for line in lines if "spot" in line]
    assert names == ["example.com/cpu of spot-0", "example.com/tpu of spot-1"]
    assert any(line.split()[:1] == ["UTILISATION"] for line in lines)


def test_several_policies_have_a_table_each_unless_it_may_be_wide() -> None:
    made = comparison()
    other = replace(made.policies[1], name="third")
    report = ComparisonReport(replace(made, policies=(*made.policies, other)))
    lines = report.screen(View(80)).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  waiting, median") for line in lines) == 2
    assert sum(line.startswith("  waiting, median") for line in report.screen(View(wide=True)).splitlines()) == 1


def test_csv_has_a_line_for_each_policy_seed_and_group() -> None:
    lines = ComparisonReport(comparison()).csv().splitlines()
    assert lines[0] == ",".join(TITLES)
    assert len(lines) == 1 + 2 * 2 * (1 + 2 + 1)


def test_the_page_loads_nothing_and_escapes_names() -> None:
    page = ComparisonReport(comparison("<script>alert(1)</script>")).html()
    assert "<script>alert" not in page
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert policy[1].count("sha256-") == page.count("<script>") == 2


def test_the_data_of_pictures_ends_no_element_and_is_whole() -> None:
    page = ComparisonReport(comparison("</script><b>")).html()
    data = re.search(r'<script type="application/json" id="charts">(.*?)</script>', page)
    assert data is not None
    charts = json.loads(data[1])
    assert all(len(chart["y"]) == len(chart["names"]) for chart in charts)
    assert all(len(values) == len(chart["x"]) for chart in charts for values in chart["y"])
    assert charts[0]["names"][1] == "</script><b>"


def test_a_difference_is_certain_where_its_interval_leaves_out_zero() -> None:
    assert words.is_certain(Measure("m", "s", -1, 5, -2, -3, -1))
    assert not words.is_certain(Measure("m", "s", -1, 5, -2, -5, 1))
    assert words.tone(Measure("m", "s", -1, 5, -2, -3, -1)) == "good"
    assert words.tone(Measure("m", "", 1, 5, -2, -3, -1)) == "bad"


def test_the_headline_has_what_was_and_what_is() -> None:
    def policy(name: str, wait: float, evictions: float, *differences: float | None) -> ComparedPolicy:
        of_wait, of_evictions = differences or (None, None)
        measures = (
            Measure("waiting, median", "s", -1, wait, of_wait),
            Measure("evictions", "", -1, evictions, of_evictions),
        )
        return replace(comparison().policies[0], name=name, measures=measures)

    grown, same = policy("grown", 0.0, 2.0, -30.0, -7.0), policy("same", 30.0, 9.0, 0.0, 0.0)
    policies = (policy("as it is", 30.0, 9.0), grown, same)
    assert words.verdict(replace(comparison(), policies=policies)) == (
        "With `grown`: median wait 30s → 0s, evictions 9 → 2; with `same`: no certain difference (2 jobs)"
    )
