"""Settings for which KAI's operator rejects a SchedulingShard."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.finding import Finding, Related, Remedy, Rename
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.spelling import respelt
from kubectl_fairshare.model.json import Json, JsonObject, mapping
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.settings import shards

_ACTIONS: Final = ("allocate", "consolidation", "reclaim", "preempt", "stalegangeviction")
_CONSOLIDATION: Final = "consolidation"
_BUDGETS: Final = "scenarioSearchBudgets"


@error_rule("A032")
def action_not_enabled(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each key of queueDepthPerAction and of the budgets of actions."""
    for examined, spec in shards(given):
        running = _running(spec)
        budgets = mapping(spec, _BUDGETS, "maxActionSearchDuration")
        for name in mapping(spec, "queueDepthPerAction"):
            if name not in running:
                yield _idle(examined, ("spec", "queueDepthPerAction", name), running)
        for name in budgets:
            if name not in _ACTIONS:
                yield _idle(examined, ("spec", _BUDGETS, "maxActionSearchDuration", name), list(_ACTIONS))


def _running(spec: JsonObject) -> list[str]:
    """The actions that run. Consolidation is off when pods are spread, unless the shard turns it on."""
    strategy = mapping(spec, "placementStrategy")
    spread = "spread" in (strategy.get("gpu"), strategy.get("cpu"))
    enabled = {name: not (spread and name == _CONSOLIDATION) for name in _ACTIONS}
    for name, setting in mapping(spec, "actions").items():
        if isinstance(mapping(setting).get("enabled"), bool):
            enabled[name] = setting["enabled"]
    return [name for name, runs in enabled.items() if runs]


def _idle(examined: Examined, path: tuple[str, ...], running: list[str]) -> Finding:
    name, place = path[-1], examined.at(*path)
    state = "is not enabled in this shard" if name in _ACTIONS else "is not an action of KAI"
    remedy = respelt(place, name, running, f"name one of {', '.join(f'`{each}`' for each in running)}", Rename)
    return Finding(place, f"`{name}` {state}: the operator rejects the shard", remedy)


@error_rule("A036")
def search_budget(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each negative budget, and one if the minimum is not below the maximum."""
    for examined, spec in shards(given):
        budgets = mapping(spec, _BUDGETS)
        for path, span in _spans(budgets):
            if span < 0:
                place = examined.at("spec", _BUDGETS, *path)
                yield Finding(place, f"the budget `{path[-1]}` is negative", Remedy("write 0s or more"))
        shortest, longest = (budgets.get(f"{name}JobSearchDuration") for name in ("min", "max"))
        least, most = _span(shortest), _span(longest)
        if least is not None and most is not None and 0 <= most <= least:
            yield Finding(
                examined.at("spec", _BUDGETS, "minJobSearchDuration"),
                f"`{shortest}` is not below maxJobSearchDuration, `{longest}`",
                Remedy("write less than maxJobSearchDuration"),
                related=(Related("the maximum is here", examined.at("spec", _BUDGETS, "maxJobSearchDuration")),),
            )


def _spans(budgets: JsonObject) -> Iterator[tuple[tuple[str, ...], int]]:
    for field, value in budgets.items():
        named = {(field, name): each for name, each in value.items()} if isinstance(value, dict) else {(field,): value}
        for path, text in named.items():
            span = _span(text)
            if span is not None:
                yield path, span


def _span(text: Json) -> int | None:
    try:
        return nanoseconds(text) if isinstance(text, str) else None
    except ValueError:
        return None
