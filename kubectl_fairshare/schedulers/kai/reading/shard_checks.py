"""Settings for which KAI's operator rejects a SchedulingShard: the scheduler keeps the settings that it had before.

Values of another type count as absent: the API server rejects those.
Source: KAI-Scheduler v0.17, ``pkg/operator/operands/scheduler``. Tested in
``tests/unit/schedulers/kai/rules/test_actions.py``.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, mapping

ACTIONS: Final = ("allocate", "consolidation", "reclaim", "preempt", "stalegangeviction")
_CONSOLIDATION: Final = "consolidation"
_BUDGETED: Final = ("default", "reclaim", "preempt", "consolidation")
_DEPTHS: Final = "queueDepthPerAction"
BUDGETS: Final = "scenarioSearchBudgets"
_BY_ACTION: Final = (BUDGETS, "maxActionSearchDuration")
SHORTEST: Final = (BUDGETS, "minJobSearchDuration")
LONGEST: Final = (BUDGETS, "maxJobSearchDuration")
DEFAULT_LONGEST: Final = "4m"


class UnusableKey(NamedTuple):
    """A key that names no action at its place, and the names that are allowed there."""

    path: FieldPath
    allowed: tuple[str, ...]


def refused_settings(spec: JsonObject) -> tuple[FieldPath, ...]:
    """The fields for which the operator rejects a shard, below its spec."""
    crossing = [SHORTEST] if has_crossing_budgets(spec) else []
    return (*(each.path for each in unusable_keys(spec)), *negative_budgets(spec), *crossing)


def unusable_keys(spec: JsonObject) -> Iterator[UnusableKey]:
    """The keys of limits and budgets that name no action which has one."""
    running = _running(spec)
    for name in mapping(spec, _DEPTHS):
        if name not in running:
            yield UnusableKey((_DEPTHS, name), running)
    for name in mapping(spec, *_BY_ACTION):
        if name not in _BUDGETED:
            yield UnusableKey((*_BY_ACTION, name), _BUDGETED)


def _running(spec: JsonObject) -> tuple[str, ...]:
    """The actions that run. Consolidation is off when pods are spread, unless the shard turns it on."""
    strategy = mapping(spec, "placementStrategy")
    spread = "spread" in (strategy.get("gpu"), strategy.get("cpu"))
    enabled = {name: not (spread and name == _CONSOLIDATION) for name in ACTIONS}
    for name, setting in mapping(spec, "actions").items():
        written = mapping(setting).get("enabled")
        enabled[name] = written if isinstance(written, bool) else enabled.get(name, True)
    return tuple(name for name, runs in enabled.items() if runs)


def negative_budgets(spec: JsonObject) -> Iterator[FieldPath]:
    """The budgets below 0."""
    for field, value in mapping(spec, BUDGETS).items():
        if isinstance(value, dict):
            yield from ((BUDGETS, field, name) for name, each in value.items() if (_span(each) or 0) < 0)
        elif (_span(value) or 0) < 0:
            yield BUDGETS, field


def has_crossing_budgets(spec: JsonObject) -> bool:
    """Whether the minimum for a job is not below the maximum; a maximum of 0 sets no limit."""
    budgets = mapping(spec, BUDGETS)
    least = _span(budgets.get(SHORTEST[-1])) or 0
    most = _span(budgets.get(LONGEST[-1], DEFAULT_LONGEST))
    return most is not None and 0 < most <= least


def _span(text: Json) -> int | None:
    try:
        return nanoseconds(text) if isinstance(text, str) else None
    except ValueError:
        return None
