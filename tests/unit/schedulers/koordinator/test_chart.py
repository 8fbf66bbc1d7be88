"""Values of Koordinator's chart are read as the configuration and the programs that it makes of them."""

from typing import Any

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, KoordinatorState
from tests.unit.schedulers.koordinator.build import Object
from tests.unit.schedulers.koordinator.test_reading import deployment, part


def release(values: Object, *, version: str = "1.8.0", name: str = "r", **more: Any) -> Object:
    spec = {"chart": {"spec": {"chart": "koordinator", "version": version}}, "values": values, **more}
    metadata = {"name": name, "namespace": "flux"}
    return {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": metadata, "spec": spec}


def rendered(*after: str, home: str = "koordinator-system") -> Object:
    """The configuration as the chart writes it: the points and arguments that decide."""

    def enabled(*names: str) -> list[Object]:
        return [{"name": name} for name in names]

    every = {"disabled": enabled("*")}
    plugins = {
        "preEnqueue": {"enabled": enabled("Coscheduling")},
        "queueSort": {**every, "enabled": enabled("PrioritySort")},
        "preFilter": {
            "enabled": enabled(
                *("SchedulingHint", "Coscheduling", "Reservation", "NodeNUMAResource", "DeviceShare", "ElasticQuota")
            )
        },
        "filter": {"enabled": enabled("Reservation", "LoadAwareScheduling", "NodeNUMAResource", "DeviceShare")},
        "postFilter": {**every, "enabled": enabled("Reservation", "Coscheduling", "ElasticQuota", *after)},
        "reserve": {
            "enabled": enabled(
                *(
                    "Reservation",
                    "LoadAwareScheduling",
                    "NodeNUMAResource",
                    "DeviceShare",
                    "Coscheduling",
                    "ElasticQuota",
                )
            )
        },
        "permit": {"enabled": enabled("Coscheduling")},
    }
    configs = [
        {"name": "LoadAwareScheduling", "args": {"usageThresholds": {"cpu": 65, "memory": 95}}},
        {"name": "ElasticQuota", "args": {"quotaGroupNamespace": home}},
    ]
    profile = {"schedulerName": "koord-scheduler", "plugins": plugins, "pluginConfig": configs}
    version = "kubescheduler.config.k8s.io/v1"
    metadata = {"name": "c"}
    return {"apiVersion": version, "kind": "KubeSchedulerConfiguration", "metadata": metadata, "profiles": [profile]}


def decided(found: KoordinatorState) -> KoordinatorState:
    """The state without the places of its settings."""
    return replace(
        found,
        arguments=replace(found.arguments, place=None),
        odd_gates=dict.fromkeys(found.odd_gates),
        alone=found.alone,
    )


@pytest.mark.parametrize("version", ["1.7.0", "1.8.0", ""])
@pytest.mark.parametrize(
    ("values", "made"),
    [
        ({}, rendered()),
        ({"scheduler": {"enableJobPreemption": False}}, rendered("DefaultPreemption")),
        ({"installation": {"namespace": "home"}}, rendered(home="home")),
    ],
)
def test_values_make_the_configuration(values: Object, made: Object, version: str) -> None:
    scheduler = deployment("koord-scheduler", "", f"v{version or '1.8.0'}")
    assert decided(part(release(values, version=version))) == decided(part(made, scheduler))


def test_the_load_of_nodes_counts_with_the_chart() -> None:
    found = part(release({}))
    assert found.profiles == ("koord-scheduler",)
    assert "LoadAwareScheduling" not in found.idle_filters["koord-scheduler"]


def test_gates_of_both_programs_are_values() -> None:
    values = {"featureGates": "SupportParentQuotaSubmitPod=true", "scheduler": {"featureGates": "MultiQuotaTree=true"}}
    assert part(release(values)).gates == Gates(multi_tree=True, parents_take_pods=True)
    programs = deployment("koord-scheduler", ""), deployment("koord-manager", "")
    assert part(release(values), *programs).gates == Gates()


def test_a_gate_that_is_not_known_is_cited_in_the_values() -> None:
    (gate,) = part(release({"scheduler": {"featureGates": "ResizePod=true"}})).odd_gates.items()
    assert (gate[0], gate[1].path) == ("ResizePod=true", ("spec", "values", "scheduler", "featureGates"))


@pytest.mark.parametrize(
    ("values", "version", "odd"),
    [
        ({}, "1.8.0", ""),
        ({"scheduler": {"image": {"tag": "v1.6.1"}}}, "1.8.0", "v1.6.1"),
        ({}, "", ""),
    ],
)
def test_the_release_is_that_of_the_image(values: Object, version: str, odd: str) -> None:
    assert part(release(values, version=version)).odd_release == odd


@pytest.mark.parametrize(
    "chart",
    [release({}, version="1.6.0"), release({}, valuesFrom=[{"kind": "ConfigMap", "name": "v"}])],
)
def test_what_the_chart_makes_of_settings_that_cannot_be_read_is_not_known(chart: Object) -> None:
    found = part(chart)
    assert [place.object.kind for place in found.elsewhere] == ["HelmRelease"]
    assert part(chart, rendered(), deployment("koord-scheduler", "")).elsewhere == ()


def test_of_several_charts_it_is_not_known_which_one_counts() -> None:
    found = part(release({"a": 1}), release({"a": 2}, name="other"))
    assert (found.profiles, len(found.elsewhere)) == (None, 2)


def test_the_configuration_of_the_input_counts_before_the_chart() -> None:
    found = part(release({"installation": {"namespace": "home"}}), rendered("DefaultPreemption"))
    assert (found.arguments.home, found.alone) == ("koordinator-system", frozenset())
