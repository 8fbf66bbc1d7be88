"""The profiles that run CapacityScheduling, and the settings in them that change its decisions.

Source: ``kubescheduler.config.k8s.io``; the default plugins of Kubernetes 1.35.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.input.text.scheduler_configuration import enabled_at, runs
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER

PLUGIN: Final = "CapacityScheduling"
RIVAL: Final = "DefaultPreemption"
_ALL: Final = "*"
_MULTI: Final = "multiPoint"
NAMING: Final = (_MULTI, "preFilter", "postFilter")
"""The extension points at which a profile names the plugin."""
OWN_POINTS: Final = ("preFilter", "postFilter", "reserve")
_FILTERS: Final = frozenset({"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodeResourcesFit"})
_DEFAULTS: Final = _FILTERS | {
    *("SchedulingGates", "PrioritySort", "NodePorts", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding"),
    *("VolumeZone", "PodTopologySpread", "InterPodAffinity", "NodeResourcesBalancedAllocation", "ImageLocality"),
    *("DefaultBinder", "DynamicResources", RIVAL, PLUGIN),
}
_DECIDING: Final = (_MULTI, "preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "reserve", "permit")
_ARGUMENTS: Final = {
    "NodeResourcesFit": ("ignoredResources", "ignoredResourceGroups"),
    "NodeAffinity": ("addedAffinity",),
    "PodTopologySpread": ("defaultConstraints",),
}

Alterations = Mapping[str, Place]


def profiles_of(configurations: Iterable[Field], problems: list[Problem]) -> tuple[tuple[str, ...] | None, Alterations]:
    """The names of the profiles with the plugin, and what changes their decisions, by name.

    The names are None without a configuration. Unreadable ones are added to ``problems``.
    """
    names: list[str] = []
    altered: dict[str, Place] = {}
    seen = False
    for root in configurations:
        try:
            for profile in root.at("profiles").entries():
                if any(PLUGIN in enabled_at(profile, point) for point in NAMING):
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
    if not all(runs(profile, point, PLUGIN, default=False) for point in OWN_POINTS):
        yield plugins.place
    if runs(profile, "postFilter", RIVAL, default=True):
        yield plugins.place
    for point in _DECIDING:
        if enabled_at(profile, point) - _DEFAULTS:
            yield plugins.at(point).place
    for point in (_MULTI, "preFilter", "filter"):
        if enabled_at(profile, point, "disabled") & (_FILTERS | {_ALL}):
            yield plugins.at(point).place
    for config in profile.at("pluginConfig").entries():
        for name in _ARGUMENTS.get(config.at("name").text(), ()):
            if config.at("args", name).value:
                yield config.at("args", name).place
