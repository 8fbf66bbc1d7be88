"""Changes that place a pod, whatever quotas there are: to nodes, to its policy, priority or requests.

Decides nothing: each change is tried by the plugin's own cycle.
Tested in ``tests/unit/schedulers/elasticquota/explain/test_remedies.py`` and
``tests/unit/schedulers/koordinator/test_explain.py``.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from kubectl_fairshare.jobs.node_demand import is_only_cordoned
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.kubescheduler.cycle import CycleAttempt, is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy, RemedyChange

_MOST_NODES: Final = 16
_MOST_PRIORITIES: Final = 8
HIGHEST_OF_USERS: Final = 1_000_000_000
"""The highest priority of a class that users may make."""
AnyAttempt = CycleAttempt[Any, Any, Any]
Retried = tuple[Any, AnyAttempt]
"""A changed state, and the pod's attempt there."""


class PodRetrial(NamedTuple):
    """A pod that does not get in, and what the plugin makes of it once something has changed.

    ``with_pod`` tries it as another pod, ``with_node`` next to another node of a name. ``helps`` says whether it gets
    in then, ``remedy`` what the changes come to; its last operand is the PriorityClass that is enough.
    """

    state: Any
    attempt: AnyAttempt
    with_pod: Callable[[Any], Retried]
    with_node: Callable[[Any], Retried]
    helps: Callable[[Any, Any], bool]
    remedy: Callable[[Any, Iterable[RemedyChange], Any, str | None], Remedy]

    def of(self, change: RemedyChange, retried: Retried, named: str | None = None) -> Remedy | None:
        """The remedy, if the change helps."""
        return self.remedy(retried[0], [change], retried[1], named) if self.helps(*retried) else None


def uncordoned(of: PodRetrial) -> Iterator[Remedy]:
    """The node that takes the pod with the fewest victims once in service; how many others do, if all were tried."""
    pod, nodes = of.attempt.pod, of.state.nodes

    def tried(node: Any) -> Remedy | None:
        change = RemedyChange(ChangeKind.UNCORDON, Place(node.key, ("spec", "unschedulable")))
        return of.of(change, of.with_node(node.uncordoned))

    cordoned = (name for name, node in nodes.items() if is_only_cordoned(of.attempt.demand, node, node.uncordoned))
    # An empty node without room is never a remedy; asking for that is far cheaper than a cycle.
    large = filter(lambda name: of.state.room_alone(pod, name).passed, cordoned)
    found = [remedy for name in islice(large, _MOST_NODES) if (remedy := tried(nodes[name])) is not None]
    if found:
        others = len(found) - 1 if next(large, None) is None else 0  # how many more there are is not known
        yield replace(min(found, key=lambda remedy: remedy.victims), alternatives=others)


def preempting(of: PodRetrial, written: Place) -> Iterator[Remedy]:
    """A policy that allows preemption."""
    if not of.attempt.pod.preempts:
        change = RemedyChange(ChangeKind.POLICY, within(written, "spec", "preemptionPolicy"))
        found = of.of(change, of.with_pod(replace(of.attempt.pod, preempts=True)))
        yield from () if found is None else (found,)


def of_higher_class(
    of: PodRetrial, written: Place, rivals: Iterable[int], priorities: Mapping[str, int]
) -> Iterator[Remedy]:
    """The lowest priority at which the pod finds victims it can preempt, or outranks pods that are nominated.

    ``rivals`` are the priorities of pods that it could preempt, ``priorities`` the classes.
    """
    pod = of.attempt.pod
    above = {*rivals, *(other.priority for other in of.state.nominated(pod) if other.uid != pod.uid)}
    for priority in sorted(p + 1 for p in above if pod.priority <= p < HIGHEST_OF_USERS)[:_MOST_PRIORITIES]:
        place = within(written, "spec", "priority")
        change = RemedyChange(ChangeKind.PRIORITY, place, before=pod.priority, after=priority)
        found = of.of(change, of.with_pod(replace(pod, priority=priority)), class_of(priorities, priority))
        if found is not None:
            yield found
            return


def smaller_request(
    of: PodRetrial, resource: str, asked: int, own: int, less: Callable[[int], Any], room: Collection[int]
) -> Iterator[Remedy]:
    """The largest request of one resource with which the pod is placed without preemption, then a larger one with it.

    Its other requests stay. ``asked`` includes overhead, ``own`` does not. ``less`` is the pod with so much less,
    ``room`` what nodes and quotas have left: where its largest request may be.
    """

    def tried(amount: int) -> Retried:
        return of.with_pod(less(asked - amount))

    def fits(amount: int) -> bool:
        state, found = tried(amount)
        return is_placed(state.nodes, found) and found.course is not CycleEnd.PREEMPT

    least, most = asked - own + max(1, of.attempt.pod.least.get(resource, 1)), asked - 1
    now = largest(least, most, fits, room)
    after = largest(least if now is None else now + 1, most, lambda amount: of.helps(*tried(amount)), room)
    for amount in (now, after):
        if amount is not None:
            state, found = tried(amount)
            yield of.remedy(state, [RemedyChange(ChangeKind.REQUEST, None, resource, asked, amount)], found, None)


def remedy_among(
    changes: Iterable[RemedyChange], found: AnyAttempt, ends: Collection[tuple[str, int]], named: str | None
) -> Remedy:
    """The changes with what the attempt after them comes to; ``ends`` are the nodes and numbers of victims of all ways.

    They are those that ties allow, the attempt's own first; empty where it has no victims.
    """
    if not ends:
        return Remedy(tuple(changes), CycleEnd.SCHEDULABLE, found.feasible, 0, named)
    nodes, numbers = tuple(dict.fromkeys(node for node, _ in ends)), [number for _, number in ends]
    return Remedy(tuple(changes), found.course, nodes, max(numbers), named, fewest=min(numbers))


def within(written: Place, *path: str) -> Place:
    """A field of a pod or template."""
    return Place(written.object, (*written.path, *path))


def class_of(priorities: Mapping[str, int], priority: int) -> str | None:
    """The lowest PriorityClass that is high enough; system classes are left out."""
    classes = sorted((value, name) for name, value in priorities.items() if priority <= value)
    return next((name for value, name in classes if value <= HIGHEST_OF_USERS), None)
