"""The parts of a state of the session: its constant ground, the state of each pod, the views of jobs.

Decides nothing: the forms of a state.
Tested in ``tests/unit/schedulers/kai/solver/test_cycle.py``. Source: KAI-Scheduler v0.17, "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kai.map_orders import Walk
from kubectl_fairshare.schedulers.kai.model.objects import Charge, Resources
from kubectl_fairshare.schedulers.kai.session.jobs import JobOrder, Memories
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.solver.gangs import Branch, Gang
from kubectl_fairshare.schedulers.kai.solver.machines import Vector
from kubectl_fairshare.schedulers.kai.solver.pod_affinity import Resident
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.kai.solver.tasks import Task


class Ground(Value, frozen=True):
    """What never changes while a session is decided. ``residents`` are pods with labels and terms, by identity.

    ``affine`` says whether any pod has such a term, ``unclear`` whether a pod on a node has one that is not modelled;
    ``names`` are the resources of a vector, ``largest`` the
    most of each that any node has. ``whole``: in whatever order pods leave and come, nodes and queues end with the same
    amounts. ``walk``: the orders in which KAI walks its maps.
    """

    session: Session
    gangs: Mapping[str, Gang]
    tasks: Mapping[str, Task]
    residents: Mapping[str, Resident]
    affine: bool
    unclear: bool
    names: tuple[str, ...]
    largest: Vector
    whole: bool = False
    walk: Walk = field(default_factory=Walk)

    @property
    def memories(self) -> Memories:
        """The range of GPU memory."""
        return self.session.memories


class ListedVictim(NamedTuple):
    """A pod in the list of a scenario. One that is listed twice has two entries, with different ``turn``."""

    pod: str
    turn: int = 0


class PodState(NamedTuple):
    """The state of a pod: ``passing``: only the session set it; ``entry``: its entry among the victims."""

    status: Status
    node: str
    groups: tuple[str, ...]
    passing: bool
    held: Resources
    entry: ListedVictim


class PodEviction(NamedTuple):
    """A pod that is evicted, and its state before. ``undone``: it was put back."""

    victim: ListedVictim
    before: PodState
    undone: bool = False


class JobView(Value, frozen=True):
    """A job, or some of its pods, in one state; the fields are those of the order of jobs.

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
    """One step: the pod, and its node. ``before`` is the state of a pod before it is evicted or put back."""

    step: StepKind
    pod: str
    node: str
    before: PodState | None = None


class Trail(NamedTuple):
    """What happened in a layer, in order: evictions, and every step."""

    evictions: tuple[PodEviction, ...] = ()
    steps: tuple[NodeStep, ...] = ()
