"""The victims of a pod on one node: all candidates are removed, and each is put back that is not needed.

Counter-example to evicting the fewest pods: a full node of 4 cpu holds 2 cpu of priority 5 and twice 1 cpu of priority
1, and a pod needs 2 cpu. That of priority 5 is put back first and has room, so both others leave, where one would do.
Source: ``SelectVictimsOnNode`` of each plugin, after that of
https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go.
Tested in ``tests/unit/schedulers/elasticquota/preemption/test_victims.py`` and
``tests/unit/schedulers/koordinator/test_preemption.py``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from kubectl_fairshare.jobs.node_demand import DisruptionBudget
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kubescheduler.choice import NodeVictims, broken_budgets
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult
from kubectl_fairshare.schedulers.kubescheduler.importance import equals
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginPod

AnyLaw = TypeVar("AnyLaw", bound=StrEnum)


class CandidateFate(Protocol):
    """The end of a candidate: evicted, or put back. As a value, it has the ``budgets`` that its eviction breaks."""

    @property
    def pod(self) -> Any:
        """The candidate."""

    @property
    def law(self) -> StrEnum:
        """What needs its room, or that it is put back."""

    @property
    def leaves(self) -> bool:
        """Whether the pod is a victim."""


AnyFate = TypeVar("AnyFate", bound=CandidateFate)
AnyPod = TypeVar("AnyPod", bound=PluginPod[Any])
AnyScene = TypeVar("AnyScene")


class TrialOfNode(Value, Generic[AnyPod, AnyFate], frozen=True):
    """The result of preemption on one node: victims, or the law that rejects the node.

    ``fates`` are in the order of the decisions, ``victims`` in the order of the scheduler's list, ``violations`` counts
    those that break a budget. ``lacking`` is what the node lacks with all candidates removed. ``ties`` are groups of
    equally important pods of which some leave and some stay.
    """

    node: str
    fates: tuple[AnyFate, ...] = ()
    victims: tuple[AnyFate, ...] = ()
    violations: int = 0
    rejected: StrEnum | None = None
    lacking: FilterResult | None = None
    ties: tuple[tuple[AnyPod, ...], ...] = ()

    @property
    def on_node(self) -> NodeVictims:
        """The victims, as the choice among nodes compares them."""
        return NodeVictims([fate.pod for fate in self.victims], self.violations)

    @property
    def errs(self) -> bool:
        """Whether the scheduler fails on the node, instead of rejecting it."""
        return self.rejected is not None and self.rejected.name in ("REMOVED_TWICE", "ALL_SPARED")


def fate_of(laws: type[AnyLaw], *, node_has_room: bool, quotas_exceeded: bool) -> AnyLaw:
    """The end of a victim that is tried back: it stays if the node has room for both and the quotas hold.

    If neither is so, the scheduler removes it twice and fails.
    """
    if node_has_room:
        return laws["QUOTA_NEEDS" if quotas_exceeded else "PUT_BACK"]
    # The scheduler's own bug: without room it removes the pod, then finds the quotas exceeded and removes it once more,
    # which fails, and with it the whole node.
    return laws["REMOVED_TWICE" if quotas_exceeded else "NODE_NEEDS"]


class Restored(NamedTuple, Generic[AnyFate]):
    """What became of the candidates of a node.

    ``failed`` is the one on which the scheduler fails. ``mixed``: the evictions of some break a budget, of others not.
    """

    fates: tuple[AnyFate, ...]
    violations: int
    failed: AnyFate | None
    mixed: bool

    @property
    def victims(self) -> list[AnyFate]:
        """Those that leave, in the order of the decisions."""
        return [fate for fate in self.fates if fate.leaves]


def put_back(
    candidates: Sequence[AnyPod],
    budgets: Mapping[str, Sequence[DisruptionBudget]],
    scene: AnyScene,
    tried_back: Callable[[AnyScene, AnyPod], tuple[Any, AnyScene]],
) -> Restored[Any]:
    """Puts back each candidate that is not needed, first those whose eviction would break a budget.

    ``candidates`` begin with the most important, ``scene`` is without them. ``tried_back`` is the end of one of them,
    and the scene after it.
    """
    # Budgets are counted down in this order: of equal pods under one budget, the last are those that break it.
    broken = broken_budgets(budgets, candidates)
    breaking = [pod for pod in candidates if broken[pod.key]]
    others = [pod for pod in candidates if not broken[pod.key]]
    fates: list[Any] = []
    violations, failed = 0, None
    # Those first whose eviction breaks a budget, even if others are more important: they get the room that there is.
    for pod in (*breaking, *others):
        fate, scene = tried_back(scene, pod)
        fates.append(replace(fate, budgets=broken[pod.key]) if broken[pod.key] else fate)
        if fate.law.name == "REMOVED_TWICE":
            failed = fate
            break
        # The scheduler counts only pods that the node has no room for: a victim of the quotas breaks a budget
        # uncounted.
        violations += fate.law.name == "NODE_NEEDS" and bool(broken[pod.key])
    return Restored(tuple(fates), violations, failed, bool(breaking and others))


def ties_among(pods: Iterable[AnyPod], fates: Iterable[CandidateFate]) -> tuple[tuple[AnyPod, ...], ...]:
    """Equally important pods of which some are evicted and some stay: the scheduler's choice is undefined."""
    leaving = {fate.pod.key for fate in fates if fate.leaves}
    return tuple(group for group in equals(pods) if {pod.key in leaving for pod in group} == {True, False})
