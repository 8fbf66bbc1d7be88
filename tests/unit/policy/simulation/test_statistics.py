"""The figures of a simulation, each against values worked out by hand or a law that it must follow."""

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.answers.dispersion import rank, spread
from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.policy.simulation.statistics import (
    figures,
    group_figures,
    held_ratios,
    jain_index,
    jain_line,
    share_lines,
    slowdown,
    utilisation,
    waiting_lines,
)
from tests.unit.policy.simulation.made_up import GPU, S, job, simulation

POSITIVE = st.floats(0.001, 1e6)


def test_percentiles_are_values_that_occur() -> None:
    assert rank([1, 2, 3, 4], 0.5) == 2
    assert rank(list(range(1, 101)), 0.95) == 95
    assert spread([5.0]) == (5.0, 5.0, 5.0, 5.0)
    assert spread([]) is None


def test_a_job_that_never_ran_waited_until_the_end() -> None:
    found = group_figures("q", [job("a", "q", 0, 100), job("b", "q", 400, None)], 1000 * S)
    assert found.wait is not None
    assert (found.wait.median / S, found.wait.p95 / S) == (100, 600)
    assert (found.never, found.finished, found.jobs) == (1, 1, 2)


def test_what_the_scheduler_never_considers_is_in_no_other_figure() -> None:
    refused = SimulatedJob(job("x", "q", 0, None).job, refused="no queue")
    found = group_figures("q", [job("a", "q", 0, 0), refused], 1000 * S)
    assert (found.jobs, found.never, found.refused) == (1, 0, 1)


def test_slowdown_is_bounded() -> None:
    assert slowdown(job("a", "q", 0, 300, 100)) == 4
    assert slowdown(job("a", "q", 0, 9, 1)) == 1, "a run of a second counts as ten"
    assert slowdown(job("a", "q", 0, None)) is None


def test_lost_work_and_evictions_are_sums() -> None:
    found = group_figures("q", [job("a", "q", 0, 0, evicted=2), job("b", "q", 0, 0, evicted=1)], 1000 * S)
    assert (found.evictions, found.evicted, found.lost / S) == (3, 2, 30)


def test_utilisation_is_what_was_held_of_all_quotas() -> None:
    made = simulation([job("x", "a", 0, 0)], held={"a": 2500, "b": 7500})
    assert utilisation(made) == {GPU: 0.5}
    assert held_ratios(simulation([job("x", "a", 0, 0), job("y", "b", 0, 0)], held={"a": 2500, "b": 7500})) == {
        "a": 0.25,
        "b": 0.75,
    }


def test_a_queue_without_jobs_does_not_count_for_fairness() -> None:
    assert list(held_ratios(simulation([job("x", "a", 0, 0)]))) == ["a"]


@given(st.lists(POSITIVE, min_size=2, max_size=9), POSITIVE)
def test_jains_index_lies_between_one_nth_and_one_and_has_no_unit(values: list[float], scale: float) -> None:
    index = jain_index(values)
    assert index is not None
    assert 1 / len(values) - 1e-9 <= index <= 1 + 1e-9
    scaled = jain_index([value * scale for value in values])
    assert scaled is not None
    assert abs(index - scaled) < 1e-6


def test_jains_index_of_known_shares() -> None:
    assert jain_index([1, 1, 1]) == 1
    assert jain_index([1, 0]) == 0.5
    assert jain_index([1]) is None
    assert jain_index([0, 0]) is None


def test_curves_have_a_value_at_each_moment() -> None:
    made = simulation([job("x", "a", 0, 0)], held={"a": 2500, "b": 5000})
    lines = share_lines(made)
    assert [(line.name, line.values) for line in lines] == [("a", (0, 0.5)), ("b", (0, 1))]
    assert jain_line(lines, 2).values == (None, 0.9)
    assert [line.values for line in waiting_lines(made)] == [(1, 0), (1, 0)]


def test_groups_are_queues_and_classes() -> None:
    made = figures(simulation([job("x", "a", 0, 0), job("y", "b", 0, 50, priority=100)]))
    assert [group.name for group in made.queues] == ["a", "b"]
    assert [group.name for group in made.classes] == ["priority 0", "priority 100"]
    assert made.jain == 1
