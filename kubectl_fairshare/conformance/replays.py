"""The recordings that can be replayed, by name; every scheduler lists its own."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.schedulers import every_scheduler
from kubectl_fairshare.schedulers.recording import Recording

REPLAYS: Final[Mapping[str, Recording]] = {
    name: recording for scheduler in every_scheduler() for name, recording in scheduler.recordings.items()
}


def recording_named(name: str) -> Recording:
    """The recording of that name; raises ``UsageError`` for an unknown one."""
    if name in REPLAYS:
        return REPLAYS[name]
    remedy = did_you_mean(likely(name, REPLAYS, 1)) or f"write one of {quoted(REPLAYS)}"
    raise UsageError(Problem(f"no recording is called `{name}`", "--engine", remedy))
