"""Usage over time: windows that never work, and sources that do not exist."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy, Remove, Replace, Severity
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.lint.words.spelling import respelt
from kubectl_fairshare.model.json import JsonObject, mapping
from kubectl_fairshare.schedulers.kai.model.cron import schedule
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.settings import shards

_PATH: Final = ("spec", "usageDBConfig")
_PARAMS: Final = (*_PATH, "usageParams")
_SLIDING, _TUMBLING, _CRON = "sliding", "tumbling", "cron"
_WINDOWS: Final = (_SLIDING, _TUMBLING, _CRON)
_CLIENTS: Final = ("prometheus", "fake", "fake-with-history")


def _usages(given: KaiGiven) -> Iterator[tuple[Examined, JsonObject, JsonObject, str]]:
    """Every shard with usage: its configuration, its parameters, its type of window."""
    for examined, spec in shards(given):
        config = mapping(spec, "usageDBConfig")
        if config:
            params = mapping(config.get("usageParams"))
            yield examined, config, params, str(params.get("windowType") or _SLIDING)


@warning_rule("A028")
def window_without_usage(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each shard with a complete window of this type."""
    for examined, _, params, window in _usages(given):
        if window in (_TUMBLING, _CRON) and _lack(params, window) is None:
            place = examined.at(*_PARAMS, "windowType")
            yield Finding(
                place,
                f"a {window} window never gives any usage in KAI v0.17: the usage of every queue stays 0",
                Remedy(f"write `{_SLIDING}`", (Replace(place, _SLIDING),)),
            )


@error_rule("A029")
def window_incomplete(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each shard."""
    for examined, _, params, window in _usages(given):
        lack = _lack(params, window)
        if lack is not None:
            field = lack if lack in params else "windowType"
            state = f"`{params[lack]}` is not a schedule" if lack in params else f"`{lack}` is missing"
            yield Finding(
                examined.at(*_PARAMS, field),
                f"a {window} window needs `{lack}`, and {state}: the scheduler does not start",
                Remedy(f"write `{lack}`, or use a sliding window"),
            )


def _lack(params: JsonObject, window: str) -> str | None:
    if window == _TUMBLING:
        return None if params.get("tumblingWindowStartTime") else "tumblingWindowStartTime"
    if window != _CRON:
        return None
    try:
        schedule(str(params.get("cronString") or ""))
    except ValueError:
        return "cronString"
    return None


@error_rule("A030")
def unknown_window_type(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each shard."""
    for examined, _, _, window in _usages(given):
        if window not in _WINDOWS:
            place = examined.at(*_PARAMS, "windowType")
            remedy = respelt(place, window, _WINDOWS, "write `sliding`, `tumbling` or `cron`")
            yield Finding(place, f"KAI does not know the window type `{window[:64]}`", remedy)


@error_rule("A031")
def usage_without_source(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each shard."""
    managed = any(_has_prometheus(each) for each in given.of("Config", CONFIG_GROUP))
    for examined, config, _, _ in _usages(given):
        client, written, variable = (
            config.get(f) for f in ("clientType", "connectionString", "connectionStringEnvVar")
        )
        if client not in _CLIENTS:
            place = examined.at(*_PATH, "clientType")
            known = ", ".join(f"`{each}`" for each in _CLIENTS)
            yield Finding(place, f"KAI does not know the usage client `{client}`", Remedy(f"write one of {known}"))
        elif written and variable:
            place = examined.at(*_PATH, "connectionStringEnvVar")
            remedy = Remedy("keep one of the two", (Remove(place),))
            yield Finding(place, "connectionString and connectionStringEnvVar exclude each other", remedy)
        elif client == "prometheus" and not written and not variable and not managed:
            yield Finding(
                examined.at(*_PATH),
                "there is no connectionString, and no Prometheus in KAI's Config",
                Remedy("write `connectionString`, or enable `prometheus` in KAI's Config"),
                elsewhere="a Config with Prometheus",
                severity=None if given.complete else Severity.WARNING,
            )


def _has_prometheus(examined: Examined) -> bool:
    prometheus = mapping(examined.spec, "prometheus")
    return bool(prometheus.get("enabled") or prometheus.get("externalPrometheusUrl"))


@warning_rule("A035")
def usage_without_gpus(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each shard that asks Prometheus while no Node of the input has a GPU; nothing without Nodes."""
    nodes = given.kai.nodes
    if not nodes or any(node.allocatable.gpu > 0 for node in nodes):
        return
    for examined, config, params, _ in _usages(given):
        if config.get("clientType") == "prometheus" and "gpuCapacityMetric" not in mapping(params.get("extraParams")):
            yield Finding(
                examined.at(*_PATH),
                f"no node of {len(nodes)} has a GPU, so KAI cannot read the usage of cpu and memory either",
                Remedy("set `gpuCapacityMetric` in `extraParams` to a metric that exists"),
                evidence=(("nodes", str(len(nodes))),),
                elsewhere="a Node with GPUs",
            )
