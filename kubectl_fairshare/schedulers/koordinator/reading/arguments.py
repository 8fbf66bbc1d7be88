"""The plugin's arguments and the profiles that run it, from KubeSchedulerConfigurations.

Source: koordinator v1.8.0, ``ElasticQuotaArgs`` and its defaults.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.input.text.scheduler_configuration import enabled_at, runs
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import amounts_of
from kubectl_fairshare.schedulers.koordinator.model.objects import DEFAULT_SCHEDULER, Arguments

PLUGIN: Final = "ElasticQuota"
_RIVAL: Final = "DefaultPreemption"
POINTS: Final = ("multiPoint", "preFilter", "postFilter", "reserve")
"""The extension points at which a profile names the plugin."""
_FILTERS: Final = frozenset({"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodeResourcesFit"})
_KNOWN: Final = _FILTERS | {
    *("SchedulingGates", "PrioritySort", "NodePorts", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding"),
    *("VolumeZone", "PodTopologySpread", "InterPodAffinity", "NodeResourcesBalancedAllocation", "ImageLocality"),
    *("DefaultBinder", "DynamicResources", _RIVAL, "Coscheduling", "Reservation", "NodeNUMAResource"),
    *(
        "DeviceShare",
        "LoadAwareScheduling",
        PLUGIN,
        "DefaultPreBind",
        "NodeResourcesFitPlus",
        "ScarceResourceAvoidance",
        "SchedulingHint",
    ),
    *("EBSLimits", "GCEPDLimits", "AzureDiskLimits"),
}
"""Plugins that Koordinator's chart enables, or whose decisions are gaps of their own."""
LOAD_AWARE: Final = "LoadAwareScheduling"
_DECIDING: Final = ("multiPoint", "preEnqueue", "preFilter", "filter", "postFilter", "reserve", "permit")
FILTERS: Final = ("DeviceShare", LOAD_AWARE, "NodeNUMAResource", "Reservation")
"""Koordinator's filters that are not reproduced: each is a gap where it runs and finds something to decide on."""
_THRESHOLDS: Final = (("usageThresholds",), ("prodUsageThresholds",), ("aggregated", "usageThresholds"))
_ARGUMENTS: Final = {
    "NodeResourcesFit": ("ignoredResources", "ignoredResourceGroups"),
    "NodeAffinity": ("addedAffinity",),
    "PodTopologySpread": ("defaultConstraints",),
}


class PluginSettings(Value):
    """What the configurations say of the plugin: its arguments, by profile, and what changes decisions.

    ``alone`` are the profiles without DefaultPreemption, and ``early`` those in which it runs before the plugin.
    ``idle`` has Koordinator's other filters that do not run in a profile, or let every pod pass.
    """

    arguments: dict[str, Arguments] = field(default_factory=dict)
    altered: dict[str, Place] = field(default_factory=dict)
    alone: set[str] = field(default_factory=set)
    early: set[str] = field(default_factory=set)
    idle: dict[str, frozenset[str]] = field(default_factory=dict)
    seen: bool = False

    @property
    def profiles(self) -> tuple[str, ...] | None:
        """The profiles that run the plugin; None without a configuration."""
        return tuple(sorted(self.arguments)) if self.seen else None

    @property
    def chosen(self) -> Arguments:
        """The arguments of Koordinator's usual profile, otherwise of the first one."""
        found = self.arguments
        name = DEFAULT_SCHEDULER if DEFAULT_SCHEDULER in found else min(found, default="")
        return found.get(name, Arguments())

    @property
    def rival(self) -> Place | None:
        """The arguments of another profile that differ from the chosen ones."""
        return next((a.place for _, a in sorted(self.arguments.items()) if _differ(a, self.chosen)), None)

    def written_at(self, place_of: Callable[[Place], Place]) -> "PluginSettings":
        """The same, with the places of fields as ``place_of`` gives them."""
        arguments = {name: replace(a, place=a.place and place_of(a.place)) for name, a in self.arguments.items()}
        return replace(self, arguments=arguments, altered={name: place_of(at) for name, at in self.altered.items()})


def _differ(a: Arguments, b: Arguments) -> bool:
    names_of = [name for name in Arguments.__struct_fields__ if name not in ("place", "given")]
    return a.place is not None and any(getattr(a, name) != getattr(b, name) for name in names_of)


