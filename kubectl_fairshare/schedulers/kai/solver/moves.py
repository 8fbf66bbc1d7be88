"""What one session of KAI does to the pods of a state, and the state that it leaves.

For simulations: a ``KaiState`` goes in, a ``KaiState`` comes out, and no object is read or written. Source:
KAI-Scheduler v0.17, "kai solver" in ``docs/laws.md``.
Decides nothing: what actions did, in the form of answers.
"""

from collections.abc import Collection, Mapping
from typing import Final

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, Pod, PodGroup
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.solver.cycle import ENOUGH, changed, course, runs_to_try, varies
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer
from kubectl_fairshare.schedulers.kai.solver.statuses import ACTIVE, Status


class PodMoves(Value, frozen=True):
    """The pods that one session binds, has wait for room, evicts or moves; nodes by pod.

    A pod that moves is deleted, and its replacement is only expected on the node. ``groups`` are the shared GPUs of
    bound pods. ``evictors`` is the PodGroup for which each evicted or moved pod leaves, and ``actions`` the action.
    ``started`` are the PodGroups of which nothing ran before, ``stopped`` those that lose pods or have some moved.
    ``varies``: the moves depend on the order of Go maps, so KAI may do something else. ``few``: the search was so long
    that few orders were tried.
    """

    bound: Mapping[ObjectKey, str]
    pipelined: Mapping[ObjectKey, str]
    evicted: tuple[ObjectKey, ...]
    moved: Mapping[ObjectKey, str]
    groups: Mapping[ObjectKey, tuple[str, ...]]
    evictors: Mapping[ObjectKey, str]
    actions: Mapping[ObjectKey, str]
    started: frozenset[str]
    stopped: frozenset[str]
    varies: bool = False
    few: bool = False

    @property
    def any(self) -> bool:
        """Whether any pod is bound, evicted or moved."""
        return bool(self.bound or self.evicted or self.moved)

    @property
    def settled(self) -> "PodMoves":
        """These once all that leaves is gone: pods that wait for its room, and those that move, have their node."""
        bound = {**self.bound, **self.pipelined, **self.moved}
        return replace(self, bound=bound, pipelined={}, moved={})

    def plus(self, other: "PodMoves") -> "PodMoves":
        """Both together: those of two shards, which share neither pods nor nodes."""
        return PodMoves(
            {**self.bound, **other.bound},
            {**self.pipelined, **other.pipelined},
            tuple(sorted((*self.evicted, *other.evicted))),
            {**self.moved, **other.moved},
            {**self.groups, **other.groups},
            {**self.evictors, **other.evictors},
            {**self.actions, **other.actions},
            self.started | other.started,
            self.stopped | other.stopped,
            self.varies or other.varies,
            self.few or other.few,
        )


NO_MOVES: Final = PodMoves({}, {}, (), {}, {}, {}, {}, frozenset(), frozenset())
"""Those of a session that does nothing."""


def pod_moves(session: Session, only: Collection[str] | None = None, *, doubting: bool = False) -> PodMoves:
    """The pods that one cycle of all actions moves, for ``only`` some jobs or all. Raises ``UnmodelledError``.

    ``doubting``: the cycle is decided again with the maps of KAI in other orders.
    """
    first = first_layer(session)
    found = course(first, only)
    bound, pipelined, moved = dict[ObjectKey, str](), dict[ObjectKey, str](), dict[ObjectKey, str]()
    evicted: list[ObjectKey] = []
    groups: dict[ObjectKey, tuple[str, ...]] = {}
    for task, was, now in changed(first, found.layer):
        key = task.pod.key
        if now.status is Status.ALLOCATED:
            bound[key], groups[key] = now.node, now.groups
        elif now.status is Status.PIPELINED:
            (moved if was.status in ACTIVE else pipelined)[key], groups[key] = now.node, now.groups
        elif now.status is Status.RELEASING:
            evicted.append(key)
    leaves = [(first.ground.tasks[e.victim.pod].pod.key, one) for one in found.tried for e in one.evictions]
    return PodMoves(
        bound,
        pipelined,
        tuple(sorted(evicted)),
        moved,
        groups,
        {key: one.job for key, one in leaves},
        {key: str(one.action) for key, one in leaves},
        found.layer.started_now,
        found.layer.evicted_now,
        doubting and varies(first, found),
        doubting and found.fork is not None and runs_to_try(first, found.tried, several=True, briefly=True) < ENOUGH,
    )


def after_moves(state: KaiState, moves: PodMoves) -> KaiState:
    """The state once the moves are carried out: bound pods run, evicted and moved ones wait again at once.

    Pods that wait for room still wait: KAI forgets their node at the end of a session. Starts and evictions are at the
    moment of the state.
    """
    gone = {*moves.evicted, *moves.moved}
    return replace(
        state,
        pods=tuple(_moved(pod, moves, gone) for pod in state.pods),
        pod_groups=tuple(_noted(group, moves, state.now) for group in state.pod_groups),
    )


def _noted(group: PodGroup, moves: PodMoves, now: int | None) -> PodGroup:
    """The PodGroup with the moments that KAI notes in its annotations."""
    if group.name in moves.started:
        group = replace(group, last_start=now)
    return replace(group, last_eviction=now) if group.name in moves.stopped else group


def _moved(pod: Pod, moves: PodMoves, gone: set[ObjectKey]) -> Pod:
    node = moves.bound.get(pod.key)
    if node is not None:  # its BindRequest stays as long as the pod does
        return replace(pod, node=node, phase=Phase.RUNNING, groups=moves.groups[pod.key])
    if pod.key in gone:
        return replace(pod, node="", phase=Phase.PENDING, groups=())
    return pod
