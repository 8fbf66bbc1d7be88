"""Moments and durations as people read them, in kubectl's spelling; ages count from a moment that is said once.

Tested in ``tests/unit/answers/test_ages.py``.
"""

from typing import Final

from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value

_SECOND: Final = 10**9
_MINUTE, _HOUR, _DAY, _YEAR = 60, 3600, 86400, 365 * 86400
_FORMS: Final = (
    (2 * _MINUTE, (1, "s"), None),
    (10 * _MINUTE, (_MINUTE, "m"), (1, "s")),
    (3 * _HOUR, (_MINUTE, "m"), None),
    (8 * _HOUR, (_HOUR, "h"), (_MINUTE, "m")),
    (2 * _DAY, (_HOUR, "h"), None),
    (8 * _DAY, (_DAY, "d"), (_HOUR, "h")),
    (2 * _YEAR, (_DAY, "d"), None),
    (8 * _YEAR, (_YEAR, "y"), (_DAY, "d")),
)
"""Up to how many seconds an age has which unit, and which smaller one after it: two digits or three say enough."""

_LENGTHS: Final = ((_DAY, "d", _HOUR, "h"), (_HOUR, "h", _MINUTE, "m"), (_MINUTE, "m", 1, "s"))
"""The units of a duration from a minute on, each with the smaller one after it, in seconds."""


class AsOf(Value, frozen=True):
    """The moment that ages count to, in nanoseconds since the epoch; ``source`` says where it comes from.

    None: no moment is known. Without a ``source`` it is the clock's, or what the user gave: neither needs a word.
    """

    moment: int | None = None
    source: str = ""

    @property
    def clause(self) -> str:
        """Where ages come from, for the end of an answer; empty if the reader knows."""
        return f"ages as of {moment_text(self.moment)}, {self.source}" if self.moment and self.source else ""


def age(moment: int | None, now: int | None) -> str:
    """The time from a moment to ``now``: ``45s``, ``3h12m``, ``8d``; empty if one of the two is not known."""
    return "" if not moment or now is None else span_text(now - moment)


def span_text(nanoseconds: int) -> str:
    """A time as kubectl writes ages; one below 0 is ``0s``, as clocks differ."""
    seconds = max(nanoseconds, 0) // _SECOND
    for below, (size, unit), smaller in _FORMS:
        if seconds < below:
            rest = 0 if smaller is None else seconds % size // smaller[0]
            return f"{seconds // size}{unit}{f'{rest}{smaller[1]}' if smaller is not None and rest else ''}"
    return f"{seconds // _YEAR}y"


def length_text(nanoseconds: float) -> str:
    """A duration in the spelling of ages, in its two largest units: ``15m1s``, ``3h20m``, ``2d``; ``31.6s``.

    Ages say less, as what is old need not be known to the second; two durations are compared.
    """
    sign, seconds = "−" if nanoseconds < 0 else "", abs(nanoseconds) / _SECOND
    if seconds < _MINUTE:
        return f"{sign}{seconds:.3g}s"
    whole = round(seconds)
    size, unit, smaller, rest_unit = next(each for each in _LENGTHS if whole >= each[0])
    rest = whole % size // smaller
    return f"{sign}{whole // size}{unit}{f'{rest}{rest_unit}' if rest else ''}"


def when(moment: int | None, now: int | None) -> str:
    """``3h12m ago``, ``in 4m``, or the moment itself where ``now`` is not known; ``at an unknown time`` without one."""
    if not moment:
        return "at an unknown time"
    if now is None:
        return moment_text(moment)
    return f"in {span_text(moment - now)}" if moment > now else f"{span_text(now - moment)} ago"


def lasting(moment: int | None, now: int | None) -> str:
    """``for 3h12m``, or ``since`` the moment where ``now`` is not known."""
    if not moment or now is None:
        return f"since {moment_text(moment)}" if moment else "since an unknown time"
    return f"for {span_text(now - moment)}"
