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
from kubectl_fairshare.schedulers.kueue.reading.running_release import running_release
from kubectl_fairshare.schedulers.kueue.reading.state import kueue_part
from kubectl_fairshare.schedulers.kueue.reading.written_settings import configurations
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
    return running_release(Material(manifests, by_kind(manifests), releases=releases), configurations(manifests).said)


GATED = configuration(featureGates={"LendingLimit": True, "PartialAdmission": True})
MXJOB = configuration(integrations={"frameworks": ["batch/job", "kubeflow.org/mxjob"]})
COHORT = manifest(KUEUE, "Cohort", "v1alpha1", spec={"parent": "org"})


@pytest.mark.parametrize(
    ("manifests", "text"),
    [
        ([MXJOB], "v0.10"),
        ([COHORT], "v0.12"),
        ([COHORT, manifest(KUEUE, "Topology", "v1alpha1")], "v0.12"),
        ([GATED, MXJOB], "v0.10"),
    ],
)
def test_a_removed_name_says_that_the_input_is_for_a_release_that_was_not_measured(
    manifests: list[Manifest], text: str
) -> None:
    found = of(*manifests)
    assert (found.text, found.deduced, found.measured) == (text, True, False)


@pytest.mark.parametrize(
    ("gates", "text"),
    [
        (("LendingLimit", "PartialAdmission"), "v0.18"),
        (("FlavorFungibilityImplicitPreferenceDefault",), "v0.16"),
        (("SchedulingEquivalenceHashing", "TASProfileLeastFreeCapacity"), "v0.16"),
        (("TASPartialSlices",), "v0.20"),
        (("TASPartialSlices", "Misspelt"), "v0.20"),
        (("SchedulerLongRequeueInterval",), "v0.19"),
        (("LendingLimit", "TASPartialSlices"), "v0.19"),  # no release knows both
    ],
)
@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
def test_gates_imply_the_usual_release_or_the_first_that_knows_them(
    gates: tuple[str, ...], text: str, version: str
) -> None:
    found = of(configuration(version, featureGates=dict.fromkeys(gates, True)))
    assert (found.text, found.assumed, found.measured) == (text, True, True)


def test_the_reason_of_a_cohort_cycle_is_of_its_first_release_or_later() -> None:
    status = {"conditions": [{"type": "Active", "status": "False", "reason": "CohortCycleDetected"}]}
    queue = manifest(KUEUE, "ClusterQueue", "v1beta2", status=status)
    assert (of(queue).text, of(queue).assumed) == ("v0.19.7", True)
    assert of(queue, manager("v0.19.4")).text == "v0.19.4"


@pytest.mark.parametrize(
    ("tag", "text", "rules"),
    [
        ("v0.18.0-rc.0", "v0.18.0-rc.0", "v0.18.0"),
        ("v0.17.8-gke.3", "v0.17.8-gke.3", "v0.17.8"),
        ("v0.16.4-eksbuild.1", "v0.16.4-eksbuild.1", "v0.16.9"),
        ("v20260301-v0.19.2-12-g1a2b3c4", "v0.19.2-12-g1a2b3c4", "v0.19.2"),
    ],
)
def test_another_build_of_a_release_is_answered_by_its_rules(tag: str, text: str, rules: str) -> None:
    found = of(manager(tag))
    assert (found.text, found.measured, found.rules_of) == (text, False, rules)
    assert found.later[-1] == f"{text}: what this build changes is not known"


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
