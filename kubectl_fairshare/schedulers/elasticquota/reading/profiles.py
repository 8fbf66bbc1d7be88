"""The profiles that run CapacityScheduling, and the settings in them that change its decisions.

Source: ``kubescheduler.config.k8s.io``; the default plugins of Kubernetes 1.35.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER
from kubectl_fairshare.schedulers.elasticquota.reading.scheduler_configuration import scheduler_configurations

_PLUGIN: Final = "CapacityScheduling"
_RIVAL: Final = "DefaultPreemption"
_ALL: Final = "*"
_MULTI: Final = "multiPoint"
_NAMING: Final = (_MULTI, "preFilter", "postFilter")
_OWN_POINTS: Final = ("preFilter", "postFilter", "reserve")
_FILTERS: Final = frozenset({"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodeResourcesFit"})
_DEFAULTS: Final = _FILTERS | {
    *("SchedulingGates", "PrioritySort", "NodePorts", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding"),
    *("VolumeZone", "PodTopologySpread", "InterPodAffinity", "NodeResourcesBalancedAllocation", "ImageLocality"),
    *("DefaultBinder", "DynamicResources", _RIVAL, _PLUGIN),
}
_DECIDING: Final = (_MULTI, "preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "reserve", "permit")
_ARGUMENTS: Final = {
    "NodeResourcesFit": ("ignoredResources", "ignoredResourceGroups"),
    "NodeAffinity": ("addedAffinity",),
}

Alterations = Mapping[str, Place]


def profiles_of(manifests: Iterable[Manifest], problems: list[Problem]) -> tuple[tuple[str, ...] | None, Alterations]:
    """The names of the profiles with the plugin, and what changes their decisions, by name.

    The names are None without a configuration. Unreadable ones are added to ``problems``.
    """
    names: list[str] = []
    altered: dict[str, Place] = {}
    seen = False
    for place, data in scheduler_configurations(manifests):
        root = Field(place.object, place.path, data)
        try:
            for profile in root.at("profiles").entries():
                if any(_PLUGIN in _names(profile, point, "enabled") for point in _NAMING):
                    name = profile.at("schedulerName").text(DEFAULT_SCHEDULER)
                    names.append(name)
                    if (where := next(alterations(root, profile), None)) is not None:
                        altered[name] = where
        except FairshareError as error:
            problems.extend(error.problems)
        else:
            seen = True
    return tuple(sorted(names)) if seen else None, dict(sorted(altered.items()))


def alterations(root: Field, profile: Field) -> Iterator[Place]:
    """The fields for which a profile decides differently from the default plugins with CapacityScheduling."""
    if root.at("extenders").entries():
        yield root.at("extenders").place
    plugins = profile.at("plugins")
    if not all(_runs(profile, point, _PLUGIN, default=False) for point in _OWN_POINTS):
        yield plugins.place
    if _runs(profile, "postFilter", _RIVAL, default=True):
        yield plugins.place
    for point in _DECIDING:
        if _names(profile, point, "enabled") - _DEFAULTS:
            yield plugins.at(point).place
    for point in (_MULTI, "preFilter", "filter"):
        if _names(profile, point, "disabled") & (_FILTERS | {_ALL}):
            yield plugins.at(point).place
    for config in profile.at("pluginConfig").entries():
        for name in _ARGUMENTS.get(config.at("name").text(), ()):
            if config.at("args", name).value:
                yield config.at("args", name).place


def _runs(profile: Field, point: str, plugin: str, *, default: bool) -> bool:
    """Whether a plugin runs at an extension point. ``default``: it runs unless it is disabled."""
    if plugin in _names(profile, point, "enabled"):
        return True
    if {plugin, _ALL} & _names(profile, point, "disabled"):
        return False
    if plugin in _names(profile, _MULTI, "enabled"):
        return True
    return default and not {plugin, _ALL} & _names(profile, _MULTI, "disabled")


def _names(profile: Field, point: str, which: str) -> set[str]:
    return {entry.at("name").text() for entry in profile.at("plugins", point, which).entries()}
