"""What the chart of scheduler-plugins makes of its values: the scheduler's configuration, and its Deployment.

Source: scheduler-plugins, ``manifests/install/charts/as-a-second-scheduler``, 0.34.7.
Tested in ``tests/unit/schedulers/elasticquota/reading/test_chart.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.input.kinds import SCHEDULER_CONFIGURATION
from kubectl_fairshare.input.text.embedded import below
from kubectl_fairshare.input.units.installed_charts import ChartObject, InstalledChart, installed_as, settings_of
from kubectl_fairshare.input.units.running import TEMPLATE
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.release import CHARTS, DEPLOYED, IMAGE

_ENABLED: Final = ("Coscheduling", "CapacityScheduling", "NodeResourceTopologyMatch", "NodeResourcesAllocatable")
_DISABLED: Final = ("PrioritySort",)
_LISTS: Final = ("enabled", "disabled")
_PROFILE: Final[FieldPath] = ("profiles", 0)


class PluginsChart(Value, frozen=True):
    """The configuration and the scheduler that the chart makes; ``elsewhere`` are settings that cannot be read."""

    configuration: ChartObject | None = None
    scheduler: ChartObject | None = None
    elsewhere: tuple[Place, ...] = ()


def made_by_chart(kinds: ByKind) -> PluginsChart:
    """What the chart in the input makes. If there are several, it is not known which one counts."""
    charts = installed_as(kinds, *CHARTS)
    if len(charts) != 1:
        return PluginsChart(elsewhere=settings_of(charts))
    wrong = tuple(_wrong(charts[0]))
    configuration = None if wrong else _configuration(charts[0])
    return PluginsChart(configuration, None if wrong else _scheduler(charts[0]), (*charts[0].elsewhere, *wrong))


def _wrong(chart: InstalledChart) -> Iterator[Place]:
    """The values for which the templates fail, or make no configuration."""
    for name in ("plugins", "scheduler"):
        if not isinstance(chart.values.get(name, {}), dict):
            yield below(chart.values_at, name)
    for name, default in zip(_LISTS, (_ENABLED, _DISABLED), strict=True):
        listed = chart.given("plugins", name, default=[*default])
        if not all(isinstance(each, str) for each in listed or ()) or (name == "enabled" and not listed):
            yield below(chart.values_at, "plugins", name)


def _configuration(chart: InstalledChart) -> ChartObject:
    plugins = {
        name: [{"name": each[:1].upper() + each[1:]} for each in chart.given("plugins", name, default=default) or ()]
        for name, default in zip(_LISTS, (_ENABLED, _DISABLED), strict=True)
    }
    profile: dict[str, Json] = {
        "schedulerName": chart.given("scheduler", "name", default=DEPLOYED),
        "plugins": {"multiPoint": plugins},
        "pluginConfig": chart.given("pluginConfig", default=[]) or [],
    }
    group, kind = SCHEDULER_CONFIGURATION
    moves: dict[FieldPath, FieldPath] = {
        (*_PROFILE, "schedulerName"): ("scheduler", "name"),
        (*_PROFILE, "plugins"): ("plugins",),
        (*_PROFILE, "plugins", "multiPoint"): ("plugins",),
        (*_PROFILE, "pluginConfig"): ("pluginConfig",),
    }
    return chart.made({"apiVersion": f"{group}/v1", "kind": kind, "profiles": [profile]}, moves)


def _scheduler(chart: InstalledChart) -> ChartObject:
    """Its Deployment, with the image and the command of the values; without an image, the release is the chart's."""
    image = chart.given("scheduler", "image", default=f"scheduler-plugins/{IMAGE}:{chart.tag}")
    container: dict[str, Json] = {"image": image, "command": chart.given("scheduler", "command", default=[])}
    return chart.made(
        {"spec": {"template": {"spec": {"containers": [container]}}}}, {TEMPLATE: ("scheduler", "command")}
    )
