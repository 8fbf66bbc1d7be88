"""Kueue's Configuration: where it is found, what is taken from it, and what is told when it cannot be used."""

from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE, Configuration, Transformation
from kubectl_fairshare.schedulers.kueue.reading.configuration import find_configuration
from kubectl_fairshare.schedulers.kueue.reading.written_settings import DATA_KEY

V1BETA1, V1BETA2 = "config.kueue.x-k8s.io/v1beta1", "config.kueue.x-k8s.io/v1beta2"


def bare(api_version: str = V1BETA2, **fields: Any) -> Manifest:
    data = {"apiVersion": api_version, "kind": "Configuration", **fields}
    group, _, version = api_version.partition("/")
    return Manifest(ObjectKey(group, "Configuration", "", ""), version, data, Origin("a.yaml", 0))


def config_map(
    text: str, name: str = "kueue-manager-config", key: str = DATA_KEY, namespace: str | None = None
) -> Manifest:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {key: text}}
    return Manifest(ObjectKey("", "ConfigMap", namespace or "kueue-system", name), "v1", data, Origin("b.yaml", 0))


def found(manifest: Manifest) -> Configuration:
    configuration, given = find_configuration([manifest])
    assert given
    return configuration


def test_without_one_everything_is_as_by_default() -> None:
    assert find_configuration([]) == (Configuration(), False)


BOTH, FINAL = (FINAL_SHARE, INITIAL_SHARE), (FINAL_SHARE,)
UNLABELLED = {"nvidia.com/mig": "1", "nvidia.com/gpumem": "5120"}
RESOURCES = {
    "excludeResourcePrefixes": ["example.com/"],
    "transformations": [
        {"input": "nvidia.com/mig-1g.5gb", "outputs": UNLABELLED},
        {"input": "cpu", "strategy": "Replace", "outputs": {"credits": "2"}, "multiplyBy": "nvidia.com/gpu"},
    ],
}


@pytest.mark.parametrize(
    ("manifest", "name", "value"),
    [
        (bare(), "strategies", None),
        (bare(fairSharing={"preemptionStrategies": [FINAL_SHARE]}), "strategies", FINAL),
        (bare(fairSharing={"preemptionStrategies": [*BOTH]}), "strategies", BOTH),
        (bare(V1BETA1, fairSharing={"enable": True}), "strategies", BOTH),
        (bare(V1BETA1, fairSharing={"enable": True, "preemptionStrategies": [FINAL_SHARE]}), "strategies", FINAL),
        (bare(V1BETA1, fairSharing={"enable": False}), "strategies", None),
        (bare(resources=RESOURCES), "excluded_prefixes", ("example.com/",)),
        (
            bare(resources=RESOURCES),
            "transformations",
            (
                Transformation("nvidia.com/mig-1g.5gb", "Retain", UNLABELLED),
                Transformation("cpu", "Replace", {"credits": "2"}, "nvidia.com/gpu"),
            ),
        ),
        (bare(resources={"transformations": [{}]}), "transformations", (Transformation("", "Retain", {}),)),
        (bare(), "quota_check", "BlockUndeclared"),
        (bare(resources={"quotaCheckStrategy": "IgnoreUndeclared"}), "quota_check", "IgnoreUndeclared"),
        (
            bare(resources={"quotaCheckStrategy": "IgnoreUndeclared"}, featureGates={"QuotaCheckStrategy": False}),
            "quota_check",
            "BlockUndeclared",
        ),
        (bare(), "requeuing_timestamp", "Eviction"),
        (bare(waitForPodsReady={"requeuingStrategy": {"timestamp": "Creation"}}), "requeuing_timestamp", "Creation"),
        (
            bare(
                waitForPodsReady={"requeuingStrategy": {"timestamp": "Creation"}},
                featureGates={"DisableWaitForPodsReady": True},
            ),
            "requeuing_timestamp",
            "Creation",
        ),
        (
            bare(V1BETA1, waitForPodsReady={"requeuingStrategy": {"timestamp": "Creation"}}),
            "requeuing_timestamp",
            "Eviction",
        ),
        (bare(), "block_admission", False),
        (bare(waitForPodsReady={"blockAdmission": True}), "block_admission", True),
        (bare(V1BETA1, waitForPodsReady={"enable": True}), "block_admission", True),
        (
            bare(waitForPodsReady={"blockAdmission": True}, featureGates={"DisableWaitForPodsReady": True}),
            "block_admission",
            False,
        ),
        (bare(), "frameworks", ("batch/job",)),
        (bare(integrations={"frameworks": ["pod", "batch/job"]}), "frameworks", ("pod", "batch/job")),
        (bare(), "manage_unlabelled", False),
        (bare(manageJobsWithoutQueueName=True), "manage_unlabelled", True),
        (bare(), "unmodelled", ()),
        (
            bare(featureGates={"VectorizedResourceRequests": False, "PriorityBoost": True}),
            "unmodelled",
            ("VectorizedResourceRequests=false", "PriorityBoost"),
        ),
        (bare(featureGates={"FairSharingPreemptWithinNominal": False}), "unmodelled", ()),
        (
            bare(
                fairSharing={"preemptionStrategies": [*BOTH]}, featureGates={"FairSharingPreemptWithinNominal": False}
            ),
            "unmodelled",
            ("FairSharingPreemptWithinNominal=false",),
        ),
        (bare(featureGates={"UnadmittedWorkloadsObservability": True}), "unmodelled", ()),
        (bare(featureGates={"PartialAdmission": False}), "partial_admission", False),
        (bare(featureGates={"ReclaimablePods": False}), "reclaimable_pods", False),
        (bare(featureGates={"AdmissionGatedBy": False}), "admission_gates", False),
        (bare(featureGates={"WorkloadIdentifierAnnotations": False}), "naming_annotations", False),
        (bare(featureGates={"TopologyAwareScheduling": False, "AllBeta": False}), "topology", False),
        (bare(featureGates={"KueueDRAIntegrationExtendedResource": False}), "device_classes", False),
        (bare(), "preemption_gates", False),
        (bare(featureGates={"ConcurrentAdmission": True}), "preemption_gates", True),
        (bare(), "requeue_seconds", 1),
        (bare(featureGates={"SchedulerLongRequeueInterval": True}), "requeue_seconds", 10),
        (bare(), "equal_together", True),
        (bare(featureGates={"SchedulingEquivalenceHashing": False}), "equal_together", False),
        (bare(), "recomputed_overlap", False),
        (bare(featureGates={"RecomputeAssignmentUponPreemptionTargetsOverlap": True}), "recomputed_overlap", True),
    ],
)
def test_what_is_taken_from_it(manifest: Manifest, name: str, value: object) -> None:
    assert getattr(found(manifest), name) == value


