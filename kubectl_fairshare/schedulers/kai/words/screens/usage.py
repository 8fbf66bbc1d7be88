"""The source of past usage and how it is counted, as lines below the heading."""

from typing import Final

from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.model.usage import SLIDING, Counted, PastUsage, span_text
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION

_NONE: Final = (
    "with the window as documented; {scheduler} {version} itself sends a query for a {kind} window that every "
    "Prometheus rejects, so it sees usage 0"
)


def usage_lines(past: PastUsage | None, view: View) -> list[str]:
    """The sources, the window, and what KAI itself reads from it."""
    if past is None:
        return []
    text = f"usage: {', '.join(past.sources)}"
    counted = past.counted
    lines = folded(text if counted is None else f"{text}: {_window(counted)}", view.width, "  ")
    found = [view.paint("dim", line) for line in lines]
    if counted is not None and not counted.as_kai:
        note = _NONE.format(scheduler=SCHEDULER, version=VERSION, kind=counted.params.kind)
        found += paragraph(note, view, "", "  ", "wait")
    return found


def _window(counted: Counted) -> str:
    """``sliding 1w until 2026-08-05T12:00:00Z, half-life 1d, a sample every 1m``."""
    params, until = counted.params, moment_text(counted.now)
    if params.kind == SLIDING:
        window = f"{params.kind} {span_text(params.window)} until {until}"
    else:
        window = f"{params.kind} from {moment_text(counted.since)} until {until}"
    decay = f"half-life {span_text(params.half_life)}" if params.half_life > 0 else "no decay"
    return f"{window}, {decay}, a sample every {span_text(params.resolution)}"
