"""One cycle of KAI: every attempt of every action in order, and what KAI says of the jobs that still wait.

Source: KAI-Scheduler v0.17, "kai solver" in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.explain.backlog import Played, play
from kubectl_fairshare.schedulers.kai.explain.conditions import GroupCondition, condition
from kubectl_fairshare.schedulers.kai.explain.ever import is_never
from kubectl_fairshare.schedulers.kai.explain.pod_orders import in_other_orders, pod_kind
from kubectl_fairshare.schedulers.kai.explain.stale import stale_gangs
from kubectl_fairshare.schedulers.kai.gaps import (
    SEARCH_BUDGET,
    class_gaps,
    config_map_gaps,
    delay_gaps,
    eviction_gaps,
    fidelity_of,
    placing_gaps,
    reference_gaps,
    without,
)
from kubectl_fairshare.schedulers.kai.model.objects import Shard
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.report import counted, other_sessions
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.actions import enabled
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, Tried
from kubectl_fairshare.schedulers.kai.solver.cycle import (
    ENOUGH,
    Fork,
    considered,
    other_runs,
    runs_to_try,
    standing_pods,
)
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.statuses import Status


class WaitingJob(Value, frozen=True):
    """A job of which pods wait after the cycle, with what KAI writes; ``condition`` is None if KAI does not try it.

    ``unready`` says why not: noQueue, notLeaf, notReady.
    """

    job: Job
    pods: tuple[str, ...]
    condition: GroupCondition | None
    unready: str = ""


class KaiCycle(Value, frozen=True):
    """What one cycle does. ``stopped`` is the action that is not decided, None if all are.

    ``never`` are the jobs that can never get in, by name: those that still wait, and those that evict others in vain.
    ``elsewhere`` is the number of jobs that wait in other node pools.
    """

    shard: Shard
    jobs: tuple[Job, ...]
    actions: tuple[Action, ...]
    tried: tuple[Tried, ...]
    waiting: tuple[WaitingJob, ...]
    fidelity: Fidelity
    stopped: Action | None = None
    never: frozenset[str] = frozenset()
    elsewhere: int = 0

    def outcome(self, name: str) -> Outcome:
        """The outcome of a job that some action tries: the first action that changes anything for it decides."""
        if name in self.never:
            return Outcome.NEVER
        did = next((one.action for one in self.tried if one.job == name and one.done), None)
        if did is None:
            return Outcome.WAITS
        return Outcome.ADMITTED if did is Action.ALLOCATE else Outcome.PREEMPTS


def kai_cycle(session: Session) -> KaiCycle:
    """The next cycle of the session's shard."""
    first = first_layer(session)
    jobs = tuple(gang.job for gang in first.ground.gangs.values() if any(map(first.pending, gang.tasks)))
    played = play(Fork(first))
    gaps = [Gap("Placement", (), touches=True, subject=played.feature)] if played.feature else []
    runs = runs_to_try(first, played.tried, several=True) if played.fork is not None else ENOUGH
    if not gaps and (session.undefined or _varies(played, runs)):
        gaps = [Gap("MapOrder", (), touches=True)]
    elif runs < ENOUGH:
        gaps += [Gap("FewMapOrders", (), touches=True)]
    unordered = (job for job in jobs if _follows_order(job, played, session))
    gaps += [Gap("PodOrder", (Place(job.group.key),), touches=True) for job in unordered]
    waiting = tuple(_waiting(played.layer, played.tried, jobs, decided=not played.feature))
    gaps += [gap for job in jobs for gap in config_map_gaps(session, job)]
    gaps += list(_stale_gaps(played.layer))
    gaps += list(eviction_gaps(session)) if any(one.evictions for one in played.tried) else []
    gaps += class_gaps(session, session.jobs.values())
    gaps += reference_gaps(session)
    gaps += delay_gaps(session, _evictors(session, played.tried))
    known = fidelity_of(session, *placing_gaps(session), *gaps)
    if all(one.action is Action.ALLOCATE for one in played.tried if not one.delayed):
        known = without(known, SEARCH_BUDGET)
    never = frozenset(_never(session, jobs, played.tried, first))
    actions = tuple(enabled(session))
    elsewhere = sum(counted(each).pending for each in other_sessions(session))
    return KaiCycle(session.shard, jobs, actions, played.tried, waiting, known, played.stopped, never, elsewhere)


def _never(session: Session, jobs: Iterable[Job], tried: Iterable[Tried], first: Layer) -> Iterator[str]:
    """The jobs that allocate does not place and that can never get in, by name."""
    did = {one.job: one.action for one in reversed([*tried]) if one.done}
    for job in jobs:
        action = did.get(job.name)
        if action is not Action.ALLOCATE and is_never(session, job, first, evicts=action is not None):
            yield job.name


def _stale_gaps(layer: Layer) -> Iterator[Gap]:
    """The jobs that run fewer pods than their minimum for so long that KAI evicts them at the end of the cycle."""
    for gang in stale_gangs(layer):
        yield Gap("StaleGang", (Place(gang.group.key, ("spec",)),), touches=True, subject=gang.name)


def _evictors(session: Session, tried: Iterable[Tried]) -> Iterator[Job]:
    """The jobs that evict others, or move them."""
    names = dict.fromkeys(one.job for one in tried if one.done and one.action is not Action.ALLOCATE)
    return (session.jobs[name] for name in names)


def _varies(played: Played, runs: int) -> bool:
    """Whether pods end elsewhere if KAI walks its maps in another order."""
    if played.fork is None:
        return False
    pods = standing_pods(played.layer)
    return any(standing_pods(play(other).layer) != pods for other in other_runs(played.fork, runs))


def _follows_order(job: Job, played: Played, session: Session) -> bool:
    """Whether pods end elsewhere if the new pods of the job, which differ, come in another order."""
    states = in_other_orders(session.state, job, ENOUGH)
    layers = (play(Fork(first_layer(open_session(state, session.shard)))).layer for state in states)
    return any(_standing(layer, job) != _standing(played.layer, job) for layer in layers)


def _standing(layer: Layer, job: Job) -> Counter[tuple[str, Status, str]]:
    """How many pods have each status and node: by name, those of the job by kind."""
    kinds = {task.pod.key: pod_kind(task.pod) for task in job.tasks}
    tasks = ((layer.ground.tasks[uid], pod_state) for uid, pod_state in layer.pod_states.items())
    return Counter(
        (kinds.get(task.pod.key, str(task.pod.key)), pod_state.status, pod_state.node) for task, pod_state in tasks
    )


def _waiting(layer: Layer, tried: Sequence[Tried], jobs: tuple[Job, ...], *, decided: bool) -> Iterator[WaitingJob]:
    """The jobs of which pods still wait; without their conditions if the cycle is not decided to its end."""
    for job in jobs:
        gang = layer.ground.gangs[job.name]
        pods = tuple(task.name for pod, task in gang.tasks.items() if layer.pending(pod))
        unready = considered(layer.ground.session, job.name)
        if pods:
            said = condition(layer, tried, job.name) if decided and not unready else None
            yield WaitingJob(job, pods, said, unready)
