"""What a simulation is run with. Tested in ``tests/unit/answers/test_simulation.py``."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value

MOST_EVICTIONS: Final = 10_000
UNSAMPLED: Final = 10**21
"""A distance between samples at which none follows the first: for plays of which only the course of jobs is read."""


class NamedSpan(NamedTuple):
    """A pattern of names of jobs, and a time in nanoseconds. The first that fits counts."""

    pattern: str
    span: int


class Parameters(Value, frozen=True):
    """``seed`` decides ties. Durations are nanoseconds, moments nanoseconds since the epoch.

    ``checkpoint``: an evicted job continues from its last checkpoint, one of which is written every so often while it
    runs; None: it starts from zero. ``stopping``: evicted pods hold what they have for so long. ``end``: when the
    simulation stops; None: when nothing can happen any more. ``sample`` is the distance of the moments of the series;
    None: about 200 moments. ``most_evictions``: after more of them a simulation is broken off, if no job arrives or
    ends and no policy changes meanwhile. ``ready``: after which time the pods of jobs are ready; at once without one.
    """

    seed: int = 0
    checkpoint: int | None = None
    stopping: int = 0
    end: int | None = None
    sample: int | None = None
    most_evictions: int = MOST_EVICTIONS
    ready: tuple[NamedSpan, ...] = ()

    def ready_of(self, names: Iterable[str]) -> int:
        """How long after an admission the pods of a job with these names are ready; 0 where nothing says so."""
        found = (each.span for each in self.ready if any(fnmatchcase(name, each.pattern) for name in names))
        return next(found, 0)


class PolicyChange(Value, frozen=True):
    """From ``at`` on, quotas, queues and nodes are those of ``snapshot``; ``name`` is for people."""

    at: int
    snapshot: Snapshot
    name: str = ""
