"""The sentences and figures of a comparison, the same on a screen and on a page.

Tested in ``tests/unit/report/simulation/test_comparison.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.comparison import ComparedPolicy, Comparison, GroupFigures, Measure
from kubectl_fairshare.answers.dispersion import FigureBound
from kubectl_fairshare.report.text.figures import NOTHING, count

_SECOND: Final = 1e9
_UNITS: Final = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"))
_LEADING: Final = ("waiting, median", "evictions")


def verdict(comparison: Comparison) -> str:
    """What changes for the jobs, policy by policy, in a line; a single policy has its own figures there."""
    jobs = count(comparison.jobs, "job")
    first, *others = comparison.policies
    if not others:
        shown = (f"{each.name} {mean_text(each)}" for each in _leading(first))
        return f"{jobs}: {', '.join(shown)}"
    return f"{jobs}, compared with {first.name}: {'; '.join(map(_change, others))}"


def _leading(policy: ComparedPolicy) -> Iterator[Measure]:
    return (each for each in policy.measures if each.name in _LEADING)


def _change(policy: ComparedPolicy) -> str:
    changes = (f"{each.name} {difference_text(each)}" for each in _leading(policy) if is_certain(each))
    return f"{policy.name}: {', '.join(changes) or 'no certain difference'}"


def is_certain(measure: Measure) -> bool:
    """Whether it is not 0, its interval, if there is one, does not hold 0, and a longer simulation keeps its sign."""
    if not measure.difference:
        return False
    low = measure.difference if measure.low is None else measure.low
    high = measure.difference if measure.high is None else measure.high
    more = low > 0 and measure.difference_bound in (FigureBound.EXACT, FigureBound.AT_LEAST)
    return more or (high < 0 and measure.difference_bound in (FigureBound.EXACT, FigureBound.AT_MOST))


def tone(measure: Measure) -> str:
    """``good`` or ``bad`` for a certain difference of a measure of which less or more is better, otherwise empty."""
    if measure.difference is None or not measure.better or not is_certain(measure):
        return ""
    return "good" if measure.difference * measure.better > 0 else "bad"


MARKS: Final = {FigureBound.EXACT: "", FigureBound.AT_LEAST: "≥ ", FigureBound.AT_MOST: "≤ ", FigureBound.WINDOW: "~ "}
"""The mark of a figure that would not stay so in a longer simulation."""
_MARKED: Final = "≥ and ≤ mark bounds of what a longer simulation gives, ~ a figure of the simulated time alone"


def mean_text(measure: Measure) -> str:
    """The mean of a measure, with its bound."""
    return MARKS[measure.bound] + value_text(measure, measure.mean)


def value_text(measure: Measure, value: float) -> str:
    """A value in the measure's unit, as people read it."""
    if measure.unit == "s":
        return seconds_text(value)
    if measure.unit == "%":
        return f"{value:.1f} %"
    return f"{value:.0f}" if value.is_integer() and abs(value) >= 1 else f"{value:.3g}"


def seconds_text(seconds: float) -> str:
    """A duration in its largest unit, with three digits: ``2.5 h``."""
    size, unit = unit_of(seconds)
    return f"{seconds / size:.3g} {unit}"


def unit_of(seconds: float) -> tuple[float, str]:
    """The largest unit that a duration has, with its length in seconds."""
    return next(((size, unit) for size, unit in _UNITS if abs(seconds) >= size), (1.0, "s"))


def difference_text(measure: Measure) -> str:
    """The difference to the baseline with its interval: ``−3 min [−4 min, −2 min]``; ``=`` for none."""
    if measure.difference is None:
        return ""
    mark = MARKS[measure.difference_bound]
    if not measure.difference and not measure.low and not measure.high:
        return f"{mark}="
    text = mark + _signed(measure, measure.difference)
    if measure.low is None or measure.high is None:
        return text
    return f"{text} [{_signed(measure, measure.low)}, {_signed(measure, measure.high)}]"


def _signed(measure: Measure, value: float) -> str:
    text = value_text(measure, abs(value))
    return f"{'−' if value < 0 else '+' if value > 0 else ''}{text}"


def _is_bounded(policy: ComparedPolicy) -> bool:
    """Whether a longer simulation gives other figures."""
    groups = (group for run in policy.runs for group in (run.total, *run.queues, *run.classes))
    return any(each.bound is not FigureBound.EXACT for each in policy.measures) or any(group.bounds for group in groups)


GROUP_TITLES: Final = (
    *("jobs", "wait, median", "wait, p95", "slowdown, median", "slowdown, p95"),
    *("evictions", "lost work", "never ran"),
)
"""The titles of ``group_cells``."""


def group_cells(group: GroupFigures) -> tuple[str, ...]:
    """The figures of one group of jobs."""
    wait, slow = group.wait, group.slowdown
    cells = {
        "jobs": str(group.jobs),
        "wait.median": wait and seconds_text(wait.median / _SECOND),
        "wait.p95": wait and seconds_text(wait.p95 / _SECOND),
        "slowdown.median": slow and f"{slow.median:.3g}",
        "slowdown.p95": slow and f"{slow.p95:.3g}",
        "evictions": str(group.evictions),
        "lost": group.lost and seconds_text(group.lost / _SECOND),
        "never": group.never and str(group.never),
    }
    return tuple(MARKS[group.bound(name)] + text if text else NOTHING for name, text in cells.items())


def notes(comparison: Comparison) -> tuple[str, ...]:
    """What is assumed, of each policy once."""
    found = list(comparison.notes)
    for policy in comparison.policies:
        found += [note for note in policy.notes if note not in found]
        if not policy.ended:
            found.append(f"{policy.name}: the simulation was broken off while work was left")
        found += [f"{policy.name}: not exact, because {doubt}" for doubt in policy.fidelity.doubts]
    if any(map(_is_bounded, comparison.policies)):
        found.append(_MARKED)
    return tuple(dict.fromkeys(found))
