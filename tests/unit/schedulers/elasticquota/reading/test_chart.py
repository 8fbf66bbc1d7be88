"""Values of the chart of scheduler-plugins are read as the configuration and the Deployment that it makes of them."""

from typing import Any

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from tests.unit.schedulers.elasticquota.reading.test_state import quota, read

DEFAULTS = ("Coscheduling", "CapacityScheduling", "NodeResourceTopologyMatch", "NodeResourcesAllocatable")
QUOTA = quota({"min": {"cpu": 2}})


def release(
    values: Any, *, chart: str = "scheduler-plugins", name: str = "r", version: str = "0.34.7"
) -> dict[str, Any]:
    spec = {"chart": {"spec": {"chart": chart, "version": version}}, "values": values}
    metadata = {"name": name, "namespace": "flux"}
    return {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": metadata, "spec": spec}


def rendered(
    enabled: Any, disabled: Any, *, name: str = "scheduler-plugins-scheduler", configs: Any = ()
) -> dict[str, Any]:
    lists = {"enabled": [{"name": each} for each in enabled], "disabled": [{"name": each} for each in disabled]}
    profile = {"schedulerName": name, "plugins": {"multiPoint": lists}, "pluginConfig": [*configs]}
    metadata = {"name": "c"}
    version = "kubescheduler.config.k8s.io/v1"
    return {"apiVersion": version, "kind": "KubeSchedulerConfiguration", "metadata": metadata, "profiles": [profile]}


def decided(found: ElasticQuotaState) -> ElasticQuotaState:
    """The state without the places of its settings, and without the release that the chart names."""
    return replace(found, standing=None, altered=dict.fromkeys(found.altered), odd_gates=dict.fromkeys(found.odd_gates))


PLAIN = {"plugins": {"enabled": ["CapacityScheduling"], "disabled": ["DefaultPreemption"]}}
FILTER = [
    {
        "name": "NodeAffinity",
        "args": {"addedAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1}]}},
    }
]


@pytest.mark.parametrize(
    ("values", "made"),
    [
        ({}, rendered(DEFAULTS, ["PrioritySort"])),
        (PLAIN, rendered(["CapacityScheduling"], ["DefaultPreemption"])),
        (
            {"plugins": {"enabled": ["capacityScheduling"], "disabled": None}, "scheduler": {"name": "s"}},
            rendered(["CapacityScheduling"], [], name="s"),
        ),
        ({**PLAIN, "pluginConfig": FILTER}, rendered(["CapacityScheduling"], ["DefaultPreemption"], configs=FILTER)),
        ({"plugins": {"enabled": ["Trimaran"]}}, rendered(["Trimaran"], ["PrioritySort"])),
    ],
)
@pytest.mark.parametrize("chart", ["scheduler-plugins", "manifests/install/charts/as-a-second-scheduler"])
def test_values_make_the_configuration(chart: str, values: Any, made: dict[str, Any]) -> None:
    assert decided(read(QUOTA, release(values, chart=chart))) == decided(read(QUOTA, made))


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({}, ("plugins",)),
        ({**PLAIN, "pluginConfig": FILTER}, ("pluginConfig", 0, "args", "addedAffinity")),
    ],
)
def test_what_decides_beside_the_plugin_is_cited_in_the_values(values: Any, path: tuple[str | int, ...]) -> None:
    (place,) = read(QUOTA, release(values)).altered.values()
    assert (place.object.kind, place.path) == ("HelmRelease", ("spec", "values", *path))


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"plugins": {"enabled": []}}, ("plugins", "enabled")),
        ({"plugins": "all"}, ("plugins",)),
        ({"plugins": {"enabled": [1]}}, ("plugins", "enabled")),
        ({**PLAIN, "pluginConfig": {"a": 1}}, ("pluginConfig",)),
        ({**PLAIN, "scheduler": {"name": 5}}, ("scheduler", "name")),
    ],
)
def test_values_that_cannot_be_read_are_named(values: Any, path: tuple[str, ...]) -> None:
    found = read(QUOTA, release(values))
    assert found.profiles is None
    assert [place.path for place in found.elsewhere] == [("spec", "values", *path)]


def test_the_configuration_of_the_input_counts_before_the_chart() -> None:
    made = rendered(["CapacityScheduling"], ["DefaultPreemption"])
    assert decided(read(QUOTA, release({}), made)) == decided(read(QUOTA, made))


def test_of_several_charts_it_is_not_known_which_one_counts() -> None:
    found = read(QUOTA, release(PLAIN), release(PLAIN, name="other"))
    assert (found.profiles, len(found.elsewhere)) == (None, 2)


@pytest.mark.parametrize(
    ("values", "version", "odd"),
    [
        ({}, "0.34.7", ""),
        ({}, "0.31.8", "v0.31.8"),
        ({"scheduler": {"image": "registry.k8s.io/scheduler-plugins/kube-scheduler:v0.31.8"}}, "0.34.7", "v0.31.8"),
    ],
)
def test_the_release_is_that_of_the_image(values: Any, version: str, odd: str) -> None:
    assert read(QUOTA, release(values, version=version)).odd_release == odd


def test_gates_of_the_command_count() -> None:
    command = ["/bin/kube-scheduler", "--feature-gates=PodLevelResources=false"]
    (gate,) = read(QUOTA, release({"scheduler": {"command": command}})).odd_gates.items()
    assert (gate[0], gate[1].path) == ("PodLevelResources=false", ("spec", "values", "scheduler", "command"))
