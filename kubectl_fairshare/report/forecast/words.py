"""How a forecast speaks of moments, of what a job waits for, and of where a duration comes from.

Tested in ``tests/unit/policy/forecast/test_command.py``.
"""

from collections import Counter
from typing import Final

from kubectl_fairshare.answers.ages import span_text
from kubectl_fairshare.answers.forecast import (
    AwaitedEnd,
    CitedCalibration,
    CitedLead,
    DurationSource,
    Forecast,
    ForecastChange,
    ForecastDuration,
    ForecastVerdict,
    Interval,
    LaterPreemption,
    Leaving,
    TriedChanges,
    WaitingForecast,
)
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.plan_blocks import MAKERS
from kubectl_fairshare.model.moments import moment_text

NO_TIME: Final = "no time"
"""Where not enough is known for a moment."""
_DAY: Final = 10


def clock_text(moment: int | None, now: int) -> str:
    """A moment in UTC, to the minute, with its day unless it is that of ``now``."""
    if moment is None:
        return NO_TIME
    text, today = moment_text(moment), moment_text(now)
    clock = text[_DAY + 1 : _DAY + 6]
    return clock if text[:_DAY] == today[:_DAY] else f"{text[:_DAY]} {clock}"


def interval_text(interval: Interval, now: int) -> str:
    """``≈ 03:40 (02:10–06:30)``: the median, and the moments before which it comes with 10 % and 90 %."""
    if interval.median is None:
        return NO_TIME if interval.early is None else f"{NO_TIME} (from {clock_text(interval.early, now)})"
    if interval.late == now:
        return "now"
    early, median, late = (clock_text(each, now) for each in interval)
    return f"≈ {median} ({early}–{late})"


def start_text(of: WaitingForecast | ForecastChange, found: Forecast) -> str:
    """When a job starts, in a clause."""
    if of.verdict is ForecastVerdict.NO_START:
        return "does not start, whatever ends"
    if of.verdict is ForecastVerdict.UNTIMED:
        return "starts, but when is not known"
    if of.starts.late == found.now:
        return "starts now"
    return f"starts {interval_text(of.starts, found.now)}"


def starts_clause(found: Forecast) -> str:
    """From when on starts are played, and how sure that is, for a table of them."""
    kinds = Counter(each.verdict for each in found.waiting)
    untimed = kinds[ForecastVerdict.UNTIMED]
    advice = f"; {untimed} without known durations: `forecast --duration NAME=SPAN` takes them" if untimed else ""
    exact = "" if found.fidelity.exact else ", not exact"
    return f"START: UTC, 10 %–90 % of {count(found.plays, 'play')} from {moment_text(found.now)}{exact}{advice}"


def start_cell(of: WaitingForecast | None, found: Forecast) -> str:
    """``≈ 03:40 (02:10–06:30)``, ``now``, ``no start`` or ``no time``; empty for what does not wait."""
    if of is None:
        return ""
    return "no start" if of.verdict is ForecastVerdict.NO_START else interval_text(of.starts, found.now)


def after_text(of: WaitingForecast, found: Forecast) -> str:
    """The last job that gives back what this one waits for; empty where it waits for none."""
    return f"after {leaving_text(of.awaits[-1], found)}" if of.awaits else ""


def start_line(of: WaitingForecast, found: Forecast) -> str:
    """``≈ 03:40 (02:10–06:30), after team-a/nightly-7 ends``, with where that comes from."""
    after = after_text(of, found)
    start = start_text(of, found).removeprefix("starts ≈").strip()
    timed = of.verdict is ForecastVerdict.STARTS and of.starts.late != found.now
    said = f"{'≈ ' if timed else ''}{start}{', ' + after if after else ''}"
    if of.refused:
        return f"{said}: {of.refused}"
    if of.verdict is ForecastVerdict.UNTIMED:
        return f"{said}: `kubectl fairshare forecast --duration NAME=SPAN` takes durations"
    days = f", UTC, {count(found.plays, 'play')}" if timed else ""
    return f"{said} (forecast from {moment_text(found.now)}{days})"


