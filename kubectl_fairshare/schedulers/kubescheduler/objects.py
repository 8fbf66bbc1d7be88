"""Pods and nodes, as plugins of kube-scheduler see them; each plugin has its own amounts.

Source: the core objects that the scheduler reads.
Decides nothing: it has types only.
Tested in ``tests/unit/schedulers/elasticquota/reading/test_state.py`` and
``tests/unit/schedulers/koordinator/test_reading.py``.
"""

from collections.abc import Mapping
from typing import Final, Generic, Self, TypeVar

from kubectl_fairshare.jobs.node_demand import CORDON_TAINT
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.model.values import Value, field, replace

_LATEST: Final = (1 << 63) - 1
AnyAmounts = TypeVar("AnyAmounts")


class PluginPod(Value, Generic[AnyAmounts]):
    """A pod that has not ended.

    ``charge`` is what it adds to its quota, ``request`` what it uses on a node: two different sums over the same
    containers. ``bare`` is the charge without overhead. ``started`` is in nanoseconds since the epoch, None before the
    start. ``nominated`` is the node that a preemption has reserved for it. ``terminating``: it is being deleted.
    ``gates`` are its scheduling gates. ``repelling``: it keeps other pods off its node. ``unmodelled`` names its
    requirements that are not reproduced. ``least`` are the smallest requests that LimitRanges take, in thousandths of
    CPUs and units of the rest, without overhead.
    """

    key: ObjectKey
    uid: str
    labels: Mapping[str, str]
    priority: int
    charge: AnyAmounts
    request: AnyAmounts
    bare: AnyAmounts
    node: str = ""
    nominated: str = ""
    started: int | None = None
    running: bool = False
    terminating: bool = False
    scheduler: str = ""
    preempts: bool = True
    gates: tuple[str, ...] = ()
    repelling: bool = False
    unmodelled: tuple[str, ...] = ()
    least: Mapping[str, int] = field(default_factory=dict)

    @property
    def gated(self) -> bool:
        """Whether its scheduler leaves it alone."""
        return bool(self.gates)

    @property
    def namespace(self) -> str:
        """The namespace."""
        return self.key.namespace

    @property
    def name(self) -> str:
        """``namespace/name``."""
        return f"{self.key.namespace}/{self.key.name}"

    @property
    def start(self) -> int:
        """The moment of the start; infinite for a pod that has not started."""
        return _LATEST if self.started is None else self.started


class PluginNode(Value, Generic[AnyAmounts], frozen=True):
    """A node; its ``allocatable`` pods are its maximum number of pods."""

    key: ObjectKey
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    unschedulable: bool
    allocatable: AnyAmounts

    @property
    def name(self) -> str:
        """The node's name."""
        return self.key.name

    @property
    def uncordoned(self) -> Self:
        """The node without its cordon, which is a field and a taint."""
        taints = tuple(taint for taint in self.taints if taint.key != CORDON_TAINT)
        return replace(self, unschedulable=False, taints=taints)
