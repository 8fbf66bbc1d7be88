"""Settings for which KAI's operator rejects a SchedulingShard: the scheduler keeps the settings that it had before.

Values of another type count as absent: the API server rejects those.
Source: KAI-Scheduler v0.17, ``pkg/operator/operands/scheduler``. Tested in
``tests/unit/schedulers/kai/rules/test_actions.py``.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, mapping

ACTIONS: Final = {"allocate": 500, "consolidation": 400, "reclaim": 300, "preempt": 200, "stalegangeviction": 100}
"""KAI's actions with their default priorities."""
_CONSOLIDATION: Final = "consolidation"
_BUDGETED: Final = ("default", "reclaim", "preempt", "consolidation")
_DEPTHS: Final = "queueDepthPerAction"
BUDGETS: Final = "scenarioSearchBudgets"
_BY_ACTION: Final = (BUDGETS, "maxActionSearchDuration")
SHORTEST: Final = (BUDGETS, "minJobSearchDuration")
LONGEST: Final = (BUDGETS, "maxJobSearchDuration")
DEFAULT_LONGEST: Final = "4m"
_NAMED_BUDGETS: Final = (_BY_ACTION[-1], "maxGeneratorSearchDuration")
_JOB_BUDGETS: Final = (SHORTEST[-1], LONGEST[-1])
_PARAMS: Final = ("usageDBConfig", "usageParams")
_USAGE: Final = ("halfLifePeriod", "fetchInterval", "stalenessPeriod", "waitTimeout")


class UnusableKey(NamedTuple):
    """A key that names no action at its place, and the names that are allowed there."""

    path: FieldPath
    allowed: tuple[str, ...]


def refused_settings(spec: JsonObject) -> tuple[FieldPath, ...]:
    """The fields for which the operator rejects a shard, below its spec."""
    crossing = [SHORTEST] if has_crossing_budgets(spec) else []
    unread = (path for path, _ in undecodable_spans(spec))
    return (*(each.path for each in unusable_keys(spec)), *unread, *negative_budgets(spec), *crossing)


def undecodable_spans(spec: JsonObject) -> Iterator[tuple[FieldPath, Json]]:
    """The durations that Go cannot read, so that the operator cannot decode the shard, each with its text."""
    for path, text in _spans(spec):
        if text is not None and _span(str(text)) is None:
            yield path, text


def _spans(spec: JsonObject) -> Iterator[tuple[FieldPath, Json]]:
    params, budgets = mapping(spec, *_PARAMS), mapping(spec, BUDGETS)
    yield from (((*_PARAMS, name), params[name]) for name in _USAGE if name in params)
    for name, value in budgets.items():
        if name in _NAMED_BUDGETS:
            yield from (((BUDGETS, name, each), text) for each, text in mapping(value).items())
        elif name in _JOB_BUDGETS:
            yield (BUDGETS, name), value


def unusable_keys(spec: JsonObject) -> Iterator[UnusableKey]:
    """The keys of limits and budgets that name no action which has one."""
    running = running_actions(spec)
    for name in mapping(spec, _DEPTHS):
        if name not in running:
            yield UnusableKey((_DEPTHS, name), running)
    for name in mapping(spec, *_BY_ACTION):
        if name not in _BUDGETED:
            yield UnusableKey((*_BY_ACTION, name), _BUDGETED)


def running_actions(spec: JsonObject) -> tuple[str, ...]:
    """The actions that run, in no order. Consolidation is off when pods are spread, unless the shard turns it on."""
    strategy = mapping(spec, "placementStrategy")
    spread = "spread" in (strategy.get("gpu"), strategy.get("cpu"))
    enabled = {name: not (spread and name == _CONSOLIDATION) for name in ACTIONS}
    for name, setting in mapping(spec, "actions").items():
        written = mapping(setting).get("enabled")
        enabled[name] = written if isinstance(written, bool) else enabled.get(name, True)
    return tuple(name for name, runs in enabled.items() if runs)


def negative_budgets(spec: JsonObject) -> Iterator[FieldPath]:
    """The budgets below 0."""
    for path, text in _spans(spec):
        if path[0] == BUDGETS and (_span(text) or 0) < 0:
            yield path


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
