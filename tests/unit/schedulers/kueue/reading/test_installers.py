"""Kueue's Configuration in objects that install it. The operator's mapping is that of its ``BuildConfigMap``."""

from typing import Any

import pytest

from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE, Configuration
from kubectl_fairshare.schedulers.kueue.reading.configuration import found_configuration
from kubectl_fairshare.schedulers.kueue.reading.written_settings import configurations, configures
from kubectl_fairshare.schedulers.kueue.release import DEFAULT

FAIR = f"""
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
fairSharing: {{preemptionStrategies: [{FINAL_SHARE}]}}
"""


def operator(spec: dict[str, Any] | None = None, **config: Any) -> Manifest:
    data = {"apiVersion": "kueue.openshift.io/v1", "kind": "Kueue", "spec": {"config": config, **(spec or {})}}
    key = ObjectKey("kueue.openshift.io", "Kueue", "", "cluster")
    return Manifest(key, "v1", {**data, "metadata": {"name": "cluster"}}, Origin("a.yaml", 0))


def release(values: dict[str, Any], name: str = "kueue", version: str = "0.19.2", **spec: Any) -> Manifest:
    chart = {"spec": {"chart": "kueue", "version": version}}
    data = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": name}}
    key = ObjectKey("helm.toolkit.fluxcd.io", "HelmRelease", "kueue-system", name)
    return Manifest(key, "v2", {**data, "spec": {"chart": chart, "values": values, **spec}}, Origin("b.yaml", 0))


def managed(text: str) -> dict[str, Any]:
    return {"managerConfig": {"controllerManagerConfigYaml": text}}


def found(*manifests: Manifest) -> Configuration:
    return found_configuration(configurations(manifests), DEFAULT)[0]


BATCH = {"frameworks": ["BatchJob", "Pod"]}


@pytest.mark.parametrize(
    ("config", "field", "value"),
    [
        ({"preemption": {"preemptionPolicy": "FairSharing"}}, "strategies", (FINAL_SHARE, INITIAL_SHARE)),
        ({"preemption": {"preemptionPolicy": "Classical"}}, "strategies", None),
        ({"integrations": BATCH}, "frameworks", ("batch/job", "pod")),
        ({"workloadManagement": {"labelPolicy": "None"}}, "manage_unlabelled", True),
        ({"workloadManagement": {"labelPolicy": "QueueName"}}, "manage_unlabelled", False),
        (
            {"gangScheduling": {"policy": "ByWorkload", "byWorkload": {"admission": "Sequential"}}},
            "block_admission",
            True,
        ),
        ({"gangScheduling": {"policy": "None"}}, "block_admission", False),
        ({"admissionFairSharing": {}}, "admission_sharing", None),
    ],
)
def test_what_the_operator_makes_of_its_settings(config: dict[str, Any], field: str, value: object) -> None:
    made = found(operator(integrations=BATCH) if "integrations" in config else operator(integrations=BATCH, **config))
    assert getattr(made, field) == value
    assert made.elsewhere == ()


def test_the_operator_counts_past_usage_with_its_own_half_life() -> None:
    plain = found(operator(integrations=BATCH, admissionFairSharing={"configuration": "Default"})).admission_sharing
    custom = {"usageHalfLifeTimeSeconds": 60, "resourceWeights": [{"name": "cpu", "weight": "0.5"}]}
    own = found(
        operator(integrations=BATCH, admissionFairSharing={"configuration": "Custom", "custom": custom})
    ).admission_sharing
    assert plain is not None
    assert own is not None
    assert (plain.half_life, own.half_life, own.weights) == (1800, 60, {"cpu": 0.5})


@pytest.mark.parametrize(
    ("manifest", "field"),
    [
        (operator(integrations={"frameworks": ["JaxJob", "Pod"]}), "frameworks"),
        (operator(integrations=BATCH, resources={"deviceClassMappings": []}), "resources"),
        (operator({"managementState": "Unmanaged"}, integrations=BATCH), "managementState"),
        (release(managed(FAIR), valuesFrom=[{"kind": "ConfigMap", "name": "v"}]), "valuesFrom"),
        (release({"controllerManager": {"featureGates": "X=true"}}), "featureGates"),
        (release({"controllerManager": {"featureGates": [{"name": "X", "enabled": "yes"}]}}), "featureGates"),
        (release({"managerConfig": {"controllerManagerConfigYaml": 1}}), "controllerManagerConfigYaml"),
    ],
)
def test_settings_that_cannot_be_read_are_named(manifest: Manifest, field: str) -> None:
    assert [place.path[-1] for place in found(manifest).elsewhere] == [field]
    assert configures(manifest)


@pytest.mark.parametrize("kind", ["JAXJob", "JaxJob", "Job", "CronJob", "FlowJob"])
def test_a_kind_that_the_operator_does_not_know_is_no_framework(kind: str) -> None:
    """Kinds that Kueue manages besides do not make the operator's list longer."""
    made = found(operator(integrations={"frameworks": ["MPIJob", kind]}))
    assert [place.path[-1] for place in made.elsewhere] == ["frameworks"]


def test_the_values_of_the_chart_are_the_configuration() -> None:
    search = configurations([release(managed(FAIR))])
    assert search.release == "0.19.2"
    assert found(release(managed(FAIR))).strategies == (FINAL_SHARE,)


@pytest.mark.parametrize("version", ["0.19.x", ">=0.19.0", "", "*"])
def test_a_range_of_versions_names_no_release(version: str) -> None:
    assert configurations([release(managed(FAIR), version=version)]).release == ""


def test_releases_of_two_clusters_that_differ_leave_the_settings_open() -> None:
    both = found(release(managed(FAIR)), release(managed(FAIR.replace(FINAL_SHARE, INITIAL_SHARE)), name="other"))
    assert both.strategies is None
    assert len(both.elsewhere) == 2
    assert found(release(managed(FAIR)), release(managed(FAIR), name="other")).strategies == (FINAL_SHARE,)


def test_what_the_manager_reads_counts_before_what_installs_it() -> None:
    metadata = {"name": "kueue-manager-config", "namespace": "kueue-system"}
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}
    text = FAIR.replace(FINAL_SHARE, INITIAL_SHARE)
    key = ObjectKey("", "ConfigMap", "kueue-system", "kueue-manager-config")
    runs = Manifest(key, "v1", {**data, "data": {"controller_manager_config.yaml": text}}, Origin("c.yaml", 0))
    assert found(runs, operator(integrations=BATCH)).elsewhere == ()
    differing = found(runs, release(managed(FAIR)))
    assert (differing.strategies, len(differing.elsewhere)) == ((INITIAL_SHARE,), 1)
