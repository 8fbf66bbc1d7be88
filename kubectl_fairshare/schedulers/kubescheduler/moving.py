"""Whether a cycle ends so wherever earlier pods are.

Which of several nodes a pod gets is left to scores, which are not modelled. It matters to a later pod unless that has
room wherever the earlier ones are, or no pod anywhere is a candidate for its preemption.
Example: two nodes of 4 cpu, and an earlier pod of 2 cpu on one of them. A later pod of 2 cpu fits next to it on either
node; one of 3 cpu does not, so it counts as moved.
Decides nothing: it says of a result whether the scheduler could have come to another.
Tested in ``tests/unit/policy/test_sandboxes.py`` and ``tests/unit/schedulers/koordinator/test_review.py``.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from kubectl_fairshare.schedulers.kubescheduler.cycle import CycleAttempt
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.pod_replay import MOST_MOVING

AnyAttempt = CycleAttempt[Any, Any, Any]


def rests_on_nodes(state: Any, attempt: AnyAttempt, scattered: Collection[str]) -> bool:
    """Whether the cycle may end in another way if the scattered pods, by their identity, are on other nodes."""
    return rests_on_moving(state, attempt, [pod for pod in state.source.pods if pod.uid in scattered])


def rests_on_moving(state: Any, attempt: AnyAttempt, moving: Sequence[Any]) -> bool:
    """Whether the cycle may end in another way if these pods are on other nodes."""
    return bool(moving) and not _is_anywhere(state, attempt, moving)


def _is_anywhere(state: Any, attempt: AnyAttempt, moving: Sequence[Any]) -> bool:
    pod, demands = attempt.pod, state.source.demands
    own = demands.get(pod.key)
    # No pod anywhere is a candidate.
    untouched = all(
        trial.rejected is not None and trial.rejected.name == "NO_VICTIMS" for trial in attempt.trials.values()
    )
    alike = all(other.request == pod.request and demands.get(other.key) == own for other in moving)
    # Quotas count pods wherever they are, so a pod that they reject can only get in by preemption.
    if not attempt.gate.admits or alike:  # each node has room for so many of them
        return untouched
    # A bound on the time it takes; that the end may differ is the careful answer.
    if len(moving) > MOST_MOVING:
        return False

    def has_room(name: str, load: Any) -> bool:
        return bool(state.verdict_on(pod, attempt.demand, name, load).passed)

    # One node that has room with all of them is enough: it has room with fewer.
    if attempt.course is CycleEnd.SCHEDULABLE:
        return any(has_room(name, _with_all(state.loads[name], name, moving)) for name in state.loads)
    rooms = (has_room(name, _with_none(state.loads[name], name, moving)) for name in state.loads)
    return untouched and not any(rooms)


def _with_all(load: Any, name: str, moving: Iterable[Any]) -> Any:
    """The load of a node if all of these pods are there."""
    for pod in moving:
        load = load if pod.node == name else load.including(pod)
    return load


def _with_none(load: Any, name: str, moving: Iterable[Any]) -> Any:
    """The load of a node if none of these pods is there."""
    for pod in moving:
        load = load.without(pod) if pod.node == name else load
    return load
