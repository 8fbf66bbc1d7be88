"""Policies compared on the same jobs: paired by seed, with confidence intervals of the mean difference.

The interval is Student's: mean ± t·s÷√n of the paired differences, at 95 %. With one seed there is none; where no
decision was left to chance, all seeds agree and the interval is a point.
Tested in ``tests/unit/policy/simulation/test_compare.py``.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isclose, sqrt
from typing import Final, NamedTuple

from kubectl_fairshare.answers.comparison import ComparedPolicy, Comparison, Measure, RunFigures
from kubectl_fairshare.answers.dispersion import FigureBound, difference_bound, joint_bound
from kubectl_fairshare.answers.fidelity import merged_fidelity
from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.policy.simulation.statistics import figures, jain_line, share_lines, waiting_lines

_SECOND: Final = 1e9
_QUANTILES: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131),
    *(2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""Student's t at 97.5 % for 1 to 30 degrees of freedom."""
_WIDE: Final = ((40, 2.021), (60, 2.000), (120, 1.980))
_NORMAL: Final = 1.960


class _Kind(NamedTuple):
    """One measure: its name, unit, whether less (-1) or more (1) is better, and its value and bound in the figures."""

    name: str
    unit: str
    better: int
    value: Callable[[RunFigures], float]
    bound: Callable[[RunFigures], FigureBound]


def _wait(part: str) -> Callable[[RunFigures], float]:
    return lambda each: getattr(each.total.wait, part) / _SECOND if each.total.wait is not None else 0.0


def _slowdown(part: str) -> Callable[[RunFigures], float]:
    return lambda each: getattr(each.total.slowdown, part) if each.total.slowdown is not None else 0.0


def _bound(figure: str) -> Callable[[RunFigures], FigureBound]:
    return lambda each: each.total.bound(figure)


def _held_bound(each: RunFigures) -> FigureBound:
    return each.held_bound


_KINDS: Final = (
    _Kind("waiting, median", "s", -1, _wait("median"), _bound("wait.median")),
    _Kind("waiting, p95", "s", -1, _wait("p95"), _bound("wait.p95")),
    _Kind("waiting, mean", "s", -1, _wait("mean"), _bound("wait.mean")),
    _Kind("slowdown, median", "", -1, _slowdown("median"), _bound("slowdown.median")),
    _Kind("slowdown, p95", "", -1, _slowdown("p95"), _bound("slowdown.p95")),
    _Kind("evictions", "", -1, lambda each: float(each.total.evictions), _bound("evictions")),
    _Kind("lost work", "s", -1, lambda each: each.total.lost / _SECOND, _bound("lost")),
    _Kind("never ran", "", -1, lambda each: float(each.total.never), _bound("never")),
    _Kind("finished", "", 1, lambda each: float(each.total.finished), _bound("finished")),
    _Kind("Jain's index", "", 1, lambda each: each.jain if each.jain is not None else 1.0, _held_bound),
)


def measures_of(runs: Sequence[RunFigures], baseline: Sequence[RunFigures] | None) -> tuple[Measure, ...]:
    """The measures of a policy over its seeds, and their differences to those of the ``baseline``, seed by seed."""
    kinds = (*_KINDS, *_utilisations(runs))
    return tuple(_measure(kind, runs, baseline) for kind in kinds)


def _utilisations(runs: Sequence[RunFigures]) -> list[_Kind]:
    pairs = sorted({pair for each in runs for pair in each.utilisation})
    return [_utilisation(pool, resource) for pool, resource in pairs]


def _utilisation(pool: str, resource: str) -> _Kind:
    name = f"utilisation, {resource}" + (f" of {pool}" if pool else "")
    return _Kind(name, "%", 1, lambda each: each.utilisation.get((pool, resource), 0.0) * 100, _held_bound)


def _measure(kind: _Kind, runs: Sequence[RunFigures], baseline: Sequence[RunFigures] | None) -> Measure:
    values = [kind.value(each) for each in runs]
    mean = sum(values) / len(values)
    bound = joint_bound(map(kind.bound, runs))
    if baseline is None:
        return Measure(kind.name, kind.unit, kind.better, mean, bound=bound)
    differences = [difference(value, kind.value(each)) for value, each in zip(values, baseline, strict=True)]
    between = difference_bound(bound, joint_bound(map(kind.bound, baseline)))
    return Measure(kind.name, kind.unit, kind.better, mean, *interval(differences), bound, between)


def difference(value: float, base: float) -> float:
    """The difference; 0 where only the rounding of binary fractions differs."""
    return 0.0 if isclose(value, base, rel_tol=1e-12) else value - base


def interval(values: Sequence[float]) -> tuple[float, float | None, float | None]:
    """The mean, and the bounds of its confidence interval at 95 %; None for the bounds of a single value."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return mean, None, None
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
    half = quantile(count - 1) * deviation / sqrt(count)
    return mean, mean - half, mean + half


def quantile(freedom: int) -> float:
    """Student's t at 97.5 %; between the listed degrees of freedom that of the smaller one, which is wider."""
    if freedom <= len(_QUANTILES):
        return _QUANTILES[freedom - 1]
    below = [value for degrees, value in _WIDE if degrees <= freedom]
    return below[-1] if freedom < 1000 and below else _NORMAL if freedom >= 1000 else _QUANTILES[-1]


def compared(version: str, simulations: Mapping[str, Sequence[Simulation]], notes: Sequence[str] = ()) -> Comparison:
    """The comparison of simulations by policy, of which the first is the baseline.

    Every policy has the same seeds in the same order, and the same jobs.
    """
    baseline: Sequence[RunFigures] | None = None
    policies: list[ComparedPolicy] = []
    for name, runs in simulations.items():
        found = [figures(each) for each in runs]
        policies.append(_compared(name, runs, found, baseline))
        baseline = found if baseline is None else baseline
    first = next(iter(simulations.values()))
    every = [each for runs in simulations.values() for each in runs]
    return Comparison(
        first[0].scheduler,
        version,
        tuple(policies),
        tuple(each.seed for each in first),
        len(first[0].jobs),
        min(each.start for each in every),
        max(each.end for each in every),
        (*notes, *_about_seeds(every)),
    )


def _compared(
    name: str, runs: Sequence[Simulation], found: Sequence[RunFigures], baseline: Sequence[RunFigures] | None
) -> ComparedPolicy:
    """The figures of all seeds; the curves are those of the first. It is exact if the simulations of all seeds are."""
    first = runs[0]
    shares = share_lines(first)
    return ComparedPolicy(
        name,
        tuple(found),
        measures_of(found, baseline),
        tuple(first.moments),
        shares,
        waiting_lines(first),
        jain_line(shares, len(first.moments)),
        merged_fidelity([each.fidelity for each in runs]),
        tuple(dict.fromkeys(note for each in runs for note in each.notes)),
        all(each.ended for each in runs),
    )


def _about_seeds(simulations: Sequence[Simulation]) -> list[str]:
    seeds = {each.seed for each in simulations}
    if len(seeds) == 1:
        return ["one seed: the differences have no confidence interval"]
    if not any(each.ties for each in simulations):
        return ["no decision was left to chance, so all seeds agree"]
    return []
