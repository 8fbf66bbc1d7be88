"""KAI's Config and its default shard, as the chart ``kai-scheduler`` makes them of its values.

Source: KAI-Scheduler v0.17, ``deployments/kai-scheduler``: ``templates/_helpers.tpl`` and ``default-shard.yaml``.
Tested in ``tests/unit/schedulers/kai/reading/test_chart.py``.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from kubectl_fairshare.input.text.embedded import below
from kubectl_fairshare.input.units.installed_charts import (
    ChartObject,
    InstalledChart,
    installed_as,
    release_of_charts,
    settings_of,
)
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import FieldPath, Json, mapping
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, RESERVATION
from kubectl_fairshare.schedulers.kai.model.objects import QUEUE_LABEL, Shard
from kubectl_fairshare.schedulers.kai.model.pod_admission import DEFAULT_RUNTIME
from kubectl_fairshare.schedulers.kai.reading.config import SERVICES, KaiConfig, config_of
from kubectl_fairshare.schedulers.kai.reading.shards import shard_of
from kubectl_fairshare.schedulers.kai.release import CHART

T = TypeVar("T")
_DEFAULT_SHARD: Final = "default"
_CONFIG: Final = (CONFIG_GROUP, "Config")
_SHARD: Final = (CONFIG_GROUP, "SchedulingShard")
_PARTS: Final = ("defaultShard", "global", "kaiConfig", "kaiConfigDeployer")
_OF_SHARD: Final = ("args", "plugins", "actions", "scenarioSearchBudgets")
_RENDERED: Final = ("kaiConfig", "render")
_DEPLOYED: Final = ("kaiConfigDeployer", "enabled")
_RUNTIMES: Final = ("gpuFractionRuntimeClassName", "gpuPodRuntimeClassName")


class KaiChart(Value, frozen=True):
    """What the chart makes that the input lacks, and the fields with settings that cannot be read.

    ``release`` is the one that the chart installs; empty if it is not written.
    """

    config: KaiConfig | None = None
    shards: tuple[Shard, ...] = ()
    elsewhere: tuple[Place, ...] = ()
    release: str = ""


def made_by_chart(kinds: ByKind) -> KaiChart:
    """What the chart in the input makes. Objects of the input count before it."""
    charts = installed_as(kinds, CHART)
    has_config = _CONFIG in kinds
    has_shard = any(manifest.key.name == _DEFAULT_SHARD for manifest in kinds.get(_SHARD, ()))
    releases = {_release(chart) for chart in charts}
    release = releases.pop() if len(releases) == 1 else release_of_charts(charts)
    if not charts or (has_config and has_shard):
        return KaiChart(release=release)
    if len(charts) > 1:
        return KaiChart(elsewhere=settings_of(charts), release=release)
    chart, unread = charts[0], [*charts[0].elsewhere]
    unread += [below(chart.values_at, name) for name in (*_PARTS, *SERVICES.values()) if not _is_object(chart, name)]
    made = () if has_shard or not chart.given("defaultShard", "enabled", default=True) else (_shard(chart),)
    shards = [shard for each in made for shard in _read(each, _shard_of, unread)]
    if has_config:
        return KaiChart(None, tuple(shards), tuple(unread), release)
    config = next(_read(_config(chart), _config_of, unread), None)
    return KaiChart(config, tuple(shards), (*unread, *_undeployed(chart)), release)


def _is_object(chart: InstalledChart, name: str) -> bool:
    return isinstance(chart.values.get(name, {}), dict)


def _read(made: ChartObject, reader: Callable[[ChartObject], T], unread: list[Place]) -> Iterator[T]:
    """The result of ``reader``; for a value of the wrong type, its place goes to ``unread`` instead."""
    try:
        yield reader(made)
    except FairshareError as error:
        unread += [made.place(p.place) for p in error.problems if isinstance(p.place, Place)]


def _release(chart: InstalledChart) -> str:
    """The tag of the scheduler's image, if values give one; otherwise the chart's version."""
    tag = mapping(chart.values, "scheduler", "image").get("tag") or mapping(chart.values, "global").get("tag")
    return str(tag) if tag else chart.release


def _shard(chart: InstalledChart) -> ChartObject:
    spec = {name: value for name in _OF_SHARD if (value := chart.given("scheduler", name, default=None))}
    moves: dict[FieldPath, FieldPath] = {("spec", name): ("scheduler", name) for name in _OF_SHARD}
    if strategy := chart.given("scheduler", "placementStrategy", default="binpack"):
        spec["placementStrategy"] = {"gpu": strategy, "cpu": strategy}
        moves |= {("spec", "placementStrategy", name): ("scheduler", "placementStrategy") for name in ("gpu", "cpu")}
    return chart.made({"spec": {"partitionLabelValue": "", **spec}}, moves)


def _shard_of(made: ChartObject) -> Shard:
    return replace(shard_of(made.manifest), name=_DEFAULT_SHARD, written_at=made.moves)


def _config(chart: InstalledChart) -> ChartObject:
    fields: dict[FieldPath, tuple[FieldPath, Json]] = dict(_fields(chart))
    spec: dict[str, Json] = {"namespace": chart.namespace}
    for (_, *above, last), (_, value) in fields.items():
        part = spec
        for name in above:
            part = part.setdefault(str(name), {})
        part[str(last)] = value
    return chart.made({"spec": spec}, {path: source for path, (source, _) in fields.items()})


def _fields(chart: InstalledChart) -> Iterator[tuple[FieldPath, tuple[FieldPath, Json]]]:
    """The fields of the Config that count, each with the path of its value, and the value."""
    everywhere, own = ("spec", "global"), ("spec", "admission")
    for name in ("namespaceLabelSelector", "podLabelSelector", "nodePoolLabelKey"):
        yield (*everywhere, name), (("global", name), chart.given("global", name, default=None))
    for name in ("gpuSharing", "blockNvidiaVisibleDevices"):
        yield (*own, name), (("global", name), chart.given("global", name, default=False) or False)
    label = chart.given("podgrouper", "queueLabelKey", default=QUEUE_LABEL)
    yield (*everywhere, "queueLabelKey"), (("podgrouper", "queueLabelKey"), label)
    reservation = ("resourceReservation", "appLabel")
    marked = chart.given("global", *reservation, default=RESERVATION)
    yield ("spec", "binder", *reservation), (("global", *reservation), marked)
    for name, default in zip(_RUNTIMES, (DEFAULT_RUNTIME, None), strict=True):
        if (runtime := chart.given("admission", name, default=default)) is not None:
            yield (*own, name), (("admission", name), runtime)
            break
    for part, name in SERVICES.items():
        yield ("spec", part, "service", "enabled"), ((name, "enabled"), chart.given(name, "enabled", default=True))


def _config_of(made: ChartObject) -> KaiConfig:
    found = config_of(made.manifest)
    unmodelled = tuple(map(made.place, found.unmodelled))
    return replace(found, unmodelled=unmodelled, admission=replace(found.admission, written_at=made.moves))


def _undeployed(chart: InstalledChart) -> Iterator[Place]:
    """The value for which the chart makes no Config, or fails."""
    renders, deploys = chart.given(*_RENDERED, default=False), chart.given(*_DEPLOYED, default=True)
    if bool(renders) is bool(deploys):
        yield below(chart.values_at, *(_RENDERED if renders else _DEPLOYED))
