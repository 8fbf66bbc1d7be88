"""The release that an input is for: named, running in it, or deduced from names that only older releases know."""

from typing import Any

import pytest

from kubectl_fairshare.input.parts import Material
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest, by_kind
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission import feature_gates, retired
from kubectl_fairshare.schedulers.kueue.admission.configuration_checks import FRAMEWORKS
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.reading.configuration import configurations
from kubectl_fairshare.schedulers.kueue.reading.running_release import running_release
from kubectl_fairshare.schedulers.kueue.reading.state import kueue_part
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease

KUEUE, CONFIG = "kueue.x-k8s.io", "config.kueue.x-k8s.io"


def manifest(group: str, kind: str, version: str, **data: Any) -> Manifest:
    named = {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": {"name": "kueue"}, **data}
    return Manifest(ObjectKey(group, kind, "", "kueue"), version, named, Origin("a.yaml", 0))


def configuration(version: str = "v1beta1", **data: Any) -> Manifest:
    return manifest(CONFIG, "Configuration", version, **data)


def manager(tag: str) -> Manifest:
    container = {"image": f"registry.example/kueue:{tag}"}
    return manifest("apps", "Deployment", "v1", spec={"template": {"spec": {"containers": [container]}}})


def of(*manifests: Manifest, **releases: str) -> KueueRelease:
    return running_release(
        Material(manifests, by_kind(manifests), releases=releases), configurations(manifests).written
    )


GATED = configuration(featureGates={"LendingLimit": True, "PartialAdmission": True})
MXJOB = configuration(integrations={"frameworks": ["batch/job", "kubeflow.org/mxjob"]})
COHORT = manifest(KUEUE, "Cohort", "v1alpha1", spec={"parent": "org"})


@pytest.mark.parametrize(
    ("manifests", "text"),
    [
        ([GATED], "v0.18"),
        ([MXJOB], "v0.10"),
        ([COHORT], "v0.12"),
        ([COHORT, manifest(KUEUE, "Topology", "v1alpha1")], "v0.12"),
        ([configuration("v1beta2", featureGates={"LendingLimit": True})], "v0.18"),
    ],
)
def test_a_removed_name_says_that_the_input_is_for_an_older_release(manifests: list[Manifest], text: str) -> None:
    found = of(*manifests)
    assert (found.text, found.deduced, found.measured) == (text, True, False)


@pytest.mark.parametrize(
    "manifests",
    [
        [],
        [configuration()],
        [configuration(featureGates={"Misspelt": True})],
        [configuration(featureGates="LendingLimit", integrations=["kubeflow.org/mxjob"])],
        [manifest(KUEUE, "ResourceFlavor", "v1alpha1")],
        [COHORT, manifest(KUEUE, "ClusterQueue", "v1beta2")],
        [configuration("v1beta2", integrations={"frameworks": ["kubeflow.org/mxjob"]})],
    ],
)
def test_names_that_no_release_knows_together_say_nothing(manifests: list[Manifest]) -> None:
    assert of(*manifests) == replace(DEFAULT, assumed=True)


def test_a_named_release_and_then_a_running_manager_come_first() -> None:
    assert of(GATED, manager("v0.20.0")).text == "v0.20"
    assert of(GATED, manager("v0.20.0"), kueue="0.19.3").text == "v0.19.3"
    assert not of(GATED, kueue="0.19").deduced


def test_a_text_that_names_no_release_is_refused() -> None:
    with pytest.raises(UsageError, match="newest"):
        of(kueue="newest")


def test_no_removed_name_is_known_to_the_measured_release() -> None:
    assert [gate for gate in retired.GATES if feature_gates.is_known(gate)] == []
    assert not set(retired.FRAMEWORKS) & set(FRAMEWORKS)


def test_objects_of_v1alpha1_are_read_for_a_release_that_serves_them() -> None:
    part = kueue_part(Material([COHORT], by_kind([COHORT])))
    state = next(each for each in part.values if isinstance(each, KueueState))
    assert state.cohorts["kueue"].parent == "org"
    assert part.refusals == ()


def test_objects_of_v1alpha1_are_refused_for_a_named_release_that_does_not_serve_them() -> None:
    part = kueue_part(Material([COHORT], by_kind([COHORT]), releases={"kueue": "0.19"}))
    assert len(part.refusals) == 1


def test_several_managers_are_not_answered_by_the_rules_of_one() -> None:
    found = of(manager("v0.20.3"), manager("v0.20.4"))
    assert (found.text, found.measured, found.rules_of) == ("v0.20.3, v0.20.4", False, "")
