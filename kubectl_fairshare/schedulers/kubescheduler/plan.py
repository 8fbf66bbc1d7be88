"""The decision for one pod, as far as it is the same with all plugins.

Decides nothing: it has types only.
Tested in ``tests/unit/schedulers/elasticquota/explain/test_planning.py``.
"""

from enum import StrEnum
from typing import Any, Generic, TypeVar

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import BarredNodes, NodeDemand
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kubescheduler.decision import Remedy
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult
from kubectl_fairshare.schedulers.kubescheduler.limits import ExceededLimit
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.trace import Step

Asked = TypeVar("Asked")


class PluginPlan(Value, frozen=True, kw_only=True):
    """The decision for one pod.

    ``outcome`` is Unknown if a feature that is not modelled or a tie can change it; ``computed`` is the outcome apart
    from that. ``half``: the input has no nodes, so only the quotas decided. ``possible`` are the ends that ties allow,
    this one first, if there are several. ``elsewhere`` are the other nodes with room for the pod once the victims are
    gone: it can come to one of them if the scheduler tries it again before it knows of the nomination. ``spared`` are
    the pods of the chosen node that are no candidates, each with the reason. ``barred`` are nodes that exclude the pod
    and could take it. ``node_bound``: quotas reject the pod now, and no node ever takes it. ``alone``, of a pod that
    never gets in, is the verdict of each node by amounts, without other pods. ``beyond`` are the limits that it exceeds
    by itself. ``if_created`` is what the scheduler makes of a pod that the API server does not create now.
    """

    attempt: Any
    outcome: Outcome
    computed: Outcome
    half: bool
    remedies: tuple[Remedy, ...]
    proof: tuple[Step, ...]
    fidelity: Fidelity
    origin: PodOrigin
    possible: tuple[Any, ...] = ()
    spared: tuple[tuple[Any, StrEnum], ...] = ()
    elsewhere: tuple[str, ...] = ()
    barred: BarredNodes | None = None
    node_bound: bool = False
    alone: tuple[FilterResult, ...] = ()
    beyond: tuple[ExceededLimit, ...] = ()
    if_created: Outcome | None = None

    @property
    def pod(self) -> Any:
        """The pod."""
        return self.attempt.pod

    @property
    def feasible(self) -> tuple[str, ...]:
        """The nodes with room now."""
        nodes: tuple[str, ...] = self.attempt.feasible
        return nodes

    @property
    def preempted_on(self) -> tuple[str, ...]:
        """The nodes that are equally good for preemption."""
        nodes: tuple[str, ...] = self.attempt.preempted_on
        return nodes

    @property
    def chosen(self) -> Any:
        """The trial of the chosen node, the first by name if several are equal; None without preemption."""
        return self.attempt.chosen

    @property
    def victims(self) -> int:
        """The number of victims there."""
        return 0 if self.chosen is None else len(self.chosen.victims)

    @property
    def refusals(self) -> tuple[CreationRefusal, ...]:
        """What keeps the pod from being created."""
        return self.origin.refusals


AnyPodPlan = TypeVar("AnyPodPlan", bound=PluginPlan)


class AskedPod(Value, Generic[Asked], frozen=True):
    """A pod to place, and the state in which it is tried."""

    pod: Asked
    demand: NodeDemand
    origin: PodOrigin
    state: Any
