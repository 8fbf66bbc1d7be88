"""The choice among several nodes: one criterion after the other, until one node is left.

Source: Kubernetes 1.35, the scheduler's choice of a node for preemption.
"""

from collections.abc import Sequence

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.laws import CRITERIA, Law, Victims
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial


class LostNode(Value, frozen=True):
    """A candidate node that was not chosen: the criterion, its figure, and the best figure."""

    node: str
    law: Law
    figure: int
    best: int


class Choice(Value, frozen=True):
    """The nodes that the scheduler chooses from at random, and why each other candidate lost."""

    nodes: tuple[str, ...]
    lost: tuple[LostNode, ...] = ()


def choose(candidates: Sequence[NodeTrial]) -> Choice:
    """The best of the candidates, or the set of equals."""
    left = list(candidates)
    lost: list[LostNode] = []
    for law, figure in CRITERIA:
        if len(left) < 2:
            break
        figures = {trial.node: figure(_victims(trial)) for trial in left}
        best = min(figures.values())
        lost += (LostNode(trial.node, law, figures[trial.node], best) for trial in left if figures[trial.node] > best)
        left = [trial for trial in left if figures[trial.node] == best]
    return Choice(tuple(sorted(trial.node for trial in left)), tuple(lost))


def _victims(trial: NodeTrial) -> Victims:
    return Victims([fate.taken.pod for fate in trial.victims], trial.violations)
