"""Cycles of KAI that are carried out on a state: what they bind runs, what they evict waits again.

Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.search import LoopEvent, LoopStep
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.gaps import SEARCH_BUDGET, eviction_gaps, placing_gaps
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, KaiState, Phase, Pod, Resources
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.simulation.simulation import usage_of
from kubectl_fairshare.schedulers.kai.solver.attempts import Action
from kubectl_fairshare.schedulers.kai.solver.cycle import Course, changes, course, varies
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.sandbox import AT_ONCE, EvictionLoop, Removal, loop_since

MAP_ORDER: Final = (Gap("MapOrder", (), touches=True),)
History = tuple[Mapping[str, Resources], ...]
"""What each queue held, cycle by cycle."""
_RULES: Final = {Action.RECLAIM: "reclaim", Action.PREEMPT: "priority", Action.CONSOLIDATION: "consolidation"}
_MOST_CYCLES: Final = 16
_AGED_CYCLES: Final = 60
"""Cycles that are looked at where past usage counts."""
_WINDOW: Final = 60
_HALF_LIFE: Final = 10.0


class SandboxCycles:
    """Cycles that are carried out; ``undated`` is what evictions rest on.

    ``session`` is of an earlier state, and later the last one of these cycles.
    """

    def __init__(self, state: KaiState, session: Session, history: History, undated: tuple[Gap, ...]) -> None:
        self.state = state
        self.session = session
        self.history = history
        self.removals: list[Removal] = []
        self.doubts: dict[Gap, None] = {}
        self._undated = undated
        self.ran: set[str] = set()
        self.steps: list[LoopStep] = []
        self.loop: EvictionLoop | None = None
        self.cycles = 0

    def run(self) -> bool:
        """Until nothing changes; whether it came to that. Where past usage counts, a number of cycles in any case."""
        aged = _counts_usage(self.state)
        seen: dict[frozenset[tuple[str, str]], int] = {}
        while self.cycles < (_AGED_CYCLES if aged else _MOST_CYCLES):
            moved = self._cycle()
            picture = frozenset((pod.uid, pod.node) for pod in self.state.pods if pod.node)
            if not aged and moved and picture in seen:
                self.loop = loop_since(self.steps[seen[picture] :], AT_ONCE)
            if not aged and (not moved or picture in seen):
                return not moved
            seen[picture] = len(self.steps)
        return aged

    def _cycle(self) -> bool:
        self.cycles += 1
        session = self.session = open_session(self._with_usage(), before=self.session)
        first = first_layer(session)
        try:
            found = course(first)
        except UnmodelledError as error:
            raise undecided(str(error)) from None
        evicting = any(one.action is not Action.ALLOCATE for one in found.tried if not one.delayed)
        self.doubts |= dict.fromkeys((*_doubts(session, first, found), *(self._undated if evicting else ())))
        changed = changes(first, found.layer)
        self._record(found, session)
        if changed.bound or changed.evicted or changed.moved:
            self.state = carried_out(self.state, changed.bound, {*changed.evicted, *changed.moved})
            starting = dict.fromkeys(pod.group for pod in self.state.pods if pod.key in changed.bound)
            self.ran.update(map(_bare, starting))
            queues = {job: session.jobs[job].queue for job in starting if job in session.jobs}
            self.steps += [LoopStep(self.cycles, LoopEvent.STARTS, _bare(job), q) for job, q in queues.items()]
        elif changed.pipelined:
            self.state = without_leaving(self.state, first)  # others wait for their room, and nothing else happens
        self._remember()
        return changed.any

    def _with_usage(self) -> KaiState:
        """The state with what its queues used in the cycles so far, where that counts."""
        if not self.history or not _counts_usage(self.state):
            return self.state
        totals = open_session(self.state, before=self.session).totals.total
        used = [
            usage_of(
                [{q: held[i] for q, held in each.items()} for each in self.history], totals[i], _WINDOW, _HALF_LIFE
            )
            for i in range(len(RESOURCES))
        ]
        names = {name for each in used for name in each}
        return replace(self.state, usage={name: Resources(*(each.get(name, 0.0) for each in used)) for name in names})

    def _record(self, found: Course, session: Session) -> None:
        """Who had to leave, and for whom."""
        for tried in found.tried:
            if not tried.done or tried.action is Action.CONSOLIDATION:
                continue
            jobs = dict.fromkeys(found.layer.ground.tasks[each.victim.pod].job for each in tried.evictions)
            for job in jobs:
                by = session.jobs[tried.job]
                rule = _RULES.get(tried.action, str(tried.action))
                removal = Removal(_bare(job), session.jobs[job].queue, _bare(tried.job), by.queue, rule)
                self.removals.append(removal)
                self.steps.append(LoopStep(self.cycles, LoopEvent.EVICTED, *removal))

    def _remember(self) -> None:
        if not _counts_usage(self.state):
            return
        sessions = (open_session(self.state, each, before=self.session) for each in self.state.every_shard)
        found = (each for session in sessions for each in session.standings.items())
        held = {name: Resources(*standing.allocated) for name, standing in found}
        self.history = (*self.history, held)[-_WINDOW:]


def _doubts(session: Session, first: Layer, found: Course) -> Iterator[Gap]:
    """What a cycle rests on: settings and moments that are not modelled, and the order of Go maps."""
    gaps = [*placing_gaps(session), *(eviction_gaps(session) if any(one.evictions for one in found.tried) else ())]
    idle = all(one.action is Action.ALLOCATE for one in found.tried if not one.delayed)
    yield from (replace(gap, places=()) for gap in gaps if gap.touches and not (idle and gap.feature == SEARCH_BUDGET))
    waiting = {first.ground.tasks[pod].job for pod, each in first.pod_states.items() if each.status is Status.PENDING}
    if session.undefined or varies(first, found, [*waiting] if len(waiting) == 1 else None):
        yield from MAP_ORDER


def carried_out(state: KaiState, bound: Mapping[ObjectKey, str], gone: Collection[ObjectKey] = ()) -> KaiState:
    """The state in which pods run on the nodes that they are bound to, and those that are gone wait."""
    pods = tuple(_moved(pod, bound, gone) for pod in state.pods)
    started = {pod.group for pod in pods if pod.key in bound}
    groups = (replace(g, last_start=state.now) if g.name in started else g for g in state.pod_groups)
    return replace(state, pods=pods, pod_groups=tuple(groups))


def without_leaving(state: KaiState, first: Layer) -> KaiState:
    """The state once its terminating pods are gone; ``first`` is its layer before any action."""
    leaving = {pod for pod, each in first.pod_states.items() if each.status is Status.RELEASING}
    return replace(state, pods=tuple(pod for pod in state.pods if pod.uid not in leaving))


def undecided(why: str) -> FairshareError:
    """The error where it is not known where pods are placed."""
    message = f"where pods are placed cannot be decided: {why}"
    return FairshareError(Problem(message, help="leave this work out of the input"))


def _counts_usage(state: KaiState) -> bool:
    """Whether past usage counts: the input has some, or sets another k than KAI's default."""
    k = state.shard.k
    return k > 0 and (k != 1.0 or bool(state.usage))


def _bare(group: str) -> str:
    """The name of a made-up job, of the PodGroup that KAI makes of it."""
    return group.removeprefix("pg-")


def _moved(pod: Pod, bound: Mapping[ObjectKey, str], gone: Collection[ObjectKey]) -> Pod:
    if pod.key in bound:
        return replace(pod, phase=Phase.RUNNING, node=bound[pod.key])
    return replace(pod, phase=Phase.PENDING, node="") if pod.key in gone else pod
