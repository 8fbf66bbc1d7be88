"""The outcome of several workloads that wait together, once the scheduler's cycles have come to rest. Data only.

Tested in ``tests/unit/policy/test_together.py``.
"""

from typing import NamedTuple

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value


class JointEviction(NamedTuple):
    """A job that had to stop in a cycle, the job for which, and the scheduler's rule, in short."""

    cycle: int
    job: str
    by: str
    rule: str


class JointEnd(Value, frozen=True):
    """One job at rest. ``keys`` are the objects by which people name it, the first for screens.

    ``computed`` is Admitted, or Preempts if others had to stop for it; then ``cycle`` is the one in which it last
    started, from 1, and ``start`` its place in the order of starts. Any other job waits, for ``reason``. ``outcome`` is
    Unknown if a feature that is not modelled, or chance, can change it. ``victims`` stopped for it, by
    ``namespace/name`` as in ``TracedJob.key``; ``evicted``: it had to stop.
    """

    job: TracedJob
    keys: tuple[ObjectKey, ...]
    queue: str
    outcome: Outcome
    computed: Outcome
    cycle: int | None = None
    start: int | None = None
    reason: str = ""
    victims: tuple[JointEviction, ...] = ()
    evicted: tuple[JointEviction, ...] = ()

    @property
    def title(self) -> str:
        """The name for people."""
        return f"{self.job.namespace}/{self.keys[0].name}"


class Together(Value, frozen=True):
    """The end of the ``jobs`` in question, in the order of their starts, then as they were given.

    ``displaced`` are running jobs of the input that had to stop; they are tried again, too. ``cycles`` is the number
    of cycles that were played. ``rests`` is False if jobs evict each other without end. ``assumed`` are sentences,
    ``notes`` are for the user, next to the answer.
    """

    scheduler: str
    jobs: tuple[JointEnd, ...]
    displaced: tuple[JointEnd, ...]
    cycles: int
    rests: bool
    fidelity: Fidelity
    assumed: tuple[str, ...] = ()
    notes: tuple[Problem, ...] = ()

    def title(self, name: str) -> str:
        """The name of a job for people."""
        named = (each.title for each in (*self.jobs, *self.displaced) if each.job.key == name)
        return next(named, name)
