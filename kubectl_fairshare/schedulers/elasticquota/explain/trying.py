"""Whether a change places a pod, and what it comes to.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_remedies.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.schedulers.elasticquota.preemption.possible import possible_courses, possible_evictions
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.remedies import remedy_among


def helps(state: State, attempt: Attempt) -> bool:
    """Whether the pod is placed, however ties fall."""
    if not is_placed(state.nodes, attempt):
        return False
    ends = possible_courses(state, attempt.pod, attempt.demand, attempt)
    return ends.complete and set(ends.results) == {attempt.course}


def remedy_of(state: State, changes: Iterable[RemedyChange], found: Attempt, named: str | None = None) -> Remedy:
    """The changes with what the attempt after them comes to."""
    ends = list[tuple[str, int]]()
    if found.choice is not None:
        ways = possible_evictions(state, found.pod, found.demand, found).results
        ends = [(way.trial.node, len(way.trial.victims)) for way in ways if way.trial is not None]
    return remedy_among(changes, found, ends, named)
