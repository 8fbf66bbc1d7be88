"""Moments as people read them: as they were written, and how long ago where the moment of asking is known."""

from kubectl_fairshare.model.moments import moment_text

_SECOND = 10**9
_UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def when(moment: int | None, now: int | None) -> str:
    """``2026-01-31T12:00:00Z``, and ``(4 min ago)`` or ``(in 4 min)``; ``an unknown time`` for None and 0."""
    if not moment:
        return "an unknown time"
    text = moment_text(moment)
    return text if now is None else f"{text} ({_distance(now - moment)})"


def _distance(nanoseconds: int) -> str:
    seconds = abs(nanoseconds) // _SECOND
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds // size} {unit} ago" if nanoseconds >= 0 else f"in {seconds // size} {unit}"
    return "now"
