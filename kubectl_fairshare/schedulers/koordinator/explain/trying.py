"""Whether a change gets a pod in, and what it comes to.

Tested in ``tests/unit/schedulers/koordinator/test_explain.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.schedulers.koordinator.preemption.possible import possible_evictions
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, is_refused_after
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.remedies import remedy_among


def helps(state: State, attempt: PodAttempt) -> bool:
    """Whether the pod gets in, however ties fall, and not only by evicting pods in vain."""
    if not is_placed(state.nodes, attempt) or is_in_vain(state, attempt):
        return False
    ways = possible_evictions(state, attempt)
    return ways.settled and not any(way.in_vain for way in ways.results)


def is_in_vain(state: State, attempt: PodAttempt) -> bool:
    """Whether preemption evicts its victims and the quotas still reject the pod."""
    chosen = attempt.chosen
    return chosen is not None and is_refused_after(state, attempt, (fate.pod for fate in chosen.victims))


def remedy_of(state: State, changes: Iterable[RemedyChange], found: PodAttempt, named: str | None = None) -> Remedy:
    """The changes with what the attempt after them comes to."""
    ends = [(way.node, len(way.victims)) for way in possible_evictions(state, found).results]
    return remedy_among(changes, found, ends, named)
