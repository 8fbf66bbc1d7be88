"""The choice among several nodes: one criterion after the other, until one node is left.

Counter-example to taking the node with the fewest victims: one victim of priority 9 on ``a``, two of priority 0 on
``b``; the scheduler takes ``b``, whose most important victim counts for less.
Source: https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/preemption/preemption.go,
``pickOneNodeForPreemption``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

from kubectl_fairshare.jobs.node_demand import DisruptionBudget, LabelledPod
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginPod


class NodeVictims(NamedTuple):
    """The victims on one node, in the scheduler's order, and how many of them break a disruption budget."""

    pods: Sequence[PluginPod[Any]]
    violations: int


def highest_priority(victims: NodeVictims) -> int:
    """The priority of the first victim."""
    # The scheduler reads the first victim, not the highest: Koordinator lists those first whose eviction breaks a
    # budget.
    return victims.pods[0].priority


def sum_of_priorities(victims: NodeVictims) -> int:
    """The sum of priorities, each raised to be at least zero, so that more victims weigh more."""
    # Two victims of priority -5 sum to less than one; raised, the node with one victim has the smaller sum.
    return sum(pod.priority + (1 << 31) for pod in victims.pods)


def negated_earliest_start(victims: NodeVictims) -> int:
    """The earliest start among the victims of the highest priority, negated: the latest wins."""
    # Here the scheduler does look for the highest priority, whichever victim comes first.
    highest = max(pod.priority for pod in victims.pods)
    return -min(pod.start for pod in victims.pods if pod.priority == highest)


Figure = Callable[[NodeVictims], int]
FIGURES: Final[Mapping[str, Figure]] = {
    "FEWEST_VIOLATIONS": lambda victims: victims.violations,
    "LOWEST_PRIORITY": highest_priority,
    "LOWEST_SUM": sum_of_priorities,
    # Equal sums may come from different numbers: three victims of priority 0, or two of 2³⁰.
    "FEWEST_VICTIMS": lambda victims: len(victims.pods),
    "LATEST_START": negated_earliest_start,
}
"""The criteria in order, by the names of their laws; smaller is better.

The scheduler chooses at random among nodes that are equal in all.
"""


class NodeOfVictims(Protocol):
    """A node on which preemption makes room."""

    @property
    def node(self) -> str:
        """Its name."""

    @property
    def on_node(self) -> NodeVictims:
        """The victims there."""


class LostNode(Value, frozen=True):
    """A candidate node that was not chosen: the criterion, its figure, and the best figure."""

    node: str
    law: StrEnum
    figure: int
    best: int


class NodeChoice(Value, frozen=True):
    """The nodes that the scheduler chooses from at random, and why each other candidate lost."""

    nodes: tuple[str, ...]
    lost: tuple[LostNode, ...] = ()


def choose(candidates: Iterable[NodeOfVictims], laws: type[StrEnum]) -> NodeChoice:
    """The best of the candidates, or the set of equals; ``laws`` has one for each criterion."""
    left = [*candidates]
    lost: list[LostNode] = []
    for name, figure in FIGURES.items():
        if len(left) < 2:
            break
        figures = {trial.node: figure(trial.on_node) for trial in left}
        best = min(figures.values())
        beaten = (trial.node for trial in left if figures[trial.node] > best)
        lost += (LostNode(node, laws[name], figures[node], best) for node in beaten)
        left = [trial for trial in left if figures[trial.node] == best]
    return NodeChoice(tuple(sorted(trial.node for trial in left)), tuple(lost))


def figures_of(victims: NodeVictims) -> tuple[int, ...]:
    """The figures of victims by all criteria: the scheduler chooses at random among the smallest."""
    return tuple(figure(victims) for figure in FIGURES.values())


def broken_budgets(
    budgets: Mapping[str, Sequence[DisruptionBudget]], pods: Iterable[LabelledPod]
) -> dict[ObjectKey, tuple[DisruptionBudget, ...]]:
    """The budgets that each pod's eviction breaks, in this order of evictions; ``budgets`` are by namespace."""
    left = {budget.key: budget.allowed for each in budgets.values() for budget in each}
    found: dict[ObjectKey, tuple[DisruptionBudget, ...]] = {}
    for pod in pods:
        # Budgets are compared within a namespace only, and the scheduler looks at none for a pod without labels.
        covering = [b for b in budgets.get(pod.key.namespace, ()) if pod.labels and b.covers(pod)]
        for budget in covering:
            # All budgets of a pod count down, also where one of them is broken already: the scheduler does not stop at
            # the first.
            left[budget.key] -= 1
        found[pod.key] = tuple(b for b in covering if left[b.key] < 0)
    return found
