"""Which of several nodes is chosen: criteria in turn, until one node is left.

Source: Kubernetes 1.35, the scheduler's choice of a node for preemption.
"""

from collections.abc import Callable, Sequence
from typing import Final

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.importance import start
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import Trial

_OFFSET: Final = 1 << 31


def _pods(trial: Trial) -> list[Pod]:
    return [fate.taken.pod for fate in trial.victims]


def _latest_start(trial: Trial) -> int:
    """The earliest start among the victims of the highest priority, negated: the latest wins."""
    pods = _pods(trial)
    highest = max(p.priority for p in pods)
    return -min(start(p) for p in pods if p.priority == highest)


CRITERIA: Final[tuple[tuple[Law, Callable[[Trial], int]], ...]] = (
    (Law.FEWEST_VIOLATIONS, lambda trial: trial.violations),
    (Law.LOWEST_PRIORITY, lambda trial: _pods(trial)[0].priority),
    (Law.LOWEST_SUM, lambda trial: sum(p.priority + _OFFSET for p in _pods(trial))),
    (Law.FEWEST_VICTIMS, lambda trial: len(trial.victims)),
    (Law.LATEST_START, _latest_start),
)
"""The criteria in order; each is the smaller the better."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A candidate that was not chosen: the criterion, its own figure, and the best one."""

    node: str
    law: Law
    figure: int
    best: int


@dataclass(frozen=True, slots=True)
class Choice:
    """The nodes of which the scheduler picks one at random, and why each other candidate lost."""

    nodes: tuple[str, ...]
    lost: tuple[Lost, ...] = ()


def choose(candidates: Sequence[Trial]) -> Choice:
    """The best of the candidates, or the set of equals."""
    left = list(candidates)
    lost: list[Lost] = []
    for law, figure in CRITERIA:
        if len(left) < 2:
            break
        figures = {trial.node: figure(trial) for trial in left}
        best = min(figures.values())
        lost += (Lost(trial.node, law, figures[trial.node], best) for trial in left if figures[trial.node] > best)
        left = [trial for trial in left if figures[trial.node] == best]
    return Choice(tuple(sorted(trial.node for trial in left)), tuple(lost))