def leaving_text(end: AwaitedEnd, found: Forecast) -> str:
    """``team-a/nightly-7 ends``."""
    verb = "ends" if end.how is Leaving.ENDS else "is preempted"
    return f"{found.title(end.job)} {verb}"


def leaving_moment(end: AwaitedEnd, found: Forecast) -> str:
    """``team-a/nightly-7 ends ≈ 03:40 (02:10–06:30)``."""
    at = interval_text(end.at, found.now)
    return f"{leaving_text(end, found)} {'at an unknown time' if at == NO_TIME else at}"


def freed_text(end: AwaitedEnd) -> str:
    """``frees 16 nvidia.com/gpu in a100``."""
    parts = (
        f"{amount(resource, value)} {resource}{f' in `{pool}`' if pool else ''}"
        for (pool, resource), value in sorted(end.freed.items())
    )
    return f"frees {', '.join(parts)}"


def duration_text(duration: ForecastDuration) -> str:
    """How long a job runs, and where that comes from."""
    if duration.source is DurationSource.UNKNOWN:
        return "how long it runs is not known"
    if duration.source is DurationSource.LASTING:
        return f"runs on: {duration.said}"
    first, last = span_text(duration.spans[0]), span_text(duration.spans[-1])
    span = first if first == last else f"{first} to {last}"
    return f"runs {span}: {duration.said}"


def preemption_text(preemption: LaterPreemption | None, found: Forecast) -> str:
    """In how many plays a job is preempted after its start, and for whom."""
    if preemption is None:
        return "not preempted afterwards"
    by = f", first for {found.title(preemption.by)}" if preemption.by else ""
    return f"preempted in {preemption.plays} of {found.plays} plays{by} ({preemption.rule})"


def change_text(change: ForecastChange, found: Forecast) -> str:
    """``count 4 → 2: starts ≈ 03:40 (02:10–06:30) (job owner)``."""
    return f"{change.change}: {start_text(change, found)} ({MAKERS[change.maker]})"


def tried_text(tried: TriedChanges, found: Forecast) -> str:
    """How many changes were tried, and when the job starts without one in as many plays."""
    now = interval_text(tried.before, found.now)
    without = f", without a change {now}" if tried.plays < found.plays and tried.before.median is not None else ""
    plays = f"in {count(tried.plays, 'play')} each{without}"
    if tried.helping:
        return f"would bring it forward: {len(tried.helping)} of {count(tried.tried, 'change')} tried, {plays}"
    if not tried.tried:
        return "no change was tried that would bring it forward"
    return f"none of {count(tried.tried, 'change')} tried brings it forward, {plays}"


def calibration_text(cited: CitedCalibration, lead: int | None) -> str:
    """How far earlier forecasts were off: those so far ahead, and all of them where there are none."""
    span = f"{moment_text(cited.start)[:_DAY]} to {moment_text(cited.end)[:_DAY]}"
    near = None if lead is None else cited.of(lead)
    figures = near or cited.every
    if figures is None:
        return f"calibration, {cited.file}: no forecast had a time"
    ahead = f" {_ahead_text(near)}" if near is not None else ""
    off = f"{span_text(abs(figures.bias))} too {'late' if figures.bias > 0 else 'early'}"
    return (
        f"calibration, {cited.file}, {span}: 80 % intervals held {figures.coverage:.0%} of "
        f"{count(figures.forecasts, 'start')}{ahead}, median error {span_text(figures.error)}, on average {off}"
    )


def _ahead_text(lead: CitedLead) -> str:
    """``1h to 4h ahead``."""
    if lead.below is None:
        return f"{span_text(lead.least)} ahead or more"
    least = f"{span_text(lead.least)} to " if lead.least else "less than "
    return f"{least}{span_text(lead.below)} ahead"