@pytest.mark.parametrize(
    ("manifest", "managed"),
    [
        (bare(), {"team": True, "kube-system": False, "kueue-system": False}),
        (bare(namespace="elsewhere"), {"kueue-system": True, "elsewhere": False}),
        (config_map(f"apiVersion: {V1BETA2}\nkind: Configuration\n"), {"kueue-system": False, "mine": True}),
        (
            config_map(f"apiVersion: {V1BETA2}\nkind: Configuration\n", namespace="mine"),
            {"kueue-system": True, "mine": False},
        ),
        (
            config_map(f"apiVersion: {V1BETA1}\nkind: Configuration\nnamespace: theirs\n", namespace="mine"),
            {"theirs": False, "mine": True},
        ),
        (
            bare(
                managedJobsNamespaceSelector={
                    "matchExpressions": [
                        {"key": "kubernetes.io/metadata.name", "operator": "In", "values": ["team", "other"]}
                    ]
                }
            ),
            {"team": True, "third": False},
        ),
    ],
)
def test_which_namespaces_are_managed(manifest: Manifest, managed: dict[str, bool]) -> None:
    selector = found(manifest).managed_namespaces
    assert selector is not None
    for namespace, expected in managed.items():
        assert selector.matches({"kubernetes.io/metadata.name": namespace}) is expected


CONTENT = f"apiVersion: {V1BETA2}\nkind: Configuration\nfairSharing:\n  preemptionStrategies: [{FINAL_SHARE}]\n"


@pytest.mark.parametrize("name", ["kueue-manager-config", "anything"])
def test_the_managers_config_map_holds_one(name: str) -> None:
    assert found(config_map(CONTENT, name)).strategies == FINAL


@pytest.mark.parametrize(
    "manifest",
    [
        config_map("apiVersion: config.jobset.x-k8s.io/v1alpha1\nkind: Configuration\n"),
        config_map("{{ a template of another project }}"),
    ],
)
def test_other_config_maps_hold_none(manifest: Manifest) -> None:
    assert find_configuration([manifest]) == (Configuration(), False)


def test_two_are_an_error_that_names_both() -> None:
    with pytest.raises(FairshareError) as caught:
        find_configuration([bare(), config_map(CONTENT)])
    (problem,) = caught.value.problems
    both = "one by itself in `a.yaml`, and ConfigMap kueue-system/kueue-manager-config in `b.yaml`"
    assert problem.message == f"Kueue has more than one Configuration: {both}"
    assert isinstance(problem.place, Place)
    assert problem.place.object.kind == "ConfigMap"


@pytest.mark.parametrize(
    ("manifest", "said", "path"),
    [
        (bare(fairSharing={}), "fairSharing.preemptionStrategies: ", ("fairSharing", "preemptionStrategies")),
        (bare(fairSharing={"enable": True}), "fairSharing.enable: unknown field", ("fairSharing", "enable")),
        (bare(queueVisiblity={}), "queueVisiblity: unknown field", ("queueVisiblity",)),
        (bare("config.kueue.x-k8s.io/v1"), "apiVersion: ", ("apiVersion",)),
        (bare(featureGates={"LendingLimit": True}), "LendingLimit", ("featureGates", "LendingLimit")),
        (bare(integrations=3), "integrations: ", ("integrations",)),
        (config_map(CONTENT + "typo: 1\n"), "typo: unknown field", ("data", DATA_KEY, "typo")),
        (config_map(CONTENT + "  bad: [\n"), f"`{DATA_KEY}`: not valid YAML", ("data", DATA_KEY, 6, 1)),
        (config_map(CONTENT + "kind: Configuration\n"), f"`{DATA_KEY}`: key `kind` occurs", ("data", DATA_KEY, 5, 1)),
        (
            config_map(f"a: 1\n---\n{CONTENT}typo: 1\n"),
            "typo: unknown field",
            ("data", DATA_KEY, 2, "typo"),
        ),
    ],
)
def test_one_that_the_manager_refuses_is_an_error(manifest: Manifest, said: str, path: tuple[str, ...]) -> None:
    with pytest.raises(FairshareError) as caught:
        find_configuration([manifest])
    problem = caught.value.problems[0]
    assert said in problem.message
    assert isinstance(problem.place, Place)
    assert problem.place.path == path
