"""What would bring a job forward: each change is played on, with few seeds, next to the state as it is.

A change helps where the job starts earlier in the middle of these plays, or starts at all.
Why not propose what binds now: a raise of that quota may help nothing, as work ahead takes it first; so each change is
played on.
Tested in ``tests/unit/policy/forecast/test_changes.py``.
"""

from typing import Final

from kubectl_fairshare.answers.forecast import (
    Forecast,
    ForecastChange,
    ForecastVerdict,
    Interval,
    TriedChanges,
    WaitingForecast,
)
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.plays import ForecastTerms, forecast
from kubectl_fairshare.schedulers.adoption import Adoption
from kubectl_fairshare.schedulers.scheduler import Scheduler

FEW_PLAYS: Final = 3
MOST_JOBS: Final = 3
"""Jobs of one question for which changes are tried."""
_MOST_CHANGES: Final = 6
_SECOND: Final = 10**9
_ORDER: Final = (ForecastVerdict.STARTS, ForecastVerdict.UNTIMED, ForecastVerdict.NO_START)


def with_changes(
    scheduler: Scheduler, snapshot: Snapshot, work: Adoption, terms: ForecastTerms, found: Forecast
) -> Forecast:
    """The forecast with what would bring the jobs in question forward; nothing is tried for one that starts now."""
    few = replace(terms, plays=min(terms.plays, FEW_PLAYS))
    asked = [each.job.key for each in found.waiting if each.job.key in found.asked and not _starts_now(each, found)]
    if not asked:
        return found
    # With as few plays: the middle of 20 plays is not that of 3.
    before = forecast(scheduler, snapshot, work, few, asked) if few.plays < terms.plays else found
    known = {each.job.key: each for each in before.waiting}
    tried = {name: _tried(scheduler, snapshot, work, few, known[name]) for name in asked[:MOST_JOBS]}
    waiting = (replace(each, changes=tried.get(each.job.key)) for each in found.waiting)
    return replace(found, waiting=tuple(waiting))


def _starts_now(each: WaitingForecast, found: Forecast) -> bool:
    return each.verdict is ForecastVerdict.STARTS and each.starts.late == found.now


def _tried(
    scheduler: Scheduler, snapshot: Snapshot, work: Adoption, few: ForecastTerms, before: WaitingForecast
) -> TriedChanges:
    """Every change of one job, and those that help, the earliest start first."""
    name, tried = before.job.key, 0
    helping: list[ForecastChange] = []
    for change in work.changes(name):
        if tried == _MOST_CHANGES:
            break
        tried += 1
        later = forecast(scheduler, snapshot, change.work(), few, (name,))
        after = next((each for each in later.waiting if each.job.key == name), None)
        # By more than a second: less is a cycle that came at another moment.
        if after is not None and _rank(after) < _rank(before, _SECOND):
            helping.append(ForecastChange(change.change, change.maker, after.verdict, after.starts))
    # A start without a time is later than any with one, and better than none.
    helping.sort(key=lambda each: (_ORDER.index(each.verdict), _median(each.starts)))
    return TriedChanges(tried, few.plays, before.starts, tuple(helping))


def _rank(of: WaitingForecast, less: int = 0) -> tuple[int, int]:
    """How late it starts; ``less`` earlier, for what is to be earlier than that."""
    return _ORDER.index(of.verdict), _median(of.starts) - less


def _median(of: Interval) -> int:
    return of.median or 0
