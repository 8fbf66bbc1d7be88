"""Replays recorded whole plans of KAI: each action for each job alone, all in a row, and a cycle over all jobs."""

from typing import Any, Final

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kai.conformance.decisions import state_of
from kubectl_fairshare.schedulers.kai.explain.conditions import GroupCondition, condition
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.solver.actions import enabled, run
from kubectl_fairshare.schedulers.kai.solver.cycle import Course, StateChanges, changes, considered, course, varies
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError
from kubectl_fairshare.schedulers.kai.words.evictions import eviction_text

Document = dict[str, Any]
_RUNS: Final = 6


def replay(case: JsonObject) -> Document:
    """The engine's answer to a case, in the form of its ``expected``."""
    first = first_layer(open_session(state_of(case)))
    waiting = [name for name, gang in first.ground.gangs.items() if any(map(first.pending, gang.tasks))]
    return {"jobs": {name: _job(first, name) for name in waiting}, "session": _session(first)}


def _job(first: Layer, name: str) -> Document:
    reason = considered(first.ground.session, name)
    if reason:
        return {"considered": reason}
    try:
        return {
            "preemptible": first.ground.gangs[name].job.preemptible,
            "actions": {str(action): _action(first, action, name) for action in enabled(first.ground.session)},
            "alone": _alone(first, name),
        }
    except UnmodelledError as error:
        return {"unknown": [str(error)]}


def _action(first: Layer, action: Any, name: str) -> Document:
    outcome = run(first, action, (name,))
    found = _changes(changes(first, outcome.layer))
    done = any(one.done for one in outcome.tried)
    ghost = any(one.ghost for one in outcome.tried)
    return {"ok": done, **(found if done else {}), **({"ghost": found} if ghost else {})}


def _alone(first: Layer, name: str) -> Document:
    found = course(first, (name,))
    _same_in_all_runs(first, found, (name,))
    by, done = None if found.by is None else str(found.by), _changes(changes(first, found.layer))
    ghost = any(one.ghost for one in found.tried)
    answer = {"by": by, **(done if by else {}), **({"ghost": done} if ghost else {})}
    return (
        {**answer, **_waiting(found, name)} if any(map(found.layer.pending, first.ground.gangs[name].tasks)) else answer
    )


def _same_in_all_runs(first: Layer, found: Course, only: tuple[str, ...] | None) -> None:
    """Raises ``UnmodelledError`` where KAI's own answer varies from run to run."""
    if varies(first, found, only, most=_RUNS):
        raise UnmodelledError("the order of maps")


def _waiting(found: Course, name: str) -> Document:
    """What KAI says of a job of which pods wait."""
    said = condition(found.layer, found.tried, name)
    return {"condition": _condition(said), "pods": dict(said.pods)}


def _condition(said: GroupCondition) -> Document:
    return {"message": said.message, "reasons": [r._asdict() for r in said.reasons], "written": said.written}


def _session(first: Layer) -> Document:
    try:
        found = course(first)
        _same_in_all_runs(first, found, None)
    except UnmodelledError as error:
        return {"unknown": [str(error)]}
    waiting = [name for name, gang in first.ground.gangs.items() if any(map(found.layer.pending, gang.tasks))]
    ready = [
        name for name in waiting if first.ground.gangs[name].job.ready and not considered(first.ground.session, name)
    ]
    return {
        **_changes(changes(first, found.layer)),
        "evictions": _evictions(found),
        "conditions": {name: _condition(condition(found.layer, found.tried, name)) for name in ready},
    }


def _evictions(found: Course) -> Document:
    """The pods that are deleted, with who asked for it and what is said."""
    return {
        one.ground.tasks[eviction.victim.pod].name: {
            "action": str(one.action),
            "preemptor": one.job,
            "gang": one.gang,
            "message": eviction_text(one, eviction.victim.pod),
        }
        for one in found.tried
        for eviction in one.evictions
    }


def _changes(found: StateChanges) -> Document:
    """By name, as it was recorded."""
    return {
        "bound": {key.name: node for key, node in found.bound.items()},
        "pipelined": {key.name: node for key, node in found.pipelined.items()},
        "evicted": sorted(key.name for key in found.evicted),
        "moved": {key.name: node for key, node in found.moved.items()},
    }
