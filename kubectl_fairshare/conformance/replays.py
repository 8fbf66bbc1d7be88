"""What can be replayed, by the name of the recording.

A new one is a line in ``REPLAYS`` and a module here whose ``replay(case)`` gives the answer in the form of
the case's ``expected``.
"""

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Final

from kubectl_fairshare.conformance.compare import SETS
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.values import dataclass

Replay = Callable[[JsonObject], JsonObject]
NONDETERMINISTIC: Final = "nondeterministic"
"""The paths of an answer at which the scheduler's own depends on chance, beside what is compared."""


def whole(answer: JsonObject) -> JsonObject:
    """The answer as it is compared: as it is."""
    return answer


def fields_of_causes(answer: JsonObject) -> JsonObject:
    """An answer of admission as it is compared: of its causes the fields alone, each once."""
    causes: Json = answer.get("causes") or []
    if not isinstance(causes, list):  # no server said so: it is left to differ
        return answer
    fields = {str(cause.get("field")) if isinstance(cause, dict) else str(cause) for cause in causes}
    return {**answer, "causes": sorted(fields)}


def _changed(entry: JsonObject) -> JsonObject:
    """What an attempt did to pods, without notes beside it."""
    return {name: entry.get(name) for name in ("ok", "by", "bound", "pipelined", "evicted", "moved")}


def _planned(entry: JsonObject) -> JsonObject:
    """A job of a plan as it is compared."""
    actions = {name: _changed(action) for name, action in (entry.get("actions") or {}).items()}
    alone = _changed(entry.get("alone") or {})
    return {**{name: entry.get(name) for name in ("considered", "preemptible")}, "actions": actions, "alone": alone}


def plans_of_pods(answer: JsonObject) -> JsonObject:
    """An answer with whole plans as it is compared: what becomes of the pods."""
    jobs = {name: _planned(entry) for name, entry in (answer.get("jobs") or {}).items()}
    return {**answer, "jobs": jobs, "session": _changed(answer.get("session") or {})}


@dataclass(frozen=True, slots=True)
class Engine:
    """How recordings of one kind are replayed and compared.

    ``module`` is the module, below the schedulers, that replays a case, ``fields`` are those compared, ``sets`` the
    names of lists whose order means nothing. ``compared`` gives the part of an answer that counts.
    """

    module: str
    fields: tuple[str, ...]
    sets: frozenset[str] = SETS
    compared: Callable[[JsonObject], JsonObject] = whole

    @property
    def replay(self) -> Replay:
        """The answer to a case; its module is imported when it is asked for."""
        found: Replay = import_module(f"kubectl_fairshare.schedulers.{self.module}").replay
        return found


_LIVING: Final = ("outcome", "clusterQueue", "assignment", "victims", "message")
_KAI: Final = ("total", "queues", "fairShare", "jobs", "gates", "reclaim", "order", "division")
_ELASTICQUOTA: Final = (
    "preFilter",
    "filter",
    "outcome",
    "eligibleToPreempt",
    "rejectedNodes",
    "candidates",
    "chosenNodes",
)
_ADMISSION: Final = ("accepted", "unknownFields", "causes", "stored")

REPLAYS: Final = {
    "kueue": Engine("kueue.conformance.decisions", ("nodes", "inactive", "plans", "heads", "cycle")),
    "kueue-saturated": Engine("kueue.conformance.saturated", ("usage",)),
    "kueue-living": Engine("kueue.conformance.living", _LIVING, SETS | {"victims"}),
    "elasticquota": Engine("elasticquota.conformance.decisions", _ELASTICQUOTA),
    "kai": Engine("kai.conformance.decisions", _KAI),
    "kai-plan": Engine("kai.conformance.plans", ("jobs", "session"), SETS | {"evicted"}, plans_of_pods),
    "kueue-admission": Engine("kueue.conformance.admission", _ADMISSION, compared=fields_of_causes),
    "elasticquota-admission": Engine("elasticquota.conformance.admission", _ADMISSION, compared=fields_of_causes),
    "kai-admission": Engine("kai.conformance.admission", (*_ADMISSION, "warnings"), compared=fields_of_causes),
}


def engine_named(name: str) -> Engine:
    """The engine of that name; raises ``UsageError`` for an unknown one."""
    if name in REPLAYS:
        return REPLAYS[name]
    near = get_close_matches(name, REPLAYS, n=1)
    remedy = f"did you mean `{near[0]}`?" if near else "there are " + ", ".join(f"`{known}`" for known in REPLAYS)
    raise UsageError(Problem(f"no recordings are called `{name}`", "--engine", remedy))
