"""The work of jobs: what is done of each unit, and what an interruption destroys.

Tested in ``tests/unit/policy/simulation/test_run.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.schedulers.replay import HeldNow

_NOTHING = HeldNow("", {})


class UnitGroup:
    """The units of one job: how many there are, how many have not ended, and how many run."""

    __slots__ = ("job", "left", "running", "size")

    def __init__(self, job: SimulatedJob, units: int) -> None:
        self.job = job
        self.size = self.left = units
        self.running = 0


class WorkUnit:
    """One unit of a job. ``remaining`` is the time that it still needs, None if it never ends; ``since`` when it runs.

    ``starts`` counts its starts, so that an end which was planned before an eviction is known as void.
    """

    __slots__ = ("done", "group", "holding", "remaining", "since", "starts")

    def __init__(self, group: UnitGroup) -> None:
        self.group = group
        self.remaining = group.job.job.duration
        self.done = 0
        self.since: int | None = None
        self.starts = 0
        self.holding = _NOTHING

    @staticmethod
    def enter(units: "dict[str, WorkUnit]", job: SimulatedJob, names: Sequence[str]) -> None:
        """Adds the units of a job."""
        group = UnitGroup(job, len(names))
        units.update((name, WorkUnit(group)) for name in names)

    def interrupt(self, now: int, checkpoint: int | None) -> int:
        """The unit has to stop: keeps what its last checkpoint has, and returns the run time that is lost.

        A checkpoint is written after each ``checkpoint`` of its work; with 0, all the time; with None, never.
        """
        assert self.since is not None
        progress = self.done + now - self.since
        kept = 0 if checkpoint is None else progress if checkpoint == 0 else progress // checkpoint * checkpoint
        kept = max(kept, self.done)
        if self.remaining is not None:
            self.remaining -= kept - self.done
        self.done = kept
        return progress - kept
