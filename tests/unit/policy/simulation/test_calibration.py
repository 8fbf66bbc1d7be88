"""A replay compared with what happened: each error against jobs of which it can be worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.model.job_trace import TracedEviction
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.calibration import calibrated, share_error
from tests.unit.policy.simulation.made_up import S, job, simulation


def recorded(made: SimulatedJob, at: int, *, evicted: int | None = None) -> SimulatedJob:
    """The job with a recorded admission, and eviction, in seconds."""
    evictions = () if evicted is None else (TracedEviction(evicted * S, "Preempted"),)
    end = at * S + (made.job.duration or 0)
    made.job = replace(made.job, admitted=at * S, evictions=evictions, finished=end)
    return made


def test_a_replay_that_does_what_happened_has_no_error() -> None:
    jobs = [recorded(job(str(n), "a", 10 * n, 5, 900), 10 * n + 5) for n in range(5)]
    found = calibrated(simulation(jobs), "v1")
    assert (found.compared, found.pairs, found.swapped) == (5, 10, 0)
    assert found.errors is not None
    assert (found.errors.most, found.bias, found.share_error) == (0, 0, 0)
    assert found.fidelity.exact


def test_errors_of_waiting_are_measured_against_the_median_run() -> None:
    jobs = [recorded(job(str(n), "a", 0, 50), 50 - n) for n in (1, 2, 3)]
    found = calibrated(simulation(jobs), "v1")
    assert found.errors is not None
    assert (found.errors.median / S, found.bias / S, found.median_run / S) == (2, 2, 100)
    assert found.relative_error == pytest.approx(0.02)


def test_a_pair_in_the_other_order_is_named() -> None:
    jobs = [recorded(job("first", "a", 0, 50), 10), recorded(job("second", "a", 1, 20), 30)]
    found = calibrated(simulation(jobs), "v1")
    (swap,) = found.swaps
    assert (swap.earlier, swap.later) == ("n/first", "n/second")
    assert not found.fidelity.exact
    assert any("1 of 1 pairs of admissions in another order" in doubt for doubt in found.fidelity.doubts)


def test_a_replay_with_another_number_of_evictions_is_not_exact() -> None:
    found = calibrated(simulation([recorded(job("x", "a", 0, 50), 50, evicted=60)]), "v1")
    assert found.fidelity.doubts == ("the replay differs from the record: 0 evictions instead of 1",)


@pytest.mark.parametrize(("created", "at"), [((0, 0), (10, 30)), ((0, 1), (10, 11))])
def test_ties_of_the_trace_have_no_order(created: tuple[int, int], at: tuple[int, int]) -> None:
    jobs = [recorded(job("x", "a", created[0], 50), at[0]), recorded(job("y", "a", created[1], 20), at[1])]
    found = calibrated(simulation(jobs), "v1")
    assert (found.pairs, found.swapped) == (0, 0)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from("ab")), max_size=12), st.integers(0, 3)
)
def test_pairs_and_swaps_are_those_of_all_pairs_looked_at(drawn: list[tuple[int, int, str]], resolution: int) -> None:
    jobs = [recorded(job(str(n), queue, 0, wait), at) for n, (at, wait, queue) in enumerate(drawn)]
    found = calibrated(simulation(jobs), "v1", (), resolution * S)
    certain = [
        (one, other) for one in drawn for other in drawn if one[0] + resolution < other[0] and one[2] != other[2]
    ]
    assert found.pairs == len(certain)
    assert found.swapped == sum(one[1] > other[1] for one, other in certain)


def test_evictions_are_counted_on_both_sides() -> None:
    jobs = [
        recorded(job("both", "a", 0, 0, evicted=1), 0, evicted=10),
        recorded(job("none", "a", 0, 0), 0),
        recorded(job("ours", "a", 0, 0, evicted=2), 0),
    ]
    found = calibrated(simulation(jobs), "v1")
    assert (found.recorded_evictions, found.simulated_evictions, found.evicted_alike) == (1, 3, 2)


def test_jobs_without_a_record_are_left_out_and_counted() -> None:
    jobs = [job("unknown", "a", 0, 0), recorded(job("never", "a", 0, None), 5)]
    found = calibrated(simulation(jobs), "v1")
    assert (found.compared, found.unrecorded, found.unstarted) == (0, 1, 1)
    assert found.relative_error is None


def test_jobs_that_ran_and_are_never_considered_make_it_inexact_and_say_why() -> None:
    jobs = [recorded(job(name, "a", 0, None), 5) for name in "xy"]
    for each in jobs:
        each.refused = "LocalQueue main does not exist"
    found = calibrated(simulation(jobs), "v1")
    assert (found.jobs, found.compared, found.unrecorded, found.unstarted) == (2, 0, 0, 2)
    assert not found.fidelity.exact
    assert "never considered: n/x and 1 more: LocalQueue main does not exist" in found.notes


def test_queues_that_hold_the_wrong_work_show_in_the_share() -> None:
    jobs = [recorded(job("x", "a", 0, 0, 900), 600), recorded(job("y", "b", 0, 600, 900), 0)]
    assert share_error(simulation(jobs)) == 1
