"""Scheduler profiles that run CapacityScheduling only in part."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Insert, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.json import JsonObject, mapping, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven

_PLUGIN: Final = "CapacityScheduling"
_RIVAL: Final = "DefaultPreemption"
_ALL: Final = "*"
_MULTI: Final = "multiPoint"
_POINTS: Final = ("preFilter", "postFilter", "reserve")


@error_rule("E029")
def profile_incomplete(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each missing part, in each profile that names the plugin."""
    for scheduler in given.schedulers:
        for index, profile in enumerate(rows(scheduler.data, "profiles")):
            plugins = mapping(profile, "plugins")
            if any(_PLUGIN in _names(plugins, p, "enabled") for p in (_MULTI, *_POINTS)):
                yield from _lacks(scheduler.at("profiles", index, "plugins"), plugins)


def _lacks(place: Place, plugins: JsonObject) -> Iterator[Finding]:
    missing = [point for point in _POINTS if not _runs(plugins, point, _PLUGIN, default=False)]
    if missing:
        yield Finding(
            place,
            f"{_PLUGIN} does not run at {few(missing)}",
            Remedy(f"enable it under {few(missing)}", tuple(_enabling(place, plugins, missing))),
            evidence=(("missing", ", ".join(missing)),),
        )
    elif _runs(plugins, "postFilter", _RIVAL, default=True):
        inside = Place(place.object, (*place.path, "postFilter")) if "postFilter" in plugins else place
        yield Finding(
            inside,
            f"{_RIVAL} runs before {_PLUGIN} and evicts by priority, across all quotas",
            Remedy(f"disable {_RIVAL} under `postFilter`", tuple(_disabling(inside, plugins))),
        )


def _runs(plugins: JsonObject, point: str, plugin: str, *, default: bool) -> bool:
    """Whether a plugin runs at an extension point. ``default``: it runs unless it is disabled."""
    if plugin in _names(plugins, point, "enabled"):
        return True
    if {plugin, _ALL} & _names(plugins, point, "disabled"):
        return False
    if plugin in _names(plugins, _MULTI, "enabled"):
        return True
    return default and not {plugin, _ALL} & _names(plugins, _MULTI, "disabled")


def _names(plugins: JsonObject, point: str, which: str) -> set[str]:
    names = (each.get("name") for each in rows(plugins, point, which))
    return {name for name in names if isinstance(name, str)}


def _enabling(place: Place, plugins: JsonObject, missing: list[str]) -> Iterator[Edit]:
    for point in missing:
        if point not in plugins:
            yield Insert(place, point, {"enabled": [{"name": _PLUGIN}]})


def _disabling(place: Place, plugins: JsonObject) -> Iterator[Edit]:
    disabled = [{"name": _RIVAL}]
    if "postFilter" not in plugins:
        yield Insert(place, "postFilter", {"disabled": disabled})
    elif isinstance(plugins["postFilter"], dict) and "disabled" not in plugins["postFilter"]:
        yield Insert(place, "disabled", disabled)
