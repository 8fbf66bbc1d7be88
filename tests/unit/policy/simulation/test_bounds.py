"""Figures of a simulation that stops: what is exact stays so in a longer one, and the others are bounds."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from itertools import product
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.answers.comparison import Measure, RunFigures
from kubectl_fairshare.answers.dispersion import (
    Dispersion,
    FigureBound,
    difference_bound,
    joint_bound,
    spread,
    spread_bounds,
)
from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation, waiting
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.compare import compared, measures_of
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.policy.simulation.statistics import figures, group_figures, least_slowdown, slowdown
from kubectl_fairshare.report.simulation.comparison import TITLES, ComparisonReport, comparison_document
from kubectl_fairshare.report.simulation.comparison_words import is_certain
from kubectl_fairshare.report.simulation.screen import SimulationReport
from kubectl_fairshare.report.simulation.sweep import BOUNDS, SweepReport, bounds_text, sweep_document
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from tests.screens import ROOT
from tests.unit.policy.simulation.made_up import S, job, simulation

POLICIES = {
    "kueue": ("org", (("vision", "main"), ("speech", "main"))),
    "kai": ("kai", (("team", "red"), ("team", "blue"))),
    "elasticquota": ("elasticquota", (("ha", ""), ("hb", ""))),
    "koordinator": ("koordinator", (("team", "vision"), ("team", "speech"))),
}


def state(house: str) -> Snapshot:
    path = ROOT / "testdata" / "simulate" / f"{POLICIES[house][0]}.yaml"
    return assemble(read((str(path),), known_schedulers()).manifests, known_schedulers()).snapshot


STATES = {house: state(house) for house in POLICIES}


@st.composite
def courses(draw: st.DrawFn) -> tuple[str, list[TracedJob], int]:
    """A house, jobs that arrive within 100s, of which some never end and some never fit, and a span."""
    house = draw(st.sampled_from(sorted(POLICIES)))
    resource, scale = ("cpu", 1000) if house == "elasticquota" else ("nvidia.com/gpu", 1)
    jobs = []
    for number in range(draw(st.integers(1, 5))):
        namespace, queue = draw(st.sampled_from(POLICIES[house][1]))
        amount = draw(st.sampled_from([2, 4, 8, 50])) * scale
        pods = (TracedPods("main", draw(st.sampled_from([1, 2])), {resource: amount}),)
        duration = draw(st.sampled_from([None, 5 * S, 40 * S, 120 * S]))
        created, priority = draw(st.integers(0, 100)) * S, draw(st.sampled_from([0, 0, 10]))
        jobs.append(TracedJob(f"j{number}", namespace, queue, created, pods, priority=priority, duration=duration))
    return house, jobs, draw(st.sampled_from([1, 20, 60, 150, 1000])) * S


COUNTS = ("jobs", "evictions", "evicted", "lost", "finished", "never")


def figures_of(found: RunFigures) -> Iterator[tuple[str, float, FigureBound]]:
    """Every figure of a simulation: the measures, those of each group, and what queues held."""
    for measure in measures_of([found], None):
        yield measure.name, measure.mean, measure.bound
    for kind, groups in (("all", (found.total,)), ("queue", found.queues), ("class", found.classes)):
        for group in groups:
            values = {name: getattr(group, name) for name in COUNTS}
            for of, each in (("wait", group.wait), ("slowdown", group.slowdown)):
                values |= {f"{of}.{part}": value for part, value in each._asdict().items()} if each else {}
            for name, value in values.items():
                yield f"{kind} {group.name} {name}", value, group.bound(name)
    for name, part in found.ratios.items():
        yield f"held by {name}", part, found.held_bound


@given(courses())
def test_a_longer_simulation_keeps_what_is_exact_and_moves_others_as_their_bounds_say(
    course: tuple[str, list[TracedJob], int],
) -> None:
    house, jobs, span = course
    start = min(each.created for each in jobs)
    once, twice = (
        simulate(scheduler_named(house), STATES[house], jobs, Parameters(end=start + times * span)) for times in (1, 2)
    )
    after = {name: value for name, value, _ in figures_of(figures(twice))}
    for name, value, bound in figures_of(figures(once)):
        if bound is FigureBound.EXACT:
            assert after[name] == pytest.approx(value), name
        elif bound is FigureBound.AT_LEAST:
            assert after[name] >= value - 1e-9, name
        elif bound is FigureBound.AT_MOST:
            assert after[name] <= value, name


@given(st.lists(st.integers(0, 9), max_size=6), st.lists(st.integers(0, 9), max_size=4), st.data())
def test_a_figure_of_a_spread_is_a_bound_if_values_may_be_larger(
    known: list[int], least: list[int], data: st.DataObject
) -> None:
    larger = [each + data.draw(st.integers(0, 9)) for each in least]
    before, after, bounds = spread([*known, *least]), spread([*known, *larger]), spread_bounds(known, least)
    if before is None or after is None:
        assert bounds == {}
        return
    farthest = spread([*known, *(inf for _ in least)])
    assert farthest is not None
    for name, value, then, most in zip(Dispersion._fields, before, after, farthest, strict=True):
        assert (then == value) if name not in bounds else (value <= then), name
        assert (name in bounds) == (value < most), "a bound is given where it is needed alone"


def test_a_job_that_waited_longer_than_the_median_leaves_it_exact() -> None:
    jobs = [job("a", "q", 0, 1), job("b", "q", 0, 2), job("c", "q", 0, None)]
    found = waiting(jobs, 1000 * S)
    assert found.wait is not None
    assert (found.wait.median, set(found.bounds)) == (2 * S, {"mean", "p95", "most"})
    assert (found.never, found.jobs) == (1, 3)


def test_a_job_that_is_never_considered_does_not_wait() -> None:
    refused = SimulatedJob(job("x", "q", 0, None).job, refused="no queue")
    found = waiting([refused, job("a", "q", 0, 1)], 1000 * S)
    assert (found.jobs, found.never, found.bounds) == (1, 0, {})


def test_the_slowdown_of_a_job_that_has_not_ended_is_a_bound() -> None:
    waits, runs = job("a", "q", 400, None), job("b", "q", 0, 100, 50)
    assert (least_slowdown(waits, 1000 * S), slowdown(waits)) == (6, None)
    assert least_slowdown(runs, 1000 * S) is None
    assert group_figures("q", [waits, runs], 1000 * S).bounds["slowdown.p95"] is FigureBound.AT_LEAST


@pytest.mark.parametrize(
    ("of", "less", "bound"),
    [
        (FigureBound.EXACT, FigureBound.EXACT, FigureBound.EXACT),
        (FigureBound.AT_LEAST, FigureBound.EXACT, FigureBound.AT_LEAST),
        (FigureBound.EXACT, FigureBound.AT_LEAST, FigureBound.AT_MOST),
        (FigureBound.AT_LEAST, FigureBound.AT_LEAST, FigureBound.WINDOW),
        (FigureBound.AT_LEAST, FigureBound.AT_MOST, FigureBound.AT_LEAST),
        (FigureBound.WINDOW, FigureBound.EXACT, FigureBound.WINDOW),
    ],
)
def test_a_difference_is_bounded_by_both_sides(of: FigureBound, less: FigureBound, bound: FigureBound) -> None:
    assert difference_bound(of, less) is bound
    assert joint_bound([of, of]) is of


@pytest.mark.parametrize(
    ("difference", "low", "high", "bound", "certain"),
    [
        (5.0, None, None, FigureBound.AT_LEAST, True),
        (5.0, None, None, FigureBound.AT_MOST, False),
        (-5.0, None, None, FigureBound.AT_MOST, True),
        (-5.0, -6.0, -4.0, FigureBound.AT_LEAST, False),
        (5.0, 4.0, 6.0, FigureBound.WINDOW, False),
        (5.0, -1.0, 11.0, FigureBound.EXACT, False),
        (5.0, 4.0, 6.0, FigureBound.EXACT, True),
    ],
)
def test_a_difference_is_certain_if_a_longer_simulation_keeps_its_sign(
    difference: float, low: float | None, high: float | None, bound: FigureBound, *, certain: bool
) -> None:
    measure = Measure("waiting", "s", -1, 10, difference, low, high, difference_bound=bound)
    assert is_certain(measure) is certain


NEVER = [job("a", "a", 0, 5), job("b", "a", 100, None), job("c", "a", 200, None)]
"""Of three jobs two never start: they have waited 900s and 800s by the end."""


def made(**fields: object) -> Simulation:
    return replace(simulation(NEVER), **fields)


def screen(of: Simulation) -> str:
    return " ".join(SimulationReport(of).screen(View()).split())


def test_a_median_that_jobs_without_a_start_decide_is_at_least_what_they_have_waited() -> None:
    shown = screen(made())
    assert "median at least 13m20s, 95th percentile at least 15m: 2 of 3 never started" in shown
    assert "≥ 13m20s" in shown
    assert "it stops" not in shown


def test_waiting_that_is_known_has_no_bound() -> None:
    shown = screen(simulation([job("a", "a", 0, 5), job("b", "a", 0, 7)]))
    assert "waiting time: median 5s, 95 % at most 7s" in shown
    assert "≥" not in shown


def test_a_simulation_that_stops_says_of_which_time_its_figures_are() -> None:
    stopped = made(ended=False, to_come=2, idle_from=None)
    assert "it stops after 16m40s, with 2 jobs to come: these figures are those of this time" in screen(stopped)
    assert "waiting time of the 3 that came: median at least 13m20s" in screen(stopped)
    assert "at least 0 evictions" in screen(stopped)
    assert "0 jobs in 16m40s: 2 jobs had not come" in screen(replace(stopped, jobs=()))


def test_work_that_runs_for_ever_has_no_mean_over_time() -> None:
    shown = screen(made(running=1, idle_from=None))
    assert "1 job runs for ever: what queues held of their quotas is that of the first 16m40s" in shown


def test_the_document_has_bounds() -> None:
    document = json.loads(json.dumps(SimulationReport(made()).document({})))
    assert document["waiting"]["bounds"] == dict.fromkeys(["mean", "median", "p95", "most"], "atLeast")
    assert (document["waiting"]["neverStarted"], document["waiting"]["jobs"]) == (2, 3)
    assert [each["stillWaits"] for each in document["jobs"]] == [False, True, True]
    stopped = json.loads(json.dumps(SimulationReport(made(ended=False, to_come=2)).document({})))
    assert (stopped["waiting"]["bounds"]["median"], stopped["toCome"]) == ("window", 2)
    assert SimulationReport(made(jobs=())).document({})["waiting"] is None


def test_a_line_of_csv_says_whether_the_job_still_waits() -> None:
    rows = list(csv.DictReader(StringIO(SimulationReport(made()).csv())))
    assert [each["stillWaits"] for each in rows] == ["", "true", "true"]


def test_a_comparison_marks_bounds_and_does_not_decide_by_them() -> None:
    kept = simulation([job("a", "a", 0, 5), job("b", "a", 100, 20), job("c", "a", 200, 30)])
    found = compared("v1", {"now": [made()], "kept": [kept], "stopped": [made(ended=False)]})
    shown = ComparisonReport(found).screen(View(120))
    assert "≥ 13m20s" in shown
    assert "With `kept`: median wait ≥ 13m20s → 20s" in shown
    assert "with `stopped`: no certain difference" in shown
    assert "≥ and ≤ mark bounds of what a longer simulation gives" in " ".join(shown.split())
    policies = {each["name"]: each for each in comparison_document(found)["policies"]}
    assert policies["now"]["measures"][0]["bound"] == "atLeast"
    assert policies["kept"]["measures"][0]["differenceBound"] == "atMost"
    assert policies["now"]["runs"][0]["total"]["bounds"]["waitSeconds.median"] == "atLeast"
    assert policies["stopped"]["runs"][0]["total"]["bounds"]["neverRan"] == "atMost"
    rows = list(csv.DictReader(StringIO(ComparisonReport(found).csv())))
    assert rows[0]["bounds"].split()[:2] == ["waitMean=atLeast", "waitMedian=atLeast"]
    assert {each.partition("=")[0] for row in rows for each in row["bounds"].split()} <= set(TITLES)


def test_a_comparison_of_jobs_that_all_end_has_no_bounds() -> None:
    kept = simulation([job("a", "a", 0, 5), job("b", "b", 0, 5)])
    shown = ComparisonReport(compared("v1", {"now": [kept], "then": [kept]})).screen(View(120))
    assert not any(mark in shown for mark in "≥≤~")


def test_a_sweep_says_that_its_front_may_be_another() -> None:
    measures = measures_of([figures(made())], None)
    values = {each.name: each.mean for each in measures}
    texts = {"1": bounds_text(measures), "2": ""}
    rows = [{"cell": "x", "seed": 0, "weight": weight, **values, BOUNDS: text} for weight, text in texts.items()]
    report = SweepReport("some", ("weight",), tuple(rows), "cell")
    assert "A longer simulation may give another" in " ".join(report.screen(View()).split())
    cells = {each["settings"]["weight"]: each for each in sweep_document(report)["cells"]}
    assert cells["1"]["bounds"]["waiting, mean"] == "atLeast"
    assert cells["2"]["bounds"] == {}
    assert "bounds" not in cells["1"]["measures"]
    whole = replace(report, rows=tuple(rows[1:]))
    assert "A longer simulation" not in whole.screen(View())


@pytest.mark.parametrize(("house", "span"), list(product(sorted(POLICIES), (50, 100))))
def test_idle_time_at_the_end_lowers_nothing(house: str, span: int) -> None:
    resource, amount = ("cpu", 8000) if house == "elasticquota" else ("nvidia.com/gpu", 4)
    namespace, queue = POLICIES[house][1][0]
    jobs = [TracedJob("a", namespace, queue, 0, (TracedPods("main", 1, {resource: amount}),), duration=40 * S)]
    found = simulate(scheduler_named(house), STATES[house], jobs, Parameters(end=span * S))
    assert (found.end, found.idle_from, found.span) == (span * S, 40 * S, 40 * S)
    assert max(figures(found).ratios.values()) in {0.5, 1.0}
