"""Whether a change places a pod, and what it comes to.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_remedies.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.schedulers.elasticquota.preemption.possible import possible_courses, possible_evictions
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, places
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd, Remedy, RemedyChange


def helps(state: State, attempt: Attempt) -> bool:
    """Whether the pod is placed, however ties fall."""
    if not places(state, attempt):
        return False
    ends = possible_courses(state, attempt.asker.pod, attempt.asker.demand, attempt)
    return ends.complete and set(ends.results) == {attempt.course}


def remedy_of(state: State, changes: Iterable[RemedyChange], found: Attempt, named: str | None = None) -> Remedy:
    """The changes with what the attempt after them comes to."""
    if found.choice is None:
        return Remedy(tuple(changes), CycleEnd.SCHEDULABLE, found.feasible, 0, named)
    ways = possible_evictions(state, found.asker.pod, found.asker.demand, found).results
    trials = [way.trial for way in ways if way.trial is not None]
    nodes = tuple(dict.fromkeys((*found.choice.nodes, *(trial.node for trial in trials))))
    numbers = [len(trial.victims) for trial in trials]
    return Remedy(tuple(changes), found.course, nodes, max(numbers), named, fewest=min(numbers))
