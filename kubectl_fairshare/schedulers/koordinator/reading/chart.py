"""What the chart ``koordinator`` makes of its values: the scheduler's configuration, and the gates of its programs.

Source: koordinator's Helm charts v1.7.0 and v1.8.0, ``koord-scheduler-config.yaml``, ``koord-scheduler.yaml`` and
``koord-manager.yaml``. Tested in ``tests/unit/schedulers/koordinator/test_chart.py``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.input.kinds import SCHEDULER_CONFIGURATION
from kubectl_fairshare.input.units.installed_charts import ChartObject, InstalledChart, installed_as, settings_of
from kubectl_fairshare.model.json import Json, mapping
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.objects import DEFAULT_SCHEDULER
from kubectl_fairshare.schedulers.koordinator.release import CHART

_KNOWN: Final = (Release(1, 7), Release(1, 8))
_RESERVING: Final = ("Reservation", "NodeNUMAResource", "DeviceShare", "Coscheduling", "ElasticQuota")
_POINTS: Final = {
    "preEnqueue": ("Coscheduling",),
    "preFilter": ("SchedulingHint", "Coscheduling", "Reservation", "NodeNUMAResource", "DeviceShare", "ElasticQuota"),
    "filter": ("Reservation", "LoadAwareScheduling", "NodeNUMAResource", "DeviceShare"),
    "reserve": ("LoadAwareScheduling", *_RESERVING),
    "permit": ("Coscheduling",),
}
"""The plugins that the chart adds to Kubernetes' own at the points that decide."""
_THRESHOLDS: Final = {"cpu": 65, "memory": 95}
"""The load of a node in percent, above which no pod gets there."""


class KoordinatorChart(Value, frozen=True):
    """The configuration, the scheduler and the manager that the chart makes; ``elsewhere`` are unreadable settings."""

    configuration: ChartObject | None = None
    scheduler: ChartObject | None = None
    manager: ChartObject | None = None
    elsewhere: tuple[Place, ...] = ()


def made_by_chart(kinds: ByKind) -> KoordinatorChart:
    """What the chart in the input makes. If there are several, it is not known which one counts."""
    charts = installed_as(kinds, CHART)
    if len(charts) != 1:
        return KoordinatorChart(elsewhere=settings_of(charts))
    chart = charts[0]
    if chart.release and Release.parse(chart.release) not in _KNOWN:
        return KoordinatorChart(elsewhere=(Place(chart.values_at.object), *chart.elsewhere))
    return KoordinatorChart(
        _configuration(chart),
        _program(chart, "scheduler", "koord-scheduler", ("scheduler", "featureGates")),
        _program(chart, "manager", "koord-manager", ("featureGates",)),
        chart.elsewhere,
    )


def _configuration(chart: InstalledChart) -> ChartObject:
    preempts = bool(chart.given("scheduler", "enableJobPreemption", default=True))
    after = ["Reservation", "Coscheduling", "ElasticQuota", *([] if preempts else ["DefaultPreemption"])]
    points: dict[str, Json] = {point: {"enabled": _plugins(enabled)} for point, enabled in _POINTS.items()}
    points["queueSort"] = {"disabled": _plugins("*"), "enabled": _plugins(("PrioritySort",))}
    points["postFilter"] = {"disabled": _plugins("*"), "enabled": _plugins(after)}
    home = chart.given("installation", "namespace", default=names.HOME)
    arguments: dict[str, Json] = {
        "ElasticQuota": {"quotaGroupNamespace": home},
        "LoadAwareScheduling": {"usageThresholds": _THRESHOLDS},
        "Coscheduling": {"enablePreemption": preempts},
    }
    configs = [{"name": name, "args": args} for name, args in arguments.items()]
    profile = {"schedulerName": DEFAULT_SCHEDULER, "plugins": points, "pluginConfig": configs}
    group, kind = SCHEDULER_CONFIGURATION
    place = ("profiles", 0, "pluginConfig", 0, "args", "quotaGroupNamespace")
    return chart.made(
        {"apiVersion": f"{group}/v1", "kind": kind, "profiles": [profile]}, {place: ("installation", "namespace")}
    )


def _plugins(enabled: Iterable[str]) -> list[Json]:
    return [{"name": name} for name in enabled]


def _program(chart: InstalledChart, part: str, image: str, gates: tuple[str, ...]) -> ChartObject:
    """A Deployment with the release and the gates of the values; without a tag, the release is the chart's."""
    tag = mapping(chart.values, part, "image").get("tag") or chart.tag
    container = {
        "image": f"koordinator-sh/{image}:{tag}" if tag else f"koordinator-sh/{image}",
        "args": [f"--feature-gates={chart.given(*gates, default='') or ''}"],
    }
    spec = ("spec", "template", "spec")
    return chart.made({"spec": {"template": {"spec": {"containers": [container]}}}}, {spec: gates})
