"""What each queue of KAI holds, as a document: cpu in millicores, memory in bytes, GPUs in devices. Types only.

Tested in ``tests/unit/schedulers/kai/words/test_shares_answer.py``.
"""

from typing import Annotated

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import OMITTED, Boundless
from kubectl_fairshare.answers.shares import QueueNode
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.model.usage import PastUsage


class QueueResourceFigures(Value, frozen=True, rename="camel"):
    """One resource at one queue; a saturation of null is infinite.

    ``saturation`` is what it holds divided by its fair share. ``otherFairShares`` are those that other runs of KAI
    give it.
    """

    resource: str
    quota: float
    limit: float
    weight: float
    usage: float
    requested: Boundless
    allocated: float
    allocated_preemptible: float
    allocated_non_preemptible: float
    fair_share: float
    allocatable: float
    saturation: Boundless
    other_fair_shares: tuple[float, ...]


class KaiQueueReport(Value, frozen=True, rename="camel"):
    """A queue with KAI's own figures."""

    display_name: str
    priority: int
    leaf: bool
    name: Annotated[str, OMITTED]
    parent: Annotated[str, OMITTED]
    running: Annotated[int, OMITTED]
    pending: Annotated[int, OMITTED]


KaiNode = QueueNode[KaiQueueReport, QueueResourceFigures]


class LeftOutNode(Value, frozen=True):
    """A node that is not counted, and the reason."""

    name: str
    reason: str


class LostKaiQueue(Value, frozen=True, rename="camel"):
    """A queue that KAI ignores, and its parent that is missing or part of a cycle."""

    name: str
    missing_parent: str
    circle: bool


class Misplaced(Value, frozen=True):
    """Jobs in a queue that is not a leaf, or does not exist."""

    queue: str
    reason: str
    jobs: int


class KaiForest(Value, frozen=True, rename="camel"):
    """The queue tree; k is null if it is infinite, or if the formula has no k."""

    fidelity: Fidelity
    shard: str
    other_shards: tuple[str, ...]
    time_aware: str
    k: float | None
    usage: PastUsage | None
    asked: str
    total: Resources
    unassigned: Resources
    left_out_nodes: tuple[LeftOutNode, ...]
    nodes_of_other_shards: tuple[str, ...]
    held_by_other_schedulers: Resources
    trees: tuple[KaiNode, ...] = field(name="queues")
    lost_queues: tuple[LostKaiQueue, ...]
    misplaced: tuple[Misplaced, ...]
