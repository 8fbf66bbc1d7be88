"""Recordings of KAI. Tested in ``tests/conformance``."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.recording import ADMISSION_FIELDS, SETS, Recording, fields_of_causes

_DECISIONS: Final = ("total", "queues", "fairShare", "jobs", "gates", "reclaim", "order", "division")


def _changes(entry: JsonObject) -> JsonObject:
    """The effect of an attempt on pods, without its notes."""
    return {name: entry.get(name) for name in ("ok", "by", "bound", "pipelined", "evicted", "moved")}


def _planned(entry: JsonObject) -> JsonObject:
    """A job of a plan as it is compared."""
    actions = {name: _changes(action) for name, action in (entry.get("actions") or {}).items()}
    alone = _changes(entry.get("alone") or {})
    return {**{name: entry.get(name) for name in ("considered", "preemptible")}, "actions": actions, "alone": alone}


def _plans_of_pods(answer: JsonObject) -> JsonObject:
    """The part of an answer with whole plans that is compared: the effect on the pods."""
    jobs = {name: _planned(entry) for name, entry in (answer.get("jobs") or {}).items()}
    return {**answer, "jobs": jobs, "session": _changes(answer.get("session") or {})}


RECORDINGS: Final[Mapping[str, Recording]] = {
    "kai": Recording(f"{__name__}.decisions", _DECISIONS),
    "kai-plan": Recording(f"{__name__}.plans", ("jobs", "session"), SETS | {"evicted"}, _plans_of_pods),
    "kai-admission": Recording(f"{__name__}.admission", (*ADMISSION_FIELDS, "warnings"), compared=fields_of_causes),
}
