"""KAI's actions: allocate, consolidation, reclaim, preempt. Each takes up jobs in queue order and goes on from there.

Why allocate does not take up a job once: a gang of minimum 2 with 6 pods gets its two, and is pushed back; four others
of its queue and of others come in between before it gets a third.
Source: ``Execute`` in https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/allocate/allocate.go,
and in ``consolidation``, ``reclaim`` and ``preempt`` next to it; "kai solver" in ``docs/laws.md``.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import Charge, GpuKind, Resources
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import preempt_protected, protected
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import can_reclaim, queue_passes
from kubectl_fairshare.schedulers.kai.session.gates import over_quota
from kubectl_fairshare.schedulers.kai.session.job_order import QueueWalk
from kubectl_fairshare.schedulers.kai.session.jobs import Job, JobOrder
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session, Totals
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, ActionOutcome, Tried, pod_changes, tried_on
from kubectl_fairshare.schedulers.kai.solver.gangs import Gang, ready
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import idle_gpus, releasing_gpus
from kubectl_fairshare.schedulers.kai.solver.placing import (
    Failure,
    all_waiting,
    asked_of,
    oversized,
    place_job,
    waits_whole,
)
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError
from kubectl_fairshare.schedulers.kai.solver.scenarios import Judge, Scenario
from kubectl_fairshare.schedulers.kai.solver.search import Candidates, Result, Search
from kubectl_fairshare.schedulers.kai.solver.signatures import FailedJobs
from kubectl_fairshare.schedulers.kai.solver.statuses import ACTIVE, Status
from kubectl_fairshare.schedulers.kai.solver.validators import (
    asker_of,
    is_fair,
    keeps_minimums,
    nobody_lost,
    over_share,
)
from kubectl_fairshare.schedulers.kai.solver.views import JobView

_STRIDE: Final = 7


def enabled(session: Session) -> Iterator[Action]:
    """The actions of the shard, in their order."""
    return map(Action, session.shard.actions)


def run(layer: Layer, action: Action, only: Collection[str] | None = None) -> ActionOutcome:
    """The action on a state, for all jobs or ``only`` some. Raises ``UnmodelledError``."""
    if action is Action.ALLOCATE:
        return _allocate(layer, only)
    return _evicting(layer, action, only)


class Current:
    """The state after an action's last step; the order of queues always follows this state."""

    __slots__ = ("layer",)

    def __init__(self, layer: Layer) -> None:
        self.layer = layer

    @property
    def totals(self) -> Totals:
        """The cluster's amounts."""
        return self.layer.totals

    @property
    def standings(self) -> Mapping[str, QueueAttributes]:
        """What the queues hold."""
        return self.layer.standings

    def is_leaf(self, queue: str) -> bool:
        """Whether no other queue has it for a parent."""
        return self.layer.is_leaf(queue)


class Waiting:
    """A job in the order of an action, always in the present state."""

    __slots__ = ("current", "name")

    def __init__(self, current: Current, name: str) -> None:
        self.current, self.name = current, name

    @property
    def view(self) -> JobView:
        """The job in the present state."""
        return self.current.layer.view(self.name)

    @property
    def queue(self) -> str:
        """Its queue."""
        return self.view.queue

    @property
    def known(self) -> bool:
        """Whether the queue exists."""
        return self.view.known

    @property
    def order(self) -> JobOrder:
        """Its place in the queue."""
        return self.view.order

    @property
    def holds(self) -> Resources:
        """What its placed pods ask for."""
        return self.view.holds

    @property
    def request(self) -> Charge:
        """What its next pods ask for."""
        return self.view.request


def _jobs(layer: Layer, action: Action, only: Collection[str] | None) -> Iterator[str]:
    """The jobs that the action takes up, by name."""
    for name in _waiting(layer, action, only):
        if action is Action.ALLOCATE or not _delayed(layer, layer.ground.gangs[name].job):
            yield name


def _late(layer: Layer, action: Action, only: Collection[str] | None) -> Iterator[str]:
    """The jobs that the action would take up later, for the sake of their delay."""
    session = layer.ground.session
    for name in _waiting(layer, action, only):
        job = layer.ground.gangs[name].job
        if job.known and session.is_leaf(job.queue) and _delayed(layer, job):
            yield name


def _waiting(layer: Layer, action: Action, only: Collection[str] | None) -> Iterator[str]:
    """The jobs that wait and could be placed, by name."""
    for name, gang in layer.ground.gangs.items():
        job = gang.job
        if only is not None and name not in only:
            continue
        if not ready(gang.root, layer.alive) or not any(map(layer.pending, gang.tasks)):
            continue
        if action is not Action.CONSOLIDATION or job.preemptible:
            yield name


def _delayed(layer: Layer, job: Job) -> bool:
    """Whether the job may not make others leave yet: since it was made, or since it was evicted, if only now."""
    again = job.name in layer.evicted_now and job.group.preemption_delay > 0
    return again or job.delayed(layer.ground.session.now)


