"""Replays recorded whole plans of KAI: each action for each job alone, all in a row, and a cycle over all jobs."""

from typing import Any

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kai.conformance.decisions import state_of
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.solver.actions import enabled, run
from kubectl_fairshare.schedulers.kai.solver.cycle import Changes, changes, considered, course
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError

Document = dict[str, Any]


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
    done = any(one.done for one in outcome.tried)
    return {"ok": done, **(_changes(changes(first, outcome.layer)) if done else {})}


def _alone(first: Layer, name: str) -> Document:
    found = course(first, (name,))
    by = None if found.by is None else str(found.by)
    return {"by": by, **(_changes(changes(first, found.layer)) if by else {})}


def _session(first: Layer) -> Document:
    try:
        found = course(first)
    except UnmodelledError as error:
        return {"unknown": [str(error)]}
    return _changes(changes(first, found.layer))


def _changes(found: Changes) -> Document:
    return {
        "bound": dict(found.bound),
        "pipelined": dict(found.pipelined),
        "evicted": list(found.evicted),
        "moved": dict(found.moved),
    }
