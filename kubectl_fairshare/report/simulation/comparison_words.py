"""The sentences and figures of a comparison, the same on a screen and on a page.

Tested in ``tests/unit/report/simulation/test_comparison.py``.
"""

from typing import Final

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.answers.comparison import ComparedPolicy, Comparison, GroupFigures, Measure
from kubectl_fairshare.answers.dispersion import FigureBound
from kubectl_fairshare.answers.number_text import NOTHING, count

_SECOND: Final = 10**9
_UNITS: Final = ((86400 * _SECOND, "d"), (3600 * _SECOND, "h"), (60 * _SECOND, "m"), (_SECOND, "s"))
_LEADING: Final = {"waiting, median": "median wait", "evictions": "evictions"}
"""The measures of the headline, and what they are called there."""


def verdict(comparison: Comparison) -> str:
    """What changes for the jobs, policy by policy, in a line; a single policy has its own figures there."""
    jobs = count(comparison.jobs, "job")
    first, *others = comparison.policies
    if not others:
        shown = (f"{_LEADING[each.name]} {mean_text(each)}" for each in first.measures if each.name in _LEADING)
        return f"{jobs}: {', '.join(shown)}"
    changes = "; ".join(f"with `{each.name}`: {_change(first, each)}" for each in others)
    return f"{changes[:1].upper()}{changes[1:]} ({jobs})"


def _change(first: ComparedPolicy, policy: ComparedPolicy) -> str:
    """``median wait 30s → 0s, evictions 9 → 2``: the leading measures whose difference is certain."""
    was = {each.name: each for each in first.measures}
    pairs = ((was.get(each.name), each) for each in policy.measures if each.name in _LEADING and is_certain(each))
    changes = [f"{_LEADING[now.name]} {mean_text(old)} → {mean_text(now)}" for old, now in pairs if old is not None]
    return ", ".join(changes) or "no certain difference"


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
        return length_text(value * _SECOND)
    if measure.unit == "%":
        return f"{value:.1f} %"
    return f"{value:.0f}" if value.is_integer() and abs(value) >= 1 else f"{value:.3g}"


def unit_of(seconds: float) -> tuple[float, str]:
    """The largest unit that a duration has, with its length in seconds: that of the axis of a picture."""
    found = ((size / _SECOND, unit) for size, unit in _UNITS)
    return next(((size, unit) for size, unit in found if abs(seconds) >= size), (1.0, "s"))


def difference_text(measure: Measure) -> str:
    """The difference to the baseline with its interval: ``−3m [−4m, −2m]``; ``=`` for none."""
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
        "wait.median": wait and length_text(wait.median),
        "wait.p95": wait and length_text(wait.p95),
        "slowdown.median": slow and f"{slow.median:.3g}",
        "slowdown.p95": slow and f"{slow.p95:.3g}",
        "evictions": str(group.evictions),
        "lost": group.lost and length_text(group.lost),
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
