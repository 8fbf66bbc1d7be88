"""What a plan says besides the cycle: whether the pod gets in one day, where else it may go, what keeps it off nodes.

Decides nothing: it asks the cycle's own verdicts about nodes without pods, or in service again.
Tested in ``tests/unit/schedulers/elasticquota/explain/test_planning.py`` and
``tests/unit/schedulers/koordinator/test_explain.py``.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.missing_objects import missing_without
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import BarredNodes, barred_nodes, barrier, in_service
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kubescheduler.cycle import CycleAttempt
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd, Remedy
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult

AnyAttempt = CycleAttempt[Any, Any, Any]


def fits_alone(state: Any, attempt: AnyAttempt, on: str = "") -> bool:
    """Whether a node takes the pod once other pods are gone and all nodes are in service: anywhere, or ``on`` one."""
    names = [on] if on else state.nodes
    open_nodes = (name for name in names if barrier(attempt.demand, in_service(state.nodes[name])) is None)
    return not names or any(state.room_alone(attempt.pod, name).passed for name in open_nodes)


def each_node_alone(state: Any, attempt: AnyAttempt) -> tuple[FilterResult, ...]:
    """The verdict of each node on the pod by amounts, without other pods."""
    return tuple(state.room_alone(attempt.pod, name) for name in state.nodes)


def barred(state: Any, attempt: AnyAttempt, *, node_bound: bool) -> BarredNodes | None:
    """The nodes that exclude a pod which no node takes, and could take it.

    The quotas admit it now; where they do not, they would one day, and no node ever takes it (``node_bound``).
    """
    if attempt.course in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT) or not (attempt.filters or node_bound):
        return None
    return barred_nodes(
        attempt.demand,
        state.nodes.values(),
        lambda name: state.room_on(attempt.pod, name).passed,
        # Without the pods that are nominated to it, too: they will have gone as others will.
        lambda name: state.room_alone(attempt.pod, name).passed,
    )


def elsewhere(state: Any, attempt: AnyAttempt) -> tuple[str, ...]:
    """The nodes with room now, where only the quotas make the pod preempt.

    The API server stores the nomination after the victims are deleted, and the scheduler may try the pod in between.
    Source: observed with CapacityScheduling, Kubernetes 1.34 and 1.35.
    """
    if attempt.choice is None or attempt.filters:
        return ()
    others = (name for name in state.nodes if name not in attempt.preempted_on)
    return tuple(name for name in others if state.verdict_on(attempt.pod, attempt.demand, name).passed)


def with_doubts(
    found: Sequence[Remedy],
    state: Any,
    is_doubted: Callable[[Any], bool],
    with_pods: Callable[[Any, Sequence[Any]], Any],
    otherwise: Callable[[Remedy], bool] = lambda _: False,
) -> tuple[Remedy, ...]:
    """The remedies, each with whether something that is not modelled decides after it.

    ``is_doubted`` says that of a state, ``otherwise`` of a remedy where it does not hold now.
    """
    doubted = bool(found) and is_doubted(state)

    def after(remedy: Remedy) -> bool:
        """What is not modelled may go with the pod that is deleted."""
        gone = {change.pod.key for change in remedy.changes if change.pod is not None}
        return not gone or is_doubted(_without(state, gone, with_pods))

    return tuple(replace(each, doubted=after(each) if doubted else otherwise(each)) for each in found)


def _without(state: Any, gone: Collection[ObjectKey], with_pods: Callable[[Any, Sequence[Any]], Any]) -> Any:
    left = with_pods(state, [pod for pod in state.source.pods if pod.key not in gone])
    return replace(left, source=replace(left.source, missing=missing_without(left.source.missing, gone)))


def placing_outcome(course: CycleEnd) -> Outcome:
    """The outcome of a pod that is placed, or admitted where there are no nodes."""
    return Outcome.PREEMPTS if course is CycleEnd.PREEMPT else Outcome.ADMITTED


def touching(gaps: Sequence[Gap], besides: Collection[str] = ()) -> bool:
    """Whether one of the gaps can change the answer, ``besides`` these features."""
    return any(gap.touches and gap.feature not in besides for gap in gaps)