def configured(configurations: Iterable[Field], problems: list[Problem]) -> PluginSettings:
    """What KubeSchedulerConfigurations say. Unreadable ones are added to ``problems``."""
    found = PluginSettings()
    for root in configurations:
        try:
            for profile in root.at("profiles").entries():
                if any(PLUGIN in enabled_at(profile, point) for point in POINTS):
                    name = profile.at("schedulerName").text("default-scheduler")
                    found.arguments[name] = _arguments(profile)
                    if not runs(profile, "postFilter", _RIVAL, default=True):
                        found.alone.add(name)
                    elif _turn(profile, _RIVAL, usual=True) < _turn(profile, PLUGIN, usual=False):
                        found.early.add(name)
                    found.idle[name] = frozenset(each for each in FILTERS if not _filters(profile, each))
                    if (where := next(_alterations(root, profile), None)) is not None:
                        found.altered[name] = where
        except FairshareError as error:
            problems.extend(error.problems)
        else:
            found.seen = True
    return found


def _turn(profile: Field, plugin: str, *, usual: bool) -> tuple[int, int]:
    """The place of a plugin in the order of the point ``postFilter``. ``usual``: it is one of Kubernetes' defaults.

    Plugins of both lists come first, in the order of the point's own list; then those of ``multiPoint``, defaults
    first; then those of the own list alone. If the point disables ``*``, only its own list counts.
    Source: Kubernetes 1.35, ``expandMultiPointPlugins``.
    """
    own = [entry.at("name").text() for entry in profile.at("plugins", "postFilter", "enabled").entries()]
    several = [entry.at("name").text() for entry in profile.at("plugins", "multiPoint", "enabled").entries()]
    standing = usual and not {plugin, "*"} & enabled_at(profile, "multiPoint", "disabled")
    everywhere = standing or plugin in several
    if "*" in enabled_at(profile, "postFilter", "disabled"):
        return (0, own.index(plugin) if plugin in own else 0)
    if plugin in own:
        return (0 if everywhere else 2, own.index(plugin))
    return (1, -1 if standing or plugin not in several else several.index(plugin))


def _filters(profile: Field, plugin: str) -> bool:
    """Whether one of Koordinator's filters runs; the one of load only with thresholds, which it has by default.

    The thresholds of the plugin's defaults are 65 % of cpu and 95 % of memory; a 0 limits nothing.
    """
    if not any(runs(profile, point, plugin, default=False) for point in ("preFilter", "filter")):
        return False
    configs = [c.at("args") for c in profile.at("pluginConfig").entries() if c.at("name").text() == plugin]
    if plugin != LOAD_AWARE or not configs or not configs[0].at("usageThresholds").mapping():
        return True
    return any(any(configs[0].at(*path).mapping().values()) for path in _THRESHOLDS)


def _alterations(root: Field, profile: Field) -> Iterator[Place]:
    """The fields for which a profile decides differently from the plugins that are reproduced."""
    if root.at("extenders").entries():
        yield root.at("extenders").place
    if not all(runs(profile, point, PLUGIN, default=False) for point in ("preFilter", "postFilter", "reserve")):
        yield profile.at("plugins").place
    for point in _DECIDING:
        if enabled_at(profile, point) - _KNOWN:
            yield profile.at("plugins", point).place
    for point in ("multiPoint", "preFilter", "filter"):
        if enabled_at(profile, point, "disabled") & _FILTERS - enabled_at(profile, point):
            yield profile.at("plugins", point).place
    for config in profile.at("pluginConfig").entries():
        for name in _ARGUMENTS.get(config.at("name").text(), ()):
            if config.at("args", name).value:
                yield config.at("args", name).place


def _arguments(profile: Field) -> Arguments:
    configs = [config for config in profile.at("pluginConfig").entries() if config.at("name").text() == PLUGIN]
    return arguments_of(configs[0].at("args")) if configs else Arguments()


def arguments_of(args: Field) -> Arguments:
    """The arguments with their defaults. Raises ``FairshareError`` for fields of the wrong type."""
    usual = Arguments()
    return Arguments(
        default_max=_amounts(args.at("defaultQuotaGroupMax")) or usual.default_max,
        system_max=_amounts(args.at("systemQuotaGroupMax")) or usual.system_max,
        home=args.at("quotaGroupNamespace").text(names.HOME) or names.HOME,
        monitors_all=args.at("monitorAllQuotas").flag(),
        checks_parents=args.at("enableCheckParentQuota").flag(),
        uses_runtime=_flag(args.at("enableRuntimeQuota"), default=True),
        scales_min=_flag(args.at("enableMinQuotaScale"), default=True),
        spares_default=_flag(args.at("disableDefaultQuotaPreemption"), default=True),
        hooks=tuple(hook.at("key").text() or "hook" for hook in args.at("hookPlugins").entries()),
        place=args.place,
        given=frozenset(args.mapping()),
    )


def _flag(field: Field, *, default: bool) -> bool:
    return default if field.value is None else field.flag()


def _amounts(field: Field) -> Mapping[str, object]:
    """A resource list. Raises ``FairshareError`` for malformed and negative quantities: then no scheduler starts."""
    amounts = field.mapping()
    for resource in amounts:
        field.at(resource).nano(native=False)
    amounts_of(amounts)
    return amounts
