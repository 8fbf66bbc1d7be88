"""A scheduler on a state that changes over time: what ``simulate`` asks of a house.

The simulation knows time, arrivals and ends of jobs; the house decides with its own cycles which of them start and
which have to stop. Moments are nanoseconds since the epoch. Tested in ``tests/unit/answers/test_simulation.py``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, runtime_checkable

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot

LOST_NODES: Final = Gap("LostNodes", (), touches=True)
"""The outcome of jobs on a node that a change takes away, which the house words."""


def ready_at_once(unit: str) -> int:  # noqa: ARG001 -- of any unit
    """Pods are ready as soon as they run."""
    return 0


class ReplayTerms(NamedTuple):
    """What a replay starts with: the seed of what the scheduler leaves to chance, and the moment of the start.

    ``stopping``: nanoseconds that pods which have to stop still hold what they have. ``ready`` says of a unit how many
    nanoseconds after its start its pods are ready.
    """

    seed: int = 0
    start: int = 0
    stopping: int = 0
    ready: Callable[[str], int] = ready_at_once


class Stopped(NamedTuple):
    """A unit that has to stop, the unit for which, and the scheduler's rule, in short."""

    unit: str
    by: str
    rule: str


class Moves(NamedTuple):
    """What one cycle, or several that do not touch each other, did: which units started, and which stopped.

    ``ties`` counts choices that the scheduler leaves to chance, ``decisions`` the workloads that were nominated.
    ``settled``: another cycle at this moment would change nothing.
    """

    started: Sequence[str] = ()
    stopped: Sequence[Stopped] = ()
    cycles: int = 0
    decisions: int = 0
    ties: int = 0
    settled: bool = True


def joint_moves(first: Moves, then: Moves) -> Moves:
    """The moves of two cycles as those of one, for cycles that do not touch each other."""
    return Moves(
        (*first.started, *then.started),
        (*first.stopped, *then.stopped),
        first.cycles + then.cycles,
        first.decisions + then.decisions,
        first.ties + then.ties,
        first.settled and then.settled,
    )


class Submitted(NamedTuple):
    """A job that has arrived: its units, its queue, and why it is never considered, if so.

    A unit is what starts and stops as one: a workload of a gang scheduler, a pod of one that places pods one by one.
    ``created``: its pods exist while it waits.
    """

    units: Sequence[str]
    queue: str
    refused: str = ""
    created: bool = True


class HeldNow(NamedTuple):
    """What a unit that runs holds of a queue, by pool and resource."""

    queue: str
    used: Mapping[PoolResource, int]


class SampledQueue(NamedTuple):
    """A queue at one moment: what it holds and its own quota, by pool and resource, and the units that wait in it.

    ``standing`` is the number by which the scheduler compares queues; None where it has none.
    """

    used: Mapping[PoolResource, int]
    entitled: Mapping[PoolResource, int]
    waiting: int = 0
    standing: float | None = None


NO_FIGURES: Final = SampledQueue({}, {})
"""The figures of a queue that is not there."""


class FiguresSeen:
    """Compares the figures of all queues with those of the last call, for schedulers that do not know what changed."""

    def __init__(self) -> None:
        self._seen: Mapping[str, SampledQueue] = {}

    def changes(self, figures: Mapping[str, SampledQueue]) -> Mapping[str, SampledQueue]:
        """The figures that are new; those of queues that are gone are ``NO_FIGURES``."""
        before, self._seen = self._seen, figures
        gone = dict.fromkeys(before.keys() - figures.keys(), NO_FIGURES)
        return {**gone, **{name: each for name, each in figures.items() if before.get(name) != each}}


class UserStanding(NamedTuple):
    """A user within a queue: what it holds, and the number by which the scheduler compares it with others."""

    used: Mapping[PoolResource, int]
    standing: float


class SchedulerReplay(Protocol):
    """One scheduler on one state in motion. Ties are drawn by the seed of its terms."""

    @property
    def fidelity(self) -> Fidelity:
        """What the engine does not decide exactly."""

    @property
    def notes(self) -> Sequence[str]:
        """What is assumed, in sentences."""

    @property
    def drawn(self) -> bool:
        """Whether the seed has decided anything; if not, every seed leads to the same."""

    def submit(self, job: TracedJob, now: int) -> Submitted:
        """A job arrives."""

    def finish(self, unit: str, now: int) -> None:
        """A unit that runs has ended."""

    def change(self, snapshot: Snapshot, now: int) -> None:
        """Quotas or nodes are those of another snapshot from now on; work goes on."""

    def run(self, now: int) -> Moves:
        """The next cycle at this moment; no unit both starts and stops in it. Call it until it is ``settled``."""

    def holding(self, unit: str) -> HeldNow:
        """What a unit that runs holds, and in which queue."""

    def wakes(self) -> int | None:
        """The next moment at which cycles are due without another event; None if there is none."""

    def figures(self, now: int) -> Mapping[str, SampledQueue]:
        """The figures of the queues that may have changed since the last call, at the first call of all queues.

        A queue that is gone has ``NO_FIGURES``.
        """

    def users(self, now: int) -> Mapping[str, UserStanding]:
        """Those within queues whom the scheduler compares by past usage; none where it compares none."""


@runtime_checkable
class SeededReplay(Protocol):
    """A replay of a scheduler that leaves something to chance."""

    def draw_by(self, seed: int) -> None:
        """Whatever is left to chance from now on is decided by this seed."""
