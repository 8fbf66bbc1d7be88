"""Every node and every set of victims that the scheduler's ties allow.

Pods that are equal in priority and start are in an order that no object records, and so are nodes that are equal by
every criterion. Source: Kubernetes' scheduler; "elasticquota-order-tie" and "elasticquota-choice-tie" in
``docs/laws.md``.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.choices import Choices, Possible, drawn_order, over_choices, ways_worth
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, CycleEnd, schedule
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State

MOST_WAYS: Final = 512
"""The largest number of ways through one decision that are tried."""


class PossibleEviction(Value, frozen=True):
    """The end of one way: the node and the trial on it; None where no pod is evicted."""

    course: CycleEnd
    trial: NodeTrial | None = None


def possible_evictions(
    state: State, pod: Pod, demand: NodeDemand | None, attempt: Attempt, most: int = MOST_WAYS
) -> Possible[PossibleEviction]:
    """The ends that ties allow, first that of ``attempt``, which has the pods in the order of their names."""
    if not _tied(attempt) and (attempt.choice is None or len(attempt.choice.nodes) < 2):
        return Possible((_end(attempt, 0),))
    most = min(most, _worth(state))
    return over_choices(lambda chance: _decided(state, pod, demand, attempt, chance, _name), _key, most)


def possible_courses(state: State, pod: Pod, demand: NodeDemand | None, attempt: Attempt) -> Possible[CycleEnd]:
    """How the cycle may end. Pods that differ in nothing but their names count as one here."""
    if not _tied(attempt):
        return Possible((attempt.course,))
    most = _worth(state)
    return over_choices(lambda chance: _decided(state, pod, demand, attempt, chance, _kind).course, str, most)


def _worth(state: State) -> int:
    return ways_worth(MOST_WAYS, sum(map(len, state.pods.values())))


def _tied(attempt: Attempt) -> list[str]:
    """The nodes on which some of several equal pods are evicted."""
    return [name for name, trial in attempt.trials.items() if trial.ties]


def _decided(
    state: State,
    pod: Pod,
    demand: NodeDemand | None,
    attempt: Attempt,
    chance: Choices,
    kind: Callable[[Pod], Hashable],
) -> PossibleEviction:
    """The end with the order of pods and the node that chance draws; pods of one kind keep their order."""
    tied = _tied(attempt)
    if tied:
        pods = {**state.pods, **{name: _drawn(state.pods[name], chance, kind) for name in tied}}
        attempt = schedule(replace(state, pods=pods), pod, demand)
    nodes = 1 if attempt.choice is None else len(attempt.choice.nodes)
    return _end(attempt, chance.pick(nodes, lambda: None) if nodes > 1 else 0)


def _end(attempt: Attempt, at: int) -> PossibleEviction:
    choice = attempt.choice
    return PossibleEviction(attempt.course, None if choice is None else attempt.trials[choice.nodes[at]])


def _key(end: PossibleEviction) -> Hashable:
    if end.trial is None:
        return end.course
    return end.trial.node, frozenset(fate.taken.pod.key for fate in end.trial.victims)


def _drawn(pods: Sequence[Pod], chance: Choices, kind: Callable[[Pod], Hashable]) -> tuple[Pod, ...]:
    """The pods, those that are equal in an order that chance draws."""
    groups = groupby(pods, key=lambda pod: (pod.priority, pod.start))
    return tuple(pod for _, group in groups for pod in drawn_order(group, kind, chance))


def _name(pod: Pod) -> Hashable:
    return pod.key


def _kind(pod: Pod) -> Hashable:
    """All of an evictable pod that the decision looks at, apart from its importance."""
    amounts = repr((pod.charge, pod.request))
    return pod.namespace, tuple(sorted(pod.labels.items())), amounts, pod.preempts, pod.repelling