def _walk(current: Current, action: Action, only: Collection[str] | None) -> QueueWalk[Waiting]:
    depth = current.layer.ground.session.shard.depths.get(action)
    maps = current.layer.ground.walk
    names = maps.order(list(_jobs(current.layer, action, only)), matters=False)
    return QueueWalk(current, (Waiting(current, name) for name in names), depth=depth, maps=maps)


def _allocate(layer: Layer, only: Collection[str] | None) -> ActionOutcome:
    """Places one job after the other; one with more pods is taken up again."""
    current = Current(layer)
    walk = _walk(current, Action.ALLOCATE, only)
    tried: list[Tried] = []
    for waiting in walk:
        layer, view = current.layer, waiting.view
        placed = place_job(layer, view, tuple(layer.ledgers), simulated=False)
        if isinstance(placed, Failure):
            tried.append(tried_on(layer, Action.ALLOCATE, view.name, failure=placed))
            current.layer = layer if placed.dropped is None else layer.after_dropping(placed.dropped)
            continue
        whole = waits_whole(placed, view)
        if whole:
            placed = all_waiting(placed, layer, view)
        fresh = not any(layer.pod_states[pod].status in ACTIVE for pod in view.gang.tasks)
        done = tried_on(layer, Action.ALLOCATE, view.name, done=True)
        tried.append(done._replace(changes=pod_changes(layer, placed)))
        current.layer = placed.committed()
        if fresh and not whole:
            current.layer.started_now |= {view.name}
        if any(map(current.layer.pending, view.gang.tasks)):
            walk.push(waiting)
    return ActionOutcome(current.layer, tuple(tried))


def _evicting(layer: Layer, action: Action, only: Collection[str] | None) -> ActionOutcome:
    """Searches victims for one job after the other."""
    shard = layer.ground.session.shard
    # 0 turns it off; below 0 is without bound.
    if action is Action.CONSOLIDATION and shard.moves == 0:
        return ActionOutcome(layer, ())
    current = Current(layer)
    failures: dict[str, FailedJobs] = {}
    tried = [tried_on(layer, action, name)._replace(delayed=True) for name in _late(layer, action, only)]
    for waiting in _walk(current, action, only):
        layer, view = current.layer, waiting.view
        # What failed in one queue may succeed in another, as other victims are allowed there; consolidation has no
        # victims to ask about.
        key = "" if action is Action.CONSOLIDATION else view.queue
        failed = failures.setdefault(key, FailedJobs())
        if not _eligible(layer, action, view) or (shard.signatures and not failed.easier(layer, view.gang)):
            continue
        large = next((pod for pod in view.next if oversized(layer, layer.ground.tasks[pod]) is not None), "")
        # A pod that no node could ever hold ends the job before any search.
        if large:
            tried.append(tried_on(layer, action, view.name, failure=Failure(pod=large)))
            continue
        result = _searched(layer, action, view)
        current.layer, one = _carried_out(result, tried_on(layer, action, view.name)._replace(runs=result.runs))
        tried.append(one._replace(changes=pod_changes(layer, result.layer), rules=result.rules) if one.done else one)
        if not result.solved:
            failed.add(current.layer, view.gang)
    return ActionOutcome(current.layer, tuple(tried))


def _eligible(layer: Layer, action: Action, view: JobView) -> bool:
    """Whether reclaim looks at the job at all."""
    return action is not Action.RECLAIM or can_reclaim(session_of(layer), asker_of(view))


def _carried_out(result: Result, tried: Tried) -> tuple[Layer, Tried]:
    if result.solved:
        evictions = tuple({one.victim.pod: one for one in result.layer.trail.evictions if not one.undone}.values())
        layer = result.layer.committed()
        layer.evicted_now |= {layer.ground.tasks[one.victim.pod].job for one in evictions}
        return layer, tried._replace(done=True, evictions=evictions, gang=len(result.layer.trail.evictions))
    if result.ghost:
        return result.layer.abandoned(), tried._replace(ghost=True)
    return result.layer, tried


def _searched(layer: Layer, action: Action, view: JobView) -> Result:
    """The search, once the action's own gate is passed."""
    if view.gang.unmodelled:
        raise UnmodelledError(view.gang.unmodelled[0])
    if action is Action.CONSOLIDATION:
        return _consolidated(layer, view)
    return _reclaimed(layer, view) if action is Action.RECLAIM else _preempted(layer, view)


