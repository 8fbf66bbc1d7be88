"""SchedulingShards as KAI's operator turns them into a scheduler's settings.

Arguments written for a plugin replace those that the operator derives from the shard's own fields.
Source: KAI-Scheduler v0.17, ``kai.scheduler/v1``; "kai settings" in ``docs/laws.md``.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.model.objects import Shard
from kubectl_fairshare.schedulers.kai.model.usage import SLIDING
from kubectl_fairshare.schedulers.kai.reading.shard_checks import ACTIONS, refused_settings, running_actions

_SECOND: Final = 10**9
_UNITS: Final = {
    "w": 604800 * _SECOND,
    "d": 86400 * _SECOND,
    "h": 3600 * _SECOND,
    "m": 60 * _SECOND,
    "s": _SECOND,
    "ms": 10**6,
    "us": 10**3,
    "µs": 10**3,
    "ns": 1,
}
_SPAN: Final = re.compile(r"(\d+\.?\d*|\.\d+)(ms|us|µs|ns|w|d|h|m|s)")
_SPANS: Final = re.compile(rf"[+-]?({_SPAN.pattern})+")
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?[iI]nf", re.ASCII)
_TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_SPREAD: Final = "spread"
_STALE: Final = "stalegangeviction"
PLUGINS: Final[Mapping[str, Collection[str]]] = {
    **dict.fromkeys(("predicates", "priority", "nodeavailability", "resourcetype", "podaffinity", "elastic"), ()),
    **dict.fromkeys(("kubeflow", "ray", "subgrouporder", "taskorder", "nominatednode", "dynamicresources"), ()),
    **dict.fromkeys(("topology", "sg-nodelocalgreedy", "sg-multinodegang", "gpupack", "gpuspread"), ()),
    **dict.fromkeys(("gpusharingorder", "minruntime"), ()),
    "nodeplacement": (),
    "proportion": ("queuePriorityInQuotaReclaim",),
}
"""KAI's default plugins, each with the arguments that it reads and that are not modelled.

