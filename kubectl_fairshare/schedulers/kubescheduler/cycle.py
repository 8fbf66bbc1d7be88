"""One scheduling cycle for one pod: quotas, nodes, and preemption if it is needed.

Why not look at nodes first: a pod that the quotas reject is tried on no node, so the nodes that preemption may use are
all of them, even those with room.
Example of a pod that cannot preempt: ``low`` terminates on ``n1``, to which ``high`` is nominated. Otherwise the next
cycle would evict pods of a second node although room on ``n1`` is on its way.
Source: https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/preemption/preemption.go,
``Preempt``; each plugin's ``PreFilter``, ``PostFilter`` and ``PodEligibleToPreemptOthers``.
Tested in ``tests/unit/schedulers/elasticquota/preemption/test_eligibility.py`` and
``tests/unit/schedulers/koordinator/test_preemption.py``.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from kubectl_fairshare.jobs.node_demand import FilterStatus, NodeDemand
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kubescheduler.choice import NodeChoice, NodeOfVictims, choose
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginPod


class QuotaAdmission(Protocol):
    """The quotas' verdict on a pod."""

    @property
    def admits(self) -> bool:
        """Whether the pod may be placed."""


class TriedNode(NodeOfVictims, Protocol):
    """The result of preemption on one node."""

    @property
    def rejected(self) -> StrEnum | None:
        """Why the node is not a candidate; None for one."""

    @property
    def errs(self) -> bool:
        """Whether the scheduler fails on the node, instead of rejecting it."""


AnyPod = TypeVar("AnyPod", bound=PluginPod[Any])
AnyGate = TypeVar("AnyGate", bound=QuotaAdmission)
AnyTrial = TypeVar("AnyTrial", bound=TriedNode)


class Eligibility(Value, frozen=True):
    """Whether the pod can preempt, by its law, and the terminating pod that it has to wait for."""

    law: StrEnum
    leaving: Any = None

    @property
    def eligible(self) -> bool:
        """Whether it can."""
        return self.law.name == "MAY_PREEMPT"


class CycleAttempt(Value, Generic[AnyPod, AnyGate, AnyTrial], frozen=True):
    """Everything that one cycle finds.

    ``filters`` are empty if the quotas rejected the pod, because then no node is tried. ``trials`` are the nodes on
    which preemption was tried; ``choice`` is None if it was not needed or not allowed.
    """

    pod: AnyPod
    demand: NodeDemand
    gate: AnyGate
    course: CycleEnd = CycleEnd.NONE
    filters: Mapping[str, FilterResult] = field(default_factory=dict)
    eligibility: Eligibility | None = None
    trials: Mapping[str, AnyTrial] = field(default_factory=dict)
    choice: NodeChoice | None = None

    @property
    def feasible(self) -> tuple[str, ...]:
        """The nodes with room for the pod now; its nominated node comes before all others."""
        found = tuple(name for name, result in self.filters.items() if result.passed)
        kept = self.pod.nominated
        # The scheduler evaluates the nominated node first, and the others only if that has no room.
        return (kept,) if kept in found else found

    @property
    def preempted_on(self) -> tuple[str, ...]:
        """The nodes that are equally good for preemption, which may be any of them; empty where none takes place."""
        return () if self.choice is None else self.choice.nodes

    @property
    def chosen(self) -> AnyTrial | None:
        """The trial of the chosen node; the first by name if several are equal."""
        return None if self.choice is None else self.trials[self.choice.nodes[0]]

    @property
    def eligible(self) -> StrEnum | None:
        """The law by which the pod can preempt or not; None where that was not asked."""
        return None if self.eligibility is None else self.eligibility.law


def is_placed(nodes: Collection[Any], attempt: CycleAttempt[Any, Any, Any]) -> bool:
    """Whether the pod is placed, now or after preemption; without nodes, whether the quotas admit it."""
    if not nodes:
        return bool(attempt.gate.admits)
    return attempt.course in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT)


class CycleOfPlugin(NamedTuple, Generic[AnyPod, AnyTrial]):
    """What a plugin decides in a cycle for a pod.

    ``nodes`` are their names, ``pods`` those on each, ``filtered`` the verdicts on all. ``makes_room`` says of a
    terminating pod whether the pod waits for it; ``trial`` is preemption on a node.
    """

    laws: type[StrEnum]
    nodes: Collection[str]
    pods: Mapping[str, Iterable[AnyPod]]
    filtered: Callable[[], dict[str, FilterResult]]
    makes_room: Callable[[AnyPod], bool]
    trial: Callable[[str], AnyTrial]


AnyAttempt = TypeVar("AnyAttempt", bound=CycleAttempt[Any, Any, Any])


def cycle(
    made: type[AnyAttempt], pod: AnyPod, demand: NodeDemand, gate: QuotaAdmission, plugin: CycleOfPlugin[AnyPod, Any]
) -> AnyAttempt:
    """The effect of one scheduling cycle on the pod, after the quotas' verdict."""
    filters: dict[str, FilterResult] = {}
    if gate.admits:
        filters = plugin.filtered()
        if any(result.passed for result in filters.values()):
            return made(pod, demand, gate, CycleEnd.SCHEDULABLE, filters)
    may = _eligibility(pod, filters, plugin)
    if not may.eligible:
        return made(pod, demand, gate, CycleEnd.NOT_ELIGIBLE, filters, may)
    # All of them: DefaultPreemption tries a tenth, from a random node on; these plugins do not sample.
    potential = [n for n in plugin.nodes if n not in filters or filters[n].status is FilterStatus.UNSCHEDULABLE]
    trials = {name: plugin.trial(name) for name in potential}
    candidates: Sequence[Any] = [trial for trial in trials.values() if trial.rejected is None]
    if candidates:
        choice = choose(candidates, plugin.laws)
        return made(pod, demand, gate, CycleEnd.PREEMPT, filters, may, trials, choice)
    # Only without a candidate: the scheduler drops the errors of some nodes once another node can be used.
    course = CycleEnd.ERROR if any(trial.errs for trial in trials.values()) else CycleEnd.NO_CANDIDATE
    return made(pod, demand, gate, course, filters, may, trials)


def _eligibility(pod: AnyPod, filters: Mapping[str, FilterResult], plugin: CycleOfPlugin[AnyPod, Any]) -> Eligibility:
    """Whether the pod can preempt; ``filters`` are the verdicts on nodes, empty if the quotas rejected it."""
    laws = plugin.laws
    if not pod.preempts:
        return Eligibility(laws["NEVER_PREEMPTS"])
    node = pod.nominated
    result = filters.get(node)
    # A nominated node that has gone, or that no eviction helps, does not make the pod wait.
    if node not in plugin.nodes or (result is not None and result.status is FilterStatus.UNRESOLVABLE):
        return Eligibility(laws["MAY_PREEMPT"])
    leaving = next((other for other in plugin.pods[node] if other.terminating and plugin.makes_room(other)), None)
    return Eligibility(laws["MAY_PREEMPT" if leaving is None else "VICTIMS_LEAVING"], leaving)
