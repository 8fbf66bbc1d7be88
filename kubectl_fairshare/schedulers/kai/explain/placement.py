"""The nodes that KAI's actions choose for one job alone, with the pods that are evicted or moved for it.

Source: KAI-Scheduler v0.17, "kai solver" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.conditions import condition
from kubectl_fairshare.schedulers.kai.explain.decision import PlacedPod, Placement
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, Tried
from kubectl_fairshare.schedulers.kai.solver.cycle import (
    ENOUGH,
    MOST,
    Fork,
    Steps,
    changed,
    other_runs,
    runs_to_try,
    standing_pods,
)
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.statuses import ACTIVE, Status
from kubectl_fairshare.schedulers.kai.solver.tasks import Task
from kubectl_fairshare.schedulers.kai.solver.troubles import Reason
from kubectl_fairshare.schedulers.kai.solver.views import PodState

_OUTCOMES: Final = {"": Outcome.WAITS, Action.ALLOCATE: Outcome.ADMITTED}


def placement(session: Session, name: str, first: Layer | None = None, *, doubts: int = MOST) -> Placement:
    """The effect of the first KAI action that has one for this job. Raises ``UnmodelledError``.

    ``first`` is the state before any action, made if it is not given. ``doubts`` is the most other runs of KAI, with
    other orders of its maps, that show whether the answer depends on them.
    """
    first = first_layer(session) if first is None else first
    action, layer, tried, fork = _first_effect(Fork(first), name)
    found = no_effect(layer, tried, name)
    if action is not None:
        found = effect(session, action, changed(first, layer))
    needed = 0 if fork is None else min(runs_to_try(first, tried), doubts)
    number = needed or (min(ENOUGH, doubts) if action is None else 0)
    others: list[Placement] = []
    messages = dict.fromkeys([found.condition])
    varies, orders = False, [action or ""]
    for run_ in () if fork is None else other_runs(fork, number):
        other, after, attempts, _ = _first_effect(run_, name)
        orders.append(other or "")
        if action is None and other is None:
            messages[condition(after, attempts, name).message] = None
        elif standing_pods(after) != standing_pods(layer):
            varies = True
            there = Placement("") if other is None else effect(session, other, changed(first, after))
            others += [] if there in others else [there]
    return replace(
        found,
        other_conditions=tuple(messages)[1:],
        varies=varies,
        others=tuple(others),
        orders=tuple(orders),
        few=bool(doubts) and 0 < needed < ENOUGH,
    )


def no_effect(layer: Layer, tried: Sequence[Tried], name: str) -> Placement:
    """A job that no action places: what KAI writes, and the nodes with room that refuse its pod."""
    failures = (one.failure for one in tried if one.job == name and one.action is Action.ALLOCATE and one.failure)
    troubles: Mapping[Reason, int] = next((each.troubles.get(each.pod, {}) for each in failures if each.pod), {})
    refusals = tuple(sorted((reason, nodes) for reason, nodes in troubles.items() if isinstance(reason, str)))
    short = any(not isinstance(reason, str) for reason in troubles)
    return Placement("", condition=condition(layer, tried, name).message, refusals=refusals, short=short)


def _first_effect(start: Fork, name: str) -> tuple[Action | None, Layer, Sequence[Tried], Fork | None]:
    """The first action that has an effect, the state after it, the attempts so far, and where other runs part."""
    steps = Steps(start, (name,))
    for action in steps.left:
        if any(one.done for one in steps.run(action)):
            return action, steps.layer, steps.tried, steps.fork
    return None, steps.layer, steps.tried, steps.fork


def effect(session: Session, action: Action, changes: Iterable[tuple[Task, PodState, PodState]]) -> Placement:
    """The effect of an action that left these pods in another state."""
    bound: list[PlacedPod] = []
    waiting: list[PlacedPod] = []
    lost: list[Task] = []
    moved: list[tuple[Task, str]] = []
    for task, was, now in changes:
        if now.status is Status.ALLOCATED:
            bound.append(PlacedPod(task.name, now.node))
        elif now.status is Status.RELEASING:
            lost.append(task)
        elif now.status is Status.PIPELINED and was.status in ACTIVE:
            moved.append((task, now.node))
        elif now.status is Status.PIPELINED:
            waiting.append(PlacedPod(task.name, now.node))
    return Placement(
        action,
        bound=tuple(sorted(bound)),
        waiting=tuple(sorted(waiting)),
        lost=_evictions(session, lost),
        moved=_evictions(session, [task for task, _ in moved]),
        moves=tuple(sorted(PlacedPod(task.name, node) for task, node in moved)),
    )


def _evictions(session: Session, tasks: Sequence[Task]) -> tuple[Eviction, ...]:
    """The evicted pods, grouped by job."""
    return tuple(_by_job(session, {task.pod.uid for task in tasks}, sorted({task.job for task in tasks})))


def _by_job(session: Session, pods: set[str], names: Sequence[str]) -> Iterable[Eviction]:
    for name in names:
        job = session.jobs[name]
        yield Eviction(job, tuple(task for task in job.tasks if task.pod.uid in pods))


def outcome_by(where: Placement) -> Outcome:
    """The outcome that the first action with an effect gives."""
    return outcome_of(where.action)


def outcome_of(action: str) -> Outcome:
    """The outcome if this is the first action with an effect; without one the job waits."""
    return _OUTCOMES.get(action, Outcome.PREEMPTS)
