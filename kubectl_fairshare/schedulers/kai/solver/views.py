"""What a state of the session is made of: the ground below it, where each pod stands, jobs as they are seen in it.

Tested in ``tests/unit/schedulers/kai/solver/test_cycle.py``. Source: KAI-Scheduler v0.17, "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.model.objects import Charge, Resources
from kubectl_fairshare.schedulers.kai.session.jobs import JobOrder, Memories
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.solver.gangs import Branch, Gang
from kubectl_fairshare.schedulers.kai.solver.machines import Vector
from kubectl_fairshare.schedulers.kai.solver.pod_affinity import Resident
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.kai.solver.tasks import Task

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Ground:
    """What never changes while a session is decided. ``residents`` are pods with labels and terms, by identity.

    ``affine`` tells whether any pod has such a term, ``names`` are the resources of a vector, ``largest`` the
    most of each that any node has. ``turned``: the items of KAI's maps come in the reverse order.
    """

    session: Session
    gangs: Mapping[str, Gang]
    tasks: Mapping[str, Task]
    residents: Mapping[str, Resident]
    affine: bool
    names: tuple[str, ...]
    largest: Vector
    turned: bool = False

    def in_map_order(self, items: Sequence[Item]) -> Sequence[Item]:
        """The items in one of the orders that a map may have."""
        return items[::-1] if self.turned else items

    @property
    def memories(self) -> Memories:
        """The range of GPU memory."""
        return self.session.memories


class Victim(NamedTuple):
    """A pod in the list of a scenario. One that is listed twice has two entries, told apart by ``turn``."""

    pod: str
    turn: int = 0


class Stand(NamedTuple):
    """Where a pod stands: ``passing`` tells that the session alone says so, ``entry`` which victim entry it is."""

    status: Status
    node: str
    groups: tuple[str, ...]
    passing: bool
    held: Resources
    entry: Victim


class Eviction(NamedTuple):
    """A pod that is taken off its node, and where it stood. ``undone`` tells that it was put back."""

    victim: Victim
    before: Stand
    undone: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A job, or some of its pods, as it stands in one state; the fields are those of the order of jobs.

    ``next`` are the pods that are placed next when evicted ones count as waiting, ``active`` how many are placed.
    ``holds`` leaves out pods that wait for their room, though they are active: so KAI orders victims.
    """

    gang: Gang
    root: Branch
    next: tuple[str, ...]
    request: Charge
    holds: Resources
    order: JobOrder
    active: int

    @property
    def name(self) -> str:
        """The PodGroup's name."""
        return self.gang.name

    @property
    def queue(self) -> str:
        """Its queue."""
        return self.gang.job.queue

    @property
    def known(self) -> bool:
        """Whether the queue exists."""
        return self.gang.job.known


class StepKind(StrEnum):
    """What the session does to a pod."""

    EVICT = "evict"
    PUT_BACK = "put back"
    PLACE = "place"


class NodeStep(NamedTuple):
    """One step: the pod, and its node. ``before`` is where a pod stood that is evicted, or put back."""

    step: StepKind
    pod: str
    node: str
    before: Stand | None = None


class Trail(NamedTuple):
    """What happened in a layer, in order: evictions, and every step."""

    evictions: tuple[Eviction, ...] = ()
    steps: tuple[NodeStep, ...] = ()
