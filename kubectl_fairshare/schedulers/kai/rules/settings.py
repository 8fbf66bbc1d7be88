"""Settings of a SchedulingShard that KAI silently ignores."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Insert, Remedy, Rename
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.spelling import nearest, same_letters
from kubectl_fairshare.model.json import Json, JsonObject, inside, mapping
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven

_MULTIPLIER: Final = "relcaimerSaturationMultiplier"
_MISREAD: Final = ("reclaimerUtilizationMultiplier", "reclaimerSaturationMultiplier")
_ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "proportion": ("kValue", _MULTIPLIER),
    "minruntime": ("defaultReclaimMinRuntime", "defaultPreemptMinRuntime", "reclaimResolveMethod"),
}
_EXTRA: Final = (
    "usageQueryTimeout",
    "queryResolution",
    *(f"{resource}{what}Metric" for resource in ("gpu", "cpu", "memory") for what in ("Allocation", "Capacity")),
)
_METHODS: Final = ("lca", "queue")
_SPAN: Final = r"[+]?((\d+\.?\d*|\.\d+)(ms|us|µs|ns|w|d|h|m|s))+"
_NUMBER: Final = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
_DEFAULTS: Final = (1, "0", "0s")
_DROPPED: Final = (
    ("proportion", ("kValue",), "kValue"),
    ("minruntime", ("minRuntime", "preemptMinRuntime"), "defaultPreemptMinRuntime"),
    ("minruntime", ("minRuntime", "reclaimMinRuntime"), "defaultReclaimMinRuntime"),
)


def shards(given: KaiGiven) -> Iterator[tuple[Examined, JsonObject]]:
    """The shards that the API server accepts, each with its spec."""
    for examined in given.of("SchedulingShard", CONFIG_GROUP):
        if examined.stored is not None:
            yield examined, examined.spec


def _arguments(spec: JsonObject, plugin: str) -> JsonObject | None:
    """The arguments written for a plugin; None if the operator makes them."""
    found = inside(spec, "plugins", plugin, "arguments")
    return found if isinstance(found, dict) else None


@warning_rule("A020")
def unknown_argument(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each argument of a plugin whose arguments are known, and for each extra parameter of usage."""
    for examined, spec in shards(given):
        for plugin, known in _ARGUMENTS.items():
            path = ("spec", "plugins", plugin, "arguments")
            for name in _arguments(spec, plugin) or ():
                if name not in known and name not in _MISREAD:
                    yield _unknown(examined, path, name, known, f"plugin {plugin} does not read the argument `{name}`")
        usage = mapping(spec, "usageDBConfig", "usageParams")
        for name in mapping(usage, "extraParams"):
            if name not in _EXTRA:
                path = ("spec", "usageDBConfig", "usageParams", "extraParams")
                yield _unknown(examined, path, name, _EXTRA, f"usage has no extra parameter `{name}`")


def _unknown(examined: Examined, path: tuple[str, ...], name: str, known: tuple[str, ...], message: str) -> Finding:
    place = examined.at(*path, name)
    meant = nearest(name, known)
    if meant is None:
        return Finding(place, message, Remedy(f"write one of {', '.join(f'`{each}`' for each in known[:4])}"))
    return Finding(place, message, Remedy(f"write `{meant}`", (Rename(place, meant),), same_letters(name, meant)))


@warning_rule("A025")
def multiplier_never_read(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each key that is meant as the multiplier."""
    for examined, spec in shards(given):
        arguments = _arguments(spec, "proportion") or {}
        for name in _MISREAD:
            if name in arguments:
                place = examined.at("spec", "plugins", "proportion", "arguments", name)
                edits: tuple[Edit, ...] = () if _MULTIPLIER in arguments else (Rename(place, _MULTIPLIER),)
                yield Finding(
                    place,
                    f"KAI does not read `{name}`: the multiplier stays {arguments.get(_MULTIPLIER, '1')}",
                    Remedy(f"write `{_MULTIPLIER}`, with KAI's misspelling", edits, safe=bool(edits)),
                    evidence=(("written", f"{arguments[name]}"), ("in force", f"{arguments.get(_MULTIPLIER, '1')}")),
                )


@warning_rule("A026")
def value_passed_over(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each setting."""
    for examined, spec in shards(given):
        k = spec.get("kValue")
        if isinstance(k, int | float) and k < 0:
            yield _passed(examined, ("spec", "kValue"), k, "0")
        for field in ("preemptMinRuntime", "reclaimMinRuntime"):
            text = inside(spec, "minRuntime", field)
            if text is not None and not _is(_SPAN, text):
                yield _passed(examined, ("spec", "minRuntime", field), text, "0s")
        for plugin in _ARGUMENTS:
            for name, value in (_arguments(spec, plugin) or {}).items():
                taken = _effective_value(name, value)
                if taken is not None:
                    yield _passed(examined, ("spec", "plugins", plugin, "arguments", name), value, taken)


def _effective_value(name: str, value: Json) -> str | None:
    """The value that KAI uses instead of an argument's value; None if it uses the value."""
    if name == "kValue":
        return "1" if not _is(_NUMBER, value) else "0" if float(value) < 0 else None
    if name == _MULTIPLIER:
        return "1" if not _is(_NUMBER, value) or float(value) < 1 else None
    if name.endswith("MinRuntime"):
        return None if _is(_SPAN, value) else "0s"
    return "lca" if name == "reclaimResolveMethod" and value not in _METHODS else None


def _is(pattern: str, value: Json) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None


def _passed(examined: Examined, path: tuple[str, ...], value: Json, taken: str) -> Finding:
    return Finding(
        examined.at(*path),
        f"KAI ignores `{value}` and uses {taken}",
        Remedy("write a value that KAI accepts"),
        evidence=(("written", f"{value}"), ("in force", taken)),
    )


@warning_rule("A027")
def arguments_drop_setting(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each setting."""
    for examined, spec in shards(given):
        for plugin, path, argument in _DROPPED:
            value = inside(spec, *path)
            arguments = _arguments(spec, plugin)
            if value is None or arguments is None or argument in arguments or value in _DEFAULTS:
                continue
            place = examined.at("spec", "plugins", plugin, "arguments")
            yield Finding(
                examined.at("spec", *path),
                f"{path[-1]} `{value}` has no effect: the arguments of plugin {plugin} replace it",
                Remedy(f"write `{argument}` among these arguments", (Insert(place, argument, f"{value}"),), safe=True),
                evidence=((path[-1], f"{value}"),),
            )


@info_rule("A033")
def k_without_usage(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each shard with kValue and without usage."""
    for examined, spec in shards(given):
        if spec.get("kValue") not in (None, *_DEFAULTS) and not mapping(spec, "usageDBConfig"):
            yield Finding(
                examined.at("spec", "kValue"),
                f"kValue is `{spec['kValue']}`, but without usageDBConfig every k gives the same shares",
                Remedy("set usageDBConfig, or remove kValue"),
            )
