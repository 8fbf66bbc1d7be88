"""Kueue's Configuration among manifests: its holders, the manager's command line, and what cannot be read."""

from typing import Any

import pytest

from kubectl_fairshare.input.parts import Material
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin, Place
from kubectl_fairshare.model.manifest import Manifest, by_kind
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.reading.state import kueue_part
from kubectl_fairshare.schedulers.kueue.reading.written_settings import configures

HOME = "kueue-system"
TEXT = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
VOLUME = {"name": "c", "configMap": {"name": "kueue-manager-config"}}


def manager(*words: str, **spec: Any) -> Manifest:
    container = {"image": "registry.k8s.io/kueue/kueue:v0.19.2", "args": [*words]}
    mounts = [{"name": "c", "mountPath": "/controller_manager_config.yaml"}]
    template = {"spec": {"containers": [{**container, "volumeMounts": mounts}], **spec}}
    name = "kueue-controller-manager"
    data = {"metadata": {"name": name, "namespace": HOME}, "spec": {"template": template}}
    return Manifest(ObjectKey("apps", "Deployment", HOME, name), "v1", data, Origin("m.yaml", 0))


def config_map(text: str, key: str = "controller_manager_config.yaml") -> Manifest:
    name = "kueue-manager-config"
    data = {"metadata": {"name": name, "namespace": HOME}, "data": {key: text}}
    return Manifest(ObjectKey("", "ConfigMap", HOME, name), "v1", data, Origin("c.yaml", 0))


def chart(values: dict[str, Any]) -> Manifest:
    spec = {"chart": {"spec": {"chart": "kueue", "version": "0.19.2"}}, "values": values}
    key = ObjectKey("helm.toolkit.fluxcd.io", "HelmRelease", HOME, "kueue")
    return Manifest(key, "v2", {"metadata": {"name": "kueue"}, "spec": spec}, Origin("h.yaml", 0))


def replace_version(of: Manifest, version: str) -> Manifest:
    """The installed chart in another version; empty: in none."""
    of.data["spec"]["chart"]["spec"]["version"] = version
    return of


def platform(state: str) -> Manifest:
    key = ObjectKey("datasciencecluster.opendatahub.io", "DataScienceCluster", "", "default")
    spec = {"components": {"kueue": {"managementState": state}}}
    return Manifest(key, "v1", {"metadata": {"name": "default"}, "spec": spec}, Origin("d.yaml", 0))


def found(*manifests: Manifest) -> Configuration:
    part = kueue_part(Material(manifests, by_kind(manifests)))
    if part.problems:
        raise FairshareError(*part.problems)
    (state,) = (value for value in part.values if isinstance(value, KueueState))
    return state.configuration


def unread(*manifests: Manifest) -> list[str]:
    return [str(place) for place in found(*manifests).elsewhere]


GATES = {"controllerManager": {"featureGates": [{"name": "PartialAdmission", "enabled": False}]}}


@pytest.mark.parametrize(
    "manifests",
    [
        [manager("--feature-gates=PartialAdmission=false")],
        [manager("--feature-gates", "ReclaimablePods=true,PartialAdmission=false")],
        [manager("--feature-gates=PartialAdmission=false"), config_map(TEXT)],
        [config_map(f"{TEXT}featureGates: {{PartialAdmission: false}}\n")],
        [chart(GATES)],
    ],
)
def test_gates_count_wherever_they_are_set(manifests: list[Manifest]) -> None:
    assert found().partial_admission
    assert not found(*manifests).partial_admission
    assert found(*manifests).elsewhere == ()


def test_gates_of_a_chart_say_which_release_to_assume() -> None:
    """As those of a Configuration do: 0.19 does not know this one."""
    gates = {"controllerManager": {"featureGates": [{"name": "LendingLimit", "enabled": True}]}}
    said = replace_version(chart(gates), "")
    assert found(said).release.number < found().release.number


def test_a_command_line_counts_before_what_installs_it() -> None:
    assert found(manager(), chart(GATES)).partial_admission


def test_gates_alone_say_nothing_of_the_jobs_that_kueue_manages() -> None:
    usual, gated = found(), found(manager("--feature-gates=PartialAdmission=false"))
    assert gated.frameworks == usual.frameworks
    assert gated.manage_unlabelled == usual.manage_unlabelled


@pytest.mark.parametrize(
    ("manifests", "said"),
    [
        ([manager("--feature-gates=Nothing=true")], "does not start with its command line: Kueue v0.19 knows no"),
        (
            [manager("--feature-gates=A=true"), config_map(f"{TEXT}featureGates: {{PartialAdmission: false}}\n")],
            "its command line and its Configuration both have feature gates",
        ),
    ],
)
def test_a_manager_that_does_not_start_is_named_at_its_command_line(manifests: list[Manifest], said: str) -> None:
    with pytest.raises(FairshareError) as caught:
        found(*manifests)
    (problem,) = caught.value.problems
    assert said in problem.message
    assert isinstance(problem.place, Place)
    assert problem.place.object.kind == "Deployment"


def test_the_file_of_the_manager_is_not_in_the_input() -> None:
    line = "--config=/controller_manager_config.yaml"
    assert unread(manager(line, volumes=[VOLUME])) == [
        "Deployment kueue-system/kueue-controller-manager spec.template.spec.volumes[0].configMap.name"
    ]
    assert unread(manager(line, volumes=[VOLUME]), config_map(TEXT)) == []
    assert unread(manager(volumes=[VOLUME])) == []


def test_a_configuration_under_another_key_is_not_read() -> None:
    other = config_map(f"{TEXT}fairSharing: {{}}\n", "other.yaml")
    assert unread(other) == ["ConfigMap kueue-system/kueue-manager-config"]
    assert configures(other)


@pytest.mark.parametrize(("state", "count"), [("Managed", 1), ("Unmanaged", 0), ("Removed", 0)])
def test_a_platform_that_installs_kueue_by_itself_has_settings_of_its_own(state: str, count: int) -> None:
    assert len(unread(platform(state))) == count
    assert configures(platform(state)) is bool(count)
    assert unread(platform(state), config_map(TEXT)) == []
