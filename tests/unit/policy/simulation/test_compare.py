"""Differences are paired by seed, and their intervals are Student's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.answers.comparison import Comparison, Measure
from kubectl_fairshare.answers.fidelity import NOT_TRACED, Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.compare import compared, difference, interval, quantile
from kubectl_fairshare.report.simulation.comparison import ComparisonReport
from kubectl_fairshare.report.text.view import View
from tests.unit.policy.simulation.made_up import job, simulation


def comparison(*waits: tuple[int, ...], ties: int = 1) -> Comparison:
    """Policies with one job, which waits so long with each seed."""
    names = ("now", "later")
    runs = {
        name: [simulation([job("x", "a", 0, wait)], seed=seed, ties=ties) for seed, wait in enumerate(each)]
        for name, each in zip(names, waits, strict=False)
    }
    return compared("v1", runs)


def median(found: Comparison) -> Measure:
    return next(each for each in found.policies[1].measures if each.name == "waiting, median")


def test_differences_are_paired_by_seed() -> None:
    found = median(comparison((10, 100, 1000), (15, 105, 1005)))
    assert (found.difference, found.low, found.high) == (5, 5, 5), "seeds differ far more than the policies"


@pytest.mark.parametrize(("value", "base", "expected"), [(0.1 + 0.2, 0.3, 0.0), (0.0, 0.0, 0.0), (0.31, 0.3, 0.01)])
def test_rounding_of_binary_fractions_is_no_difference(value: float, base: float, expected: float) -> None:
    assert difference(value, base) == pytest.approx(expected, abs=0 if not expected else 1e-9)


def test_the_interval_is_students() -> None:
    mean, low, high = interval([1, 2, 3, 4, 5])
    assert mean == 3
    assert low == pytest.approx(3 - 2.776 * 1.5811388 / 5**0.5)
    assert high == pytest.approx(3 + 2.776 * 1.5811388 / 5**0.5)


@given(st.integers(1, 3000))
def test_the_quantile_falls_to_that_of_the_normal_distribution(freedom: int) -> None:
    assert 1.960 <= quantile(freedom + 1) <= quantile(freedom) <= 12.706


def test_a_single_seed_has_no_interval() -> None:
    found = comparison((10,), (20,))
    assert (median(found).difference, median(found).low) == (10, None)
    assert "one seed" in found.notes[0]


def test_seeds_that_decide_nothing_are_named() -> None:
    assert comparison((10, 10), (20, 20), ties=0).notes == ("no decision was left to chance, so all seeds agree",)


def test_a_policy_is_as_exact_as_the_simulation_of_its_worst_seed() -> None:
    doubt = Gap(NOT_TRACED, (), touches=True, subject="node affinity")
    exact, doubtful = (simulation([job("x", "a", 0, 10)], seed=seed) for seed in (0, 1))
    doubtful = replace(doubtful, fidelity=replace(doubtful.fidelity, gaps=(doubt,)), ended=False, notes=("late",))
    found = compared("v1", {"now": [exact, exact], "later": [exact, doubtful]})
    now, later = found.policies
    assert (now.fidelity.exact, later.fidelity.exact, found.fidelity.exact) == (True, False, False)
    assert (now.ended, later.ended) == (True, False)
    assert later.notes == ("late",)
    assert "not exact" in ComparisonReport(found).screen(View()).splitlines()[-1]


def test_the_first_policy_is_the_baseline() -> None:
    found = comparison((10, 20), (20, 30))
    assert all(each.difference is None for each in found.policies[0].measures)
    assert found.seeds == (0, 1)
