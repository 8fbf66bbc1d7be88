"""How values are spread, of which some are known only to be at least so large.

A simulation stops at some moment. What a job that has not started by then waits is not known: it is a lower bound, and
so may be what is computed of it. Tested in ``tests/unit/policy/simulation/test_bounds.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from math import ceil, inf
from typing import Final, NamedTuple


class FigureBound(StrEnum):
    """What a figure of a simulation says about the same figure of one that goes on for longer.

    ``EXACT``: it stays so. ``AT_LEAST``, ``AT_MOST``: it does not fall, or rise. ``WINDOW``: it may do either, and is
    that of the simulated time alone.
    """

    EXACT = "exact"
    AT_LEAST = "atLeast"
    AT_MOST = "atMost"
    WINDOW = "window"


_REVERSED: Final = {FigureBound.AT_LEAST: FigureBound.AT_MOST, FigureBound.AT_MOST: FigureBound.AT_LEAST}


def joint_bound(bounds: Iterable[FigureBound]) -> FigureBound:
    """The bound of a sum of figures."""
    found = set(bounds) - {FigureBound.EXACT}
    if len(found) > 1:
        return FigureBound.WINDOW
    return next(iter(found), FigureBound.EXACT)


def difference_bound(of: FigureBound, less: FigureBound) -> FigureBound:
    """The bound of a figure ``of`` minus one that is ``less``."""
    return joint_bound((of, _REVERSED.get(less, less)))


class Dispersion(NamedTuple):
    """How values are spread: median and 95th percentile are values that occur (nearest rank), ``most`` the largest."""

    mean: float
    median: float
    p95: float
    most: float


def spread(values: Iterable[float]) -> Dispersion | None:
    """Mean, median, 95th percentile and largest; None without a value."""
    ordered = sorted(values)
    if not ordered:
        return None
    return Dispersion(sum(ordered) / len(ordered), rank(ordered, 0.5), rank(ordered, 0.95), ordered[-1])


def rank(ordered: Sequence[float], part: float) -> float:
    """The smallest value that at least ``part`` of the sorted values do not exceed (nearest rank)."""
    return ordered[max(ceil(part * len(ordered)) - 1, 0)]


def spread_bounds(known: Iterable[float], least: Sequence[float]) -> Mapping[str, FigureBound]:
    """Which figures of the spread of all values are lower bounds, if those of ``least`` may be larger.

    A percentile is one only if it changes when they are as large as can be: a job that has waited longer than the
    median leaves the median as it is.
    """
    values = list(known)
    lowest, highest = spread([*values, *least]), spread([*values, *(inf for _ in least)])
    if lowest is None or highest is None:
        return {}
    figures = zip(Dispersion._fields, lowest, highest, strict=True)
    return {name: FigureBound.AT_LEAST for name, low, high in figures if low != high}
