"""Whether a cycle ends so wherever earlier pods are.

Which of several nodes a pod gets is left to scores, which are not modelled. It matters to a later pod unless that has
room wherever the earlier ones are, or no pod anywhere is a candidate for its preemption.
Example: two nodes of 4 cpu, and an earlier pod of 2 cpu on one of them. A later pod of 2 cpu fits next to it on either
node; one of 3 cpu does not, so it counts as moved.
Decides nothing: it says of a result whether the scheduler could have come to another.
Tested in ``tests/unit/policy/test_sandboxes.py`` and ``tests/unit/schedulers/koordinator/test_review.py``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_fairshare.schedulers.pod_replay import MOST_MOVING


class MetCycle(NamedTuple):
    """A cycle, as far as the places of other pods matter to it.

    ``untouched``: no pod anywhere is a candidate. ``admitted``: the quotas admit the pod; ``placed``: without victims.
    ``has_room`` says of a node with a load whether the pod fits there; ``alike``, whether another pod takes as much.
    """

    untouched: bool
    admitted: bool
    placed: bool
    loads: Mapping[str, Any]
    has_room: Callable[[str, Any], bool]
    alike: Callable[[Any], bool]


def is_moved(cycle: MetCycle, moving: Sequence[Any]) -> bool:
    """Whether the cycle may end in another way if these pods are on other nodes."""
    return bool(moving) and not _is_anywhere(cycle, moving)


def _is_anywhere(cycle: MetCycle, moving: Sequence[Any]) -> bool:
    # Quotas count pods wherever they are, so a pod that they reject can only get in by preemption.
    if not cycle.admitted or all(map(cycle.alike, moving)):  # each node has room for so many of them
        return cycle.untouched
    # A bound on the time it takes; that the end may differ is the careful answer.
    if len(moving) > MOST_MOVING:
        return False
    # One node that has room with all of them is enough: it has room with fewer.
    if cycle.placed:
        return any(cycle.has_room(name, _with_all(cycle.loads[name], name, moving)) for name in cycle.loads)
    rooms = (cycle.has_room(name, _with_none(cycle.loads[name], name, moving)) for name in cycle.loads)
    return cycle.untouched and not any(rooms)


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