``queuePriorityInQuotaReclaim`` is read from release 0.18 on.
"""
_PLACING_ARGS: Final = (
    *("detailed-fit-errors", "feature-gates", "mig-worker-node-label-key", "nodepool-label-key"),
    *("partition-label-value", "resource-reservation-app-label", "restrict-node-scheduling", "scheduler-conf"),
    *("scheduler-name", "stuck-in-releasing-threshold"),
)
_JOB_SEARCH: Final = 240 * _SECOND
_ACTION_SEARCH: Final = 300 * _SECOND
_ANY_GENERATOR: Final = 120 * _SECOND
_GENERATOR_SEARCH: Final = {"NodeLocalGreedy": 30 * _SECOND}
MULTIPLIER: Final = "relcaimerSaturationMultiplier"
"""The key as KAI reads it, with its misspelling."""


def shard_of(manifest: Manifest) -> Shard:
    """The shard. Raises ``FairshareError`` for a field of another type than its own."""
    spec = root_of(manifest).at("spec")
    proportion, min_runtime, scatter = _proportion(spec), _min_runtime(spec), _node_placement(spec)
    args = {name: _argument(spec.at("args", name)) for name in spec.at("args").mapping()}
    depths = {
        name: spec.at("queueDepthPerAction", name).integer(0) for name in spec.at("queueDepthPerAction").mapping()
    }
    plugins = spec.at("plugins")
    disabled = tuple(sorted(n for n in plugins.mapping() if plugins.at(n, "enabled").value is False))
    multiplier = _number(proportion.get(MULTIPLIER), 1.0)
    return Shard(
        name=manifest.key.name,
        pool=spec.at("partitionLabelValue").text() or None,
        k=max(_number(proportion.get("kValue"), 1.0), 0.0),
        multiplier=multiplier if multiplier >= 1.0 else 1.0,
        preempt_min_runtime=span(min_runtime.get("defaultPreemptMinRuntime")),
        reclaim_min_runtime=span(min_runtime.get("defaultReclaimMinRuntime")),
        by_queue=min_runtime.get("reclaimResolveMethod") == "queue",
        protects="minruntime" not in disabled,
        full_hierarchy=_flag(args.get("full-hierarchy-fairness"), True),
        consolidating=_flag(args.get("allow-consolidating-reclaim"), True),
        restricted=_flag(args.get("restrict-node-scheduling"), False),
        depths=depths,
        disabled=disabled,
        spread_gpu=spec.at("placementStrategy", "gpu").text() == _SPREAD,
        scatter_gpu=scatter.get("gpu") == _SPREAD,
        scatter_cpu=scatter.get("cpu") == _SPREAD,
        moves=_whole(args.get("max-consolidation-preemptees"), 16),
        staleness=_grace(args.get("default-staleness-grace-period")),
        signatures=_flag(args.get("use-scheduling-signatures"), True),
        counts_usage=_counts_usage(spec.at("usageDBConfig")),
        actions=tuple(_actions(spec)),
        unmodelled=tuple(_unmodelled(spec)),
        budgets=tuple(_short_budgets(spec.at("scenarioSearchBudgets"))),
        refused=refused_settings(spec.mapping()),
        key=manifest.key,
    )


def _counts_usage(config: Field) -> bool:
    """Whether KAI knows past usage: every Prometheus rejects its queries for windows that do not slide."""
    return bool(config.mapping()) and config.at("usageParams", "windowType").text() in ("", SLIDING)


def _actions(spec: Field) -> Iterator[str]:
    """The modelled actions that are enabled, the highest priority first, equal ones by name."""
    modelled = ((name, ACTIONS[name]) for name in running_actions(spec.mapping()) if name in ACTIONS)
    ranked = [(-spec.at("actions", name, "priority").integer(priority), name) for name, priority in modelled]
    yield from (name for _, name in sorted(ranked) if name != _STALE)


def _unmodelled(spec: Field) -> Iterator[tuple[str, ...]]:
    """The fields that change how KAI places pods or looks for victims, and are not modelled."""
    for name in sorted(spec.at("plugins").mapping()):
        if name != "snapshot":
            plugin, default = spec.at("plugins", name), name not in _off(spec)
            yield from (("spec", "plugins", name, *path) for path in _of_plugin(name, plugin, default=default))
    for name in sorted(spec.at("actions").mapping()):
        if name not in ACTIONS and spec.at("actions", name, "enabled").value is not False:
            yield ("spec", "actions", name)
    for name in _PLACING_ARGS:
        if spec.at("args", name).value is not None and _argument(spec.at("args", name)) not in _FALSE:
            yield ("spec", "args", name)


def _off(spec: Field) -> Collection[str]:
    """The default plugins that the strategy for GPUs turns off."""
    spread = spec.at("placementStrategy", "gpu").text() == _SPREAD
    return ("gpupack", "gpusharingorder") if spread else ("gpuspread",)


def _of_plugin(name: str, plugin: Field, *, default: bool) -> Iterator[tuple[str, ...]]:
    enabled = plugin.at("enabled").value
    if name not in PLUGINS:
        yield from ((),) if enabled is not False else ()
        return
    if enabled is not None and enabled is not default and name != "minruntime":
        yield ("enabled",)
    if plugin.at("priority").value is not None:
        yield ("priority",)
    for argument in sorted(plugin.at("arguments").mapping()):
        if argument in PLUGINS[name]:
            yield ("arguments", argument)


def _proportion(spec: Field) -> dict[str, str]:
    given = spec.at("plugins", "proportion", "arguments")
    if given.value is not None:
        return given.texts()
    k = spec.at("kValue").value
    return {} if k is None else {"kValue": str(k)}


def _min_runtime(spec: Field) -> dict[str, str]:
    given = spec.at("plugins", "minruntime", "arguments")
    if given.value is not None:
        return given.texts()
    written = spec.at("minRuntime").texts()
    names = (("preemptMinRuntime", "defaultPreemptMinRuntime"), ("reclaimMinRuntime", "defaultReclaimMinRuntime"))
    return {argument: written[field] for field, argument in names if field in written}


def _node_placement(spec: Field) -> Mapping[str, str]:
    """The placement strategies of the plugin for nodes; it packs by default."""
    given = spec.at("plugins", "nodeplacement", "arguments")
    return spec.at("placementStrategy").texts() if given.value is None else given.texts()


def _short_budgets(budgets: Field) -> Iterator[tuple[str, ...]]:
    """The fields with a time limit below KAI's default; 0 sets no limit."""
    least: dict[tuple[str, ...], int] = {("maxJobSearchDuration",): _JOB_SEARCH}
    for name in budgets.at("maxActionSearchDuration").texts():
        least["maxActionSearchDuration", name] = _ACTION_SEARCH
    for name in budgets.at("maxGeneratorSearchDuration").texts():
        least["maxGeneratorSearchDuration", name] = _GENERATOR_SEARCH.get(name, _ANY_GENERATOR)
    for path, usual in sorted(least.items()):
        if 0 < span(budgets.at(*path).text() or None) < usual:
            yield ("spec", "scenarioSearchBudgets", *path)


def _argument(field: Field) -> str:
    value = field.value
    return str(value).lower() if isinstance(value, (bool, int)) else field.text()


def _number(text: str | None, default: float) -> float:
    return float(text) if text is not None and _NUMBER.fullmatch(text) else default


def _whole(text: str | None, default: int) -> int:
    return int(text) if text is not None and re.fullmatch(r"[+-]?\d{1,9}", text, re.ASCII) else default


def _grace(text: str | None) -> int:
    """How long a gang may run below its minimum, in nanoseconds; -1 without end."""
    if text is None or _SPANS.fullmatch(text) is None:
        return 60 * _SECOND
    return -1 if text.startswith("-") else span(text)


def _flag(text: str | None, default: bool) -> bool:
    return True if text in _TRUE else False if text in _FALSE else default


def span(text: str | None) -> int:
    """A duration with days and weeks, in nanoseconds; 0 for a negative or malformed one."""
    if text is None or _SPANS.fullmatch(text) is None or text.startswith("-"):
        return 0
    return int(sum(float(number) * _UNITS[unit] for number, unit in _SPAN.findall(text)))
