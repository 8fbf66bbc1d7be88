"""What a cycle of actions does to pods: bound, waiting for room, evicted, moved; for one job alone, or for all.

Why other runs are tried: KAI walks maps, and two walks may place a pod on different nodes. Twelve other orders that all
end in the same state are taken for every order; one that does not makes the answer not exact.
Source: ``runOnce`` in https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/scheduler.go; "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kai.session.session import Session, holds_parts
from kubectl_fairshare.schedulers.kai.solver.actions import enabled, run
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, Tried
from kubectl_fairshare.schedulers.kai.solver.ground import walking
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.statuses import ACTIVE, Status
from kubectl_fairshare.schedulers.kai.solver.tasks import Task
from kubectl_fairshare.schedulers.kai.solver.views import PodState

ENOUGH: Final = 12
"""Other runs of KAI that have to agree before an answer is called the same in all of them."""
MOST: Final = 24
"""Other runs that are tried where the search is short."""
_SHORT: Final = 8_000
_LONG: Final = 250_000
"""What other runs may take together, for more than ``ENOUGH`` and for so many: pods placed again, times nodes, and the
pods of each state."""


class StateChanges(NamedTuple):
    """What differs between two states: nodes by pod, and the pods that are lost."""

    bound: Mapping[ObjectKey, str]
    pipelined: Mapping[ObjectKey, str]
    evicted: Sequence[ObjectKey]
    moved: Mapping[ObjectKey, str]

    @property
    def any(self) -> bool:
        """Whether anything differs."""
        return bool(self.bound or self.pipelined or self.evicted or self.moved)


class Fork(NamedTuple):
    """Where other runs of KAI may part from the first one: the state before an action, the attempts so far, and how
    many actions are ``done``. Up to there no order of a map matters.
    """

    layer: Layer
    tried: tuple[Tried, ...] = ()
    done: int = 0


class Course(NamedTuple):
    """What actions in a row led to. ``tried`` are all attempts, ``by`` the first action that did something.

    ``fork`` is None if no order of a map matters.
    """

    layer: Layer
    tried: tuple[Tried, ...]
    by: Action | None
    fork: Fork | None = None


def changed(before: Layer, after: Layer) -> Iterator[tuple[Task, PodState, PodState]]:
    """The pods whose state changed, with their old and new state."""
    for uid, now in after.pod_states.items():
        was = before.pod_states[uid]
        if now.status is not was.status or now.node != was.node or now.groups != was.groups:
            yield before.ground.tasks[uid], was, now


def changes(before: Layer, after: Layer) -> StateChanges:
    """What became of the pods."""
    bound, pipelined, moved = (dict[ObjectKey, str]() for _ in range(3))
    evicted: list[ObjectKey] = []
    for task, was, now in changed(before, after):
        key = task.pod.key
        if now.status is Status.ALLOCATED:
            bound[key] = now.node
        elif now.status is Status.PIPELINED:
            (moved if was.status in ACTIVE else pipelined)[key] = now.node
        elif now.status is Status.RELEASING:
            evicted.append(key)
    return StateChanges(bound, pipelined, sorted(evicted), moved)


class Steps:
    """The actions of a shard, run one by one from a state on, with all attempts so far."""

    def __init__(self, start: Fork, only: Collection[str] | None = None) -> None:
        self.layer, self.tried, self._done, self._only = start.layer, start.tried, start.done, only
        self._walk = start.layer.ground.walk
        self._walk.mattered = False
        # Parts of GPUs add up to other floats in another order, already when the session opens.
        self.fork = start if holds_parts(start.layer.ground.session) else None

    @property
    def left(self) -> Sequence[Action]:
        """The actions that are still to be run."""
        return [*enabled(self.layer.ground.session)][self._done :]

    def run(self, action: Action) -> Sequence[Tried]:
        """The attempts of the next action. Raises ``UnmodelledError``."""
        before = Fork(self.layer, self.tried, self._done)
        try:
            outcome = run(self.layer, action, self._only)
        finally:
            if self._walk.mattered and self.fork is None:
                self.fork = before
        self.layer, self._done = outcome.layer, self._done + 1
        self.tried += outcome.tried
        return outcome.tried


def course(first: Layer, only: Collection[str] | None = None) -> Course:
    """All actions of the shard in a row, for ``only`` some jobs or all. Raises ``UnmodelledError``."""
    return course_from(Fork(first), only)


def course_from(start: Fork, only: Collection[str] | None = None) -> Course:
    """All actions that are not done yet in a row, for ``only`` some jobs or all. Raises ``UnmodelledError``."""
    steps = Steps(start, only)
    for action in steps.left:
        steps.run(action)
    by = next((one.action for one in steps.tried if one.done), None)
    return Course(steps.layer, steps.tried, by, steps.fork)


def runs_to_try(first: Layer, tried: Iterable[Tried], *, several: bool = False, briefly: bool = False) -> int:
    """How many other runs of KAI are tried: fewer than ``ENOUGH`` if ``tried`` took very long, or ``briefly`` long.

    None where no order matters: one job, or ``several``, that is placed without victims and without parts of GPUs.
    """
    runs = [run for one in tried for run in one.runs]
    shared = any(task.shares for task in first.ground.tasks.values())
    if not several and not shared and not runs:
        return 0
    work = (1 + sum(len(batch.pods) for run in runs for batch in run.batches)) * max(len(first.ledgers), 1)
    work += len(first.pod_states)
    return max(min(_SHORT // work, MOST), 0 if briefly else min(_LONG // work, ENOUGH), 1)


def other_runs(fork: Fork, number: int) -> Iterator[Fork]:
    """The same state in so many other runs of KAI, which walk its maps in other orders from there on."""
    return (fork._replace(layer=walking(fork.layer, each)) for each in range(1, 1 + number))


def varies(first: Layer, found: Course, only: Collection[str] | None = None, *, most: int = ENOUGH) -> bool:
    """Whether one of up to ``most`` other runs leaves a pod elsewhere. Raises ``UnmodelledError``.

    Fewer are tried if the search was long.
    """
    if found.fork is None:
        return False
    pods = standing_pods(found.layer)
    number = min(runs_to_try(first, found.tried, several=only is None, briefly=True), most)
    return any(standing_pods(course_from(other, only).layer) != pods for other in other_runs(found.fork, number))


def considered(session: Session, name: str) -> str:
    """Why KAI does not look at a job with pods that wait: noQueue, notLeaf, notReady; "" where it does."""
    job = session.jobs[name]
    if not job.known:
        return "noQueue"
    if not session.is_leaf(job.queue):
        return "notLeaf"
    return "" if job.ready else "notReady"


def standing_pods(layer: Layer) -> list[tuple[str, Status, str]]:
    """The status and node of each pod, whichever shared GPU it holds."""
    return [(pod, pod_state.status, pod_state.node) for pod, pod_state in layer.pod_states.items()]