def _consolidated(layer: Layer, view: JobView) -> Result:
    if not enough_gpus(layer, view):
        return Result(layer, solved=False)
    most = layer.ground.session.shard.moves

    def is_candidate(gang: Gang) -> bool:
        return gang.name != view.name

    found = tuple(_candidates(layer, is_candidate))
    # KAI stops after it has passed the cap, so that one more than the cap is drawn.
    if most < 0 or len(found) <= most + 1:
        return Search(layer, view, lambda: found, nobody_lost).result()
    walk = layer.ground.walk
    if walk.number:
        return Search(layer, view, lambda: tuple(walk.order(found)[: most + 1]), nobody_lost).result()
    walk.mattered = True
    draws = (Draws(found, most + 1), Draws(found[::-1], most + 1), Draws(found, most + 1, _STRIDE))
    results = [Search(layer, view, draw, nobody_lost).result() for draw in draws]
    if len({_placed(result) for result in results}) > 1:
        # The draw is by the order of a map; three draws that agree are taken for all of them.
        raise UnmodelledError("more candidates for consolidation than it draws")
    return results[0]


class Draws:
    """The candidates that consolidation looks at, drawn anew each time: ``step`` further on in the list.

    KAI draws them by the order of a map. The cap is passed by one.
    """

    __slots__ = ("_found", "_most", "_start", "_step")

    def __init__(self, found: Sequence[JobView], most: int, step: int = 0) -> None:
        self._found, self._most, self._step, self._start = found, most, step, 0

    def __call__(self) -> tuple[JobView, ...]:
        """The next draw."""
        start = self._start
        self._start = (start + self._step) % len(self._found)
        return (*self._found[start:], *self._found[:start])[: self._most]


def _placed(result: Result) -> tuple[bool, frozenset[tuple[str, Status, str]]]:
    """What a search led to."""
    pod_states = result.layer.pod_states.items() if result.solved or result.ghost else ()
    return result.solved, frozenset((pod, pod_state.status, pod_state.node) for pod, pod_state in pod_states)


def enough_gpus(layer: Layer, view: JobView) -> bool:
    """Whether ready nodes have, or are about to have, the GPUs and the GPU memory that the job asks for."""
    gpus, memory = 0.0, 0
    for ledger in layer.ledgers.values():
        # Nodes that are not ready still take part in the search, but nothing is counted on them.
        if ledger.machine.ready:
            for there, mib in (idle_gpus(ledger), releasing_gpus(ledger)):
                gpus, memory = gpus + there, memory + mib
    tasks = [layer.ground.tasks[pod] for pod in view.next]
    wanted = sum(task.request[2] for task in tasks)
    return gpus >= wanted and memory >= sum(t.gpu.memory for t in tasks if t.gpu.kind is GpuKind.MEMORY)


def _candidates(layer: Layer, accept: Callable[[Gang], bool]) -> Iterator[JobView]:
    """The jobs that may be victims, by name."""
    for name, gang in layer.ground.gangs.items():
        if gang.job.preemptible and any(map(layer.active, gang.tasks)) and accept(gang):
            yield layer.view(name)


def session_of(layer: Layer) -> Session:
    """The session with what the queues hold in this state."""
    return replace(layer.ground.session, standings=dict(layer.standings))


def _reclaimed(layer: Layer, view: JobView) -> Result:
    frozen = session_of(layer)
    passing: dict[str, bool] = {}

    def safe(gang: Gang) -> bool:
        return protected(frozen, view.queue, layer.job(gang))

    def is_candidate(gang: Gang) -> bool:
        queue = gang.job.queue
        if queue == view.queue:
            return False
        if queue not in passing:
            passing[queue] = queue_passes(frozen, view.queue, view.request.total, queue)
        return passing[queue] and (gang.elastic or not safe(gang))

    def judge(state: Layer, scenario: Scenario) -> bool:
        return is_fair(state, scenario, frozen) and keeps_minimums(state, scenario, safe)

    result = _search(layer, view, is_candidate, judge)
    if not result.solved or result.scenario is None:
        return result
    return result._replace(rules=over_share(result.layer, result.scenario, frozen))


def _preempted(layer: Layer, view: JobView) -> Result:
    session, job = session_of(layer), view.gang.job
    if not job.preemptible and over_quota(layer.chain(job.queue), asked_of(layer, view.next)) is not None:
        return Result(layer, solved=False)

    def safe(gang: Gang) -> bool:
        return preempt_protected(session, layer.job(gang))

    def is_candidate(gang: Gang) -> bool:
        other = gang.job
        # Strictly lower, as in the law: jobs of one priority do not preempt each other.
        lower = other.queue == job.queue and other.priority < job.priority and gang.name != view.name
        return lower and (gang.elastic or not safe(gang))

    return _search(layer, view, is_candidate, lambda state, scenario: keeps_minimums(state, scenario, safe))


def _search(layer: Layer, view: JobView, accept: Callable[[Gang], bool], judge: Judge) -> Result:
    found: Sequence[JobView] = tuple(_candidates(layer, accept))
    candidates: Candidates = lambda: tuple(found)  # noqa: E731
    return Search(layer, view, candidates, judge).result()
