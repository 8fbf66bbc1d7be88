"""The nodes on which the order of equally important pods may decide.

No object records that order. It matters where some of several equal pods are evicted. It also matters where they
differ: a borrower that gives its largest pod first is back within its min sooner, so that fewer of its pods are
candidates, and then the node may not have room.
Example: ``b`` borrows 2 with pods of 2 and of 1 of equal priority and start. If the pod of 2 comes first, ``b`` is
within its min at once, and the pod of 1 is not a candidate; in the other order both are.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``SelectVictimsOnNode``.
Tested in ``tests/unit/schedulers/elasticquota/preemption/test_possible.py``.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.choices import Choices, Possible, drawn_order, over_choices, ways_worth
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial, QuotaPreemption
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import trial as trial_on
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.choice import figures_of
from kubectl_fairshare.schedulers.kubescheduler.importance import equals

MOST_ORDERS: Final = 512
"""The most orders of equal pods that are tried on one node, fewer of many."""
MOST_TRIALS: Final = 2048
"""The most trials for one pod over all nodes."""
Kind = Callable[[Pod], Hashable]


def tied_nodes(state: State, attempt: Attempt, most_trials: int = MOST_TRIALS) -> list[str]:
    """The nodes on which another order of equal pods may give another result."""
    kind = kinds(state)
    found = []
    for name, trial in attempt.trials.items():
        tied = bool(trial.ties)
        if not tied and _may_depend(state, trial, kind):
            results = _results(state, attempt, name, kind, most_trials)
            # At least one for each node: a node that is not looked at would count as free of ties.
            most_trials = max(1, most_trials - results.ways)
            tied = not results.complete or len(results.results) > 1
        found += [name] if tied else []
    return found


def kinds(state: State) -> Kind:
    """All of an evictable pod that the decision looks at, apart from its importance."""

    def kind(pod: Pod) -> Hashable:
        budgets = tuple(b.key for b in state.budgets.get(pod.namespace, ()) if pod.labels and b.covers(pod))
        # Not the name: pods of one kind are exchangeable, so n of them are one order instead of n!.
        return pod.namespace, repr((pod.charge, pod.request)), budgets

    return kind


def drawn_pods(pods: Sequence[Pod], chance: Choices, kind: Kind) -> tuple[Pod, ...]:
    """The pods, those that are equal in an order that chance draws; pods of one kind keep their order."""
    groups = groupby(pods, key=lambda pod: (pod.priority, pod.start))
    return tuple(pod for _, group in groups for pod in drawn_order(group, kind, chance))


def _may_depend(state: State, trial: NodeTrial, kind: Kind) -> bool:
    """Whether candidates or broken budgets may rest on the order of equal pods. All pods of a budget share a namespace.

    A namespace of which no pod of a group is taken does not borrow at that point, in whatever order they come.
    """
    taken = {each.pod.key for each in trial.taken}
    spaces = {each.pod.namespace for each in trial.taken}
    if not taken:
        return False
    for group in equals(pod for pod in state.pods[trial.node] if pod.namespace in spaces):
        for namespace in {pod.namespace for pod in group}:
            pods = [pod for pod in group if pod.namespace == namespace]
            inside = sum(pod.key in taken for pod in pods)
            if inside and len({kind(pod) for pod in pods}) > 1 and _is_open(state, pods, inside):
                return True
    return False


def _is_open(state: State, pods: Sequence[Pod], inside: int) -> bool:
    """Whether of these pods, which differ, others may be taken, or other ones may break a budget."""
    if inside < len(pods) or any(pod.namespace in state.budgets for pod in pods):
        return True
    # Only where each removal counts at once may an earlier pod save a later one.
    return state.source.semantics.removes_at_once and len({repr(pod.charge) for pod in pods}) > 1


def _results(state: State, attempt: Attempt, name: str, kind: Kind, most: int) -> Possible[Hashable]:
    """The results that orders of the pods on a node give, two at the most, by kinds of pods."""
    pods = state.pods[name]

    def result(chance: Choices) -> Hashable:
        drawn = replace(state, pods={**state.pods, name: drawn_pods(pods, chance, kind)})
        search = QuotaPreemption(drawn, attempt.pod, attempt.demand, attempt.gate)
        return _result(trial_on(search, name), kind)

    return over_choices(result, lambda each: each, min(ways_worth(MOST_ORDERS, len(pods)), most), enough=2)


def _result(trial: NodeTrial, kind: Kind) -> Hashable:
    """All of a trial on which the end of the cycle rests; names of pods of one kind do not count."""
    if trial.rejected is not None:
        return trial.errs
    victims = [fate.pod for fate in trial.victims]
    figures = figures_of(trial.on_node)
    return figures, frozenset(Counter((pod.priority, pod.start, kind(pod)) for pod in victims).items())
