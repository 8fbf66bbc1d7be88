"""The source of past usage and how it is counted, below the heading."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.answers.blocks import Remark
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kai.model.usage import SLIDING, Counted, PastUsage
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION

_NONE: Final = (
    "with the window as documented; {scheduler} {version} itself sends a query for a {kind} window that every "
    "Prometheus rejects, so it sees usage 0"
)


def usage_remarks(past: PastUsage | None) -> Iterator[Remark]:
    """The sources, the window, and what KAI itself reads from it."""
    if past is None:
        return
    text, counted = f"usage: {', '.join(past.sources)}", past.counted
    yield Remark(text if counted is None else f"{text}: {_window(counted)}", "dim", first="", more="  ")
    if counted is not None and not counted.as_kai:
        note = _NONE.format(scheduler=SCHEDULER, version=VERSION, kind=counted.params.kind)
        yield Remark(note, "wait", first="", more="  ")


def _window(counted: Counted) -> str:
    """``sliding 7d until 2026-08-05T12:00:00Z, half-life 1d, a sample every 1m``."""
    params, until = counted.params, moment_text(counted.now)
    if params.kind == SLIDING:
        window = f"{params.kind} {length_text(params.window)} until {until}"
    else:
        window = f"{params.kind} from {moment_text(counted.since)} until {until}"
    decay = f"half-life {length_text(params.half_life)}" if params.half_life > 0 else "no decay"
    return f"{window}, {decay}, a sample every {length_text(params.resolution)}"
