"""The manager's Configuration: strict decoding, defaults, conversion, rules."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.configuration import is_configuration, judge_configuration


def written(version: str = "v1beta2", **fields: Any) -> dict[str, Any]:
    return {"apiVersion": f"config.kueue.x-k8s.io/{version}", "kind": "Configuration", **fields}


def fields(**given: Any) -> set[str]:
    return {cause.field for cause in judge_configuration(written(**given)).causes}


def kept(version: str, **given: Any) -> Any:
    judgement = judge_configuration(written(version, **given))
    assert judgement.accepted
    return judgement.configuration


def test_an_empty_configuration_waits_for_pods_and_shares_nothing() -> None:
    configuration = kept("v1beta2")
    assert "fairSharing" not in configuration
    assert configuration["waitForPodsReady"] == {
        "timeout": "30m0s",
        "recoveryTimeout": "30m0s",
        "blockAdmission": False,
        "requeuingStrategy": {"timestamp": "Eviction", "backoffBaseSeconds": 60, "backoffMaxSeconds": 3600},
    }
    assert configuration["integrations"]["frameworks"] == ["batch/job"]


def test_v1beta1_needs_enable() -> None:
    assert not {"fairSharing", "waitForPodsReady"} & kept("v1beta1", fairSharing={"enable": False}).keys()
    enabled = kept("v1beta1", fairSharing={"enable": True}, waitForPodsReady={"enable": True})
    assert enabled["fairSharing"] == {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]}
    assert (enabled["waitForPodsReady"]["timeout"], enabled["waitForPodsReady"]["blockAdmission"]) == ("5m0s", True)


def test_what_has_no_successor_goes() -> None:
    configuration = kept("v1beta1", queueVisibility={"updateIntervalSeconds": 5}, integrations={"podOptions": {}})
    assert "queueVisibility" not in configuration
    assert configuration["integrations"] == {"frameworks": ["batch/job"]}


@pytest.mark.parametrize(
    ("given", "complained"),
    [
        ({"foo": 1}, {"foo"}),
        ({"fairSharing": {}}, {"fairSharing.preemptionStrategies"}),
        ({"fairSharing": {"enable": True, "preemptionStrategies": ["LessThanInitialShare"]}}, {"fairSharing.enable"}),
        (
            {"fairSharing": {"preemptionStrategies": ["LessThanInitialShare", "LessThanOrEqualToFinalShare"]}},
            {"fairSharing.preemptionStrategies"},
        ),
        ({"waitForPodsReady": {"timeout": 5}}, {"waitForPodsReady.timeout"}),
        (
            {"waitForPodsReady": {"requeuingStrategy": {"timestamp": "Now", "backoffLimitCount": -1}}},
            {f"waitForPodsReady.requeuingStrategy.{name}" for name in ("timestamp", "backoffLimitCount")},
        ),
        ({"integrations": {"frameworks": ["pod", "job", "pod"]}}, {f"integrations.frameworks[{i}]" for i in (1, 2)}),
        ({"integrations": {"externalFrameworks": ["Foo.v1"]}}, {"integrations.externalFrameworks[0]"}),
        ({"managedJobsNamespaceSelector": {}}, {"managedJobsNamespaceSelector"}),
        (
            {"managedJobsNamespaceSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}},
            {"managedJobsNamespaceSelector.matchExpressions[0].values"},
        ),
        ({"managedJobsNamespaceSelector": {"matchLabels": {"a": "b"}}}, set()),
        ({"admissionFairSharing": {"usageHalfLifeTime": "-1s"}}, {"admissionFairSharing.usageHalfLifeTime"}),
        ({"admissionFairSharing": {"resourceWeights": {"cpu": -1}}}, {"admissionFairSharing.resourceWeights[cpu]"}),
        (
            {"resources": {"quotaCheckStrategy": "IgnoreUndeclared", "excludeResourcePrefixes": ["a"]}},
            {"resources.quotaCheckStrategy"},
        ),
        (
            {"resources": {"transformations": [{"input": "a", "strategy": "Drop"}, {"input": "a"}]}},
            {"resources.transformations[0].strategy", "resources.transformations[1].input"},
        ),
        (
            {"resources": {"deviceClassMappings": [{"name": "a", "deviceClassNames": []}]}},
            {"resources.deviceClassMappings[0].deviceClassNames"},
        ),
        ({"multiKueue": {"incrementalDispatcherConfig": {"stepSize": 2}}}, {"multiKueue.incrementalDispatcherConfig"}),
        (
            {"visibilityServer": {"bindAddress": "x", "bindPort": 0}},
            {f"visibilityServer.bind{n}" for n in ("Address", "Port")},
        ),
        ({"tls": {"minVersion": "VersionTLS13", "cipherSuites": ["a"]}}, {"tls.cipherSuites"}),
        ({"featureGates": {"LendingLimit": True}}, {"featureGates.LendingLimit"}),
        ({"featureGates": {"HierarchicalCohorts": False}}, {"featureGates.HierarchicalCohorts"}),
        (
            {"featureGates": {"UnadmittedWorkloadsExplicitStatus": True}},
            {"featureGates.UnadmittedWorkloadsExplicitStatus"},
        ),
        ({"featureGates": {"ConcurrentAdmission": True}}, set()),
        ({"metrics": {"customLabels": [{"name": "1"}]}}, {"metrics.customLabels[0].name"}),
    ],
)
def test_rules(given: dict[str, Any], complained: set[str]) -> None:
    assert fields(**given) == complained


def test_other_versions_are_unknown() -> None:
    assert {c.field for c in judge_configuration(written("v1alpha1")).causes} == {"apiVersion"}
    assert is_configuration(written("v1alpha1"))
    assert not is_configuration({"apiVersion": "v1", "kind": "ConfigMap"})
