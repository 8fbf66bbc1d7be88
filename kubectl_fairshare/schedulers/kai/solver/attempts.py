"""What KAI's actions try: the attempts for jobs, and what each did to pods.

Decides nothing: the forms of what an action tried.
Tested in ``tests/unit/schedulers/kai/solver/test_cycle.py``. Source: KAI-Scheduler v0.17, "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.placing import Failure
from kubectl_fairshare.schedulers.kai.solver.scenarios import ScenarioRun
from kubectl_fairshare.schedulers.kai.solver.views import Ground, PodEviction, PodState


class Action(StrEnum):
    """An action, by the name that KAI gives it."""

    ALLOCATE = "allocate"
    CONSOLIDATION = "consolidation"
    RECLAIM = "reclaim"
    PREEMPT = "preempt"


class PodChange(NamedTuple):
    """A pod that an attempt left elsewhere, or in another status: its old and new state."""

    pod: str
    was: PodState
    now: PodState


class Tried(NamedTuple):
    """One attempt for a job, with the queues at ``standings``: what it did, or why it failed.

    ``evictions`` are carried out, in that order; ``gang`` is how many pods were taken away in the end, put back or
    not. ``rules`` says for each victim of a reclaim whether its side is over its fair share. A ``delayed`` job was
    not tried. ``runs`` are the scenarios that were played.
    """

    ground: Ground
    standings: Mapping[str, QueueAttributes]
    action: Action
    job: str
    done: bool
    evictions: tuple[PodEviction, ...] = ()
    ghost: bool = False
    failure: Failure | None = None
    gang: int = 0
    delayed: bool = False
    changes: tuple[PodChange, ...] = ()
    rules: Mapping[str, bool] = MappingProxyType({})
    runs: tuple[ScenarioRun, ...] = ()


class ActionOutcome(NamedTuple):
    """The state after an action, and every attempt in order."""

    layer: Layer
    tried: tuple[Tried, ...]


def tried_on(layer: Layer, action: Action, job: str, *, done: bool = False, failure: Failure | None = None) -> Tried:
    """An attempt on a state."""
    return Tried(layer.ground, layer.standings, action, job, done, failure=failure)


def pod_changes(before: Layer, after: Layer) -> tuple[PodChange, ...]:
    """The pods that are elsewhere after the steps of a layer, in the order of its steps."""
    pods = dict.fromkeys(done.pod for done in after.trail.steps[len(before.trail.steps) :])
    found = (PodChange(pod, before.pod_states[pod], after.pod_states[pod]) for pod in pods)
    return tuple(one for one in found if (one.was.status, one.was.node) != (one.now.status, one.now.node))
