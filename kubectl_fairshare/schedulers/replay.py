"""A scheduler on a state that changes over time: what ``simulate`` asks of a house.

The simulation knows time, arrivals and ends of jobs; the house decides with its own cycles which of them start and
which have to stop. Moments are nanoseconds since the epoch. Tested in ``tests/unit/answers/test_simulation.py``.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot


class Stopped(NamedTuple):
    """A unit that has to stop, the unit for which, and the scheduler's rule, in short."""

    unit: str
    by: str
    rule: str


class Moves(NamedTuple):
    """What cycles did at one moment: which units started, which stopped, in order.

    ``ties`` counts choices that the scheduler leaves to chance, ``decisions`` the workloads that were nominated.
    """

    started: Sequence[str] = ()
    stopped: Sequence[Stopped] = ()
    cycles: int = 0
    decisions: int = 0
    ties: int = 0


class Submitted(NamedTuple):
    """A job that has arrived: its units, its queue, and why it is never considered, if so.

    A unit is what starts and stops as one: a workload of a gang scheduler, a pod of one that places pods one by one.
    """

    units: Sequence[str]
    queue: str
    refused: str = ""


class SchedulerReplay(Protocol):
    """One scheduler on one state in motion. Ties are drawn with the numbers that it was made with."""

    @property
    def fidelity(self) -> Fidelity:
        """What the engine does not decide exactly."""

    @property
    def notes(self) -> Sequence[str]:
        """What is assumed, in sentences."""

    def submit(self, job: TracedJob, now: int) -> Submitted:
        """A job arrives."""

    def finish(self, unit: str, now: int) -> None:
        """A unit that runs has ended."""

    def change(self, snapshot: Snapshot, now: int) -> None:
        """Quotas or nodes are those of another snapshot from now on; work goes on."""

    def run(self, now: int) -> Moves:
        """Cycles at this moment. More may follow at once: call it until nothing starts or stops."""

    def wakes(self) -> int | None:
        """The next moment at which cycles are due without another event; None if there is none."""

    def used(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """What each queue holds, by pool and resource."""

    def entitled(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """Each queue's own quota, by pool and resource."""

    def waiting(self) -> Mapping[str, int]:
        """The number of units that wait, by queue."""

    def standings(self, now: int) -> Mapping[str, float | None]:
        """The number by which the scheduler compares queues, by queue; None where it has none."""
