"""Every field of Kueue's Configuration is read, or is named here with the reason why no admission depends on it.

A field that a release adds to the schema belongs to one of the two.
"""

import json
from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.reading.configuration import find_configuration
from kubectl_fairshare.schedulers.recording import manifest_of
from tests.property.exact.kueue_fields import FieldNames, fields, two_values, with_value

OF_THE_PROCESS = "it is about the manager's process, its certificates and what it serves"
TIMED = "only a timer reads it, after the admission"
MULTIKUEUE = "only MultiKueue reads it"
OF_JOBS = "Kueue makes the Workloads of such jobs elsewhere, or copies labels that no decision reads"
IDLE = {
    **dict.fromkeys(("clientConnection", "controller", "health", "internalCertManagement"), OF_THE_PROCESS),
    **dict.fromkeys(("leaderElection", "metrics", "pprofBindAddress", "tls"), OF_THE_PROCESS),
    **dict.fromkeys(("visibilityServer", "webhook"), OF_THE_PROCESS),
    **dict.fromkeys(("integrations.externalFrameworks", "integrations.labelKeysToCopy"), OF_JOBS),
    "multiKueue": MULTIKUEUE,
    "objectRetentionPolicies": TIMED,
}
TRANSFORMATION = {"input": "a.io/x", "strategy": "Replace", "outputs": {"b.io/y": "1"}}
DEVICES = {"name": "a.io/x", "deviceClassNames": ["gold"]}
COUNTER = {"counter": {"name": "memory", "driver": "a.io"}}
READ: dict[str, tuple[Any, Any]] = {
    "admissionFairSharing.resourceWeights": ({"cpu": 1}, {"cpu": 2}),
    "admissionFairSharing.usageHalfLifeTime": ("1h", "2h"),
    "admissionFairSharing.usageSamplingInterval": ("5m", "1h"),
    "fairSharing.preemptionStrategies": (["LessThanInitialShare"], ["LessThanOrEqualToFinalShare"]),
    "featureGates": ({"PartialAdmission": False}, {}),
    "integrations.frameworks": (["batch/job"], ["jobset.x-k8s.io/jobset"]),
    "manageJobsWithoutQueueName": (True, False),
    "managedJobsNamespaceSelector.matchExpressions": (
        [{"key": "a", "operator": "Exists"}],
        [{"key": "b", "operator": "Exists"}],
    ),
    "managedJobsNamespaceSelector.matchLabels": ({"a": "b"}, {"a": "c"}),
    "namespace": ("kueue-system", "elsewhere"),
    **{
        f"resources.deviceClassMappings.[].{field}": ([DEVICES], [DEVICES | {field: value}])
        for field, value in (("name", "a.io/z"), ("deviceClassNames", ["silver"]), ("sources", [COUNTER]))
    },
    "resources.excludeResourcePrefixes": (["a.io"], ["b.io"]),
    "resources.quotaCheckStrategy": ("BlockUndeclared", "IgnoreUndeclared"),
    **{
        f"resources.transformations.[].{field}": ([TRANSFORMATION], [TRANSFORMATION | {field: value}])
        for field, value in (
            ("input", "a.io/z"),
            ("multiplyBy", "cpu"),
            ("outputs", {"b.io/y": "2"}),
            ("strategy", "Retain"),
        )
    },
    "waitForPodsReady.blockAdmission": (True, False),
    "waitForPodsReady.recoveryTimeout": ("5m", "6m"),
    "waitForPodsReady.requeuingStrategy.backoffBaseSeconds": (1, 2),
    "waitForPodsReady.requeuingStrategy.backoffLimitCount": (1, 2),
    "waitForPodsReady.requeuingStrategy.backoffMaxSeconds": (1, 2),
    "waitForPodsReady.timeout": ("5m", "6m"),
    "waitForPodsReady.requeuingStrategy.timestamp": ("Eviction", "Creation"),
}
GIVEN = {
    "apiVersion": "config.kueue.x-k8s.io/v1beta2",
    "kind": "Configuration",
    "admissionFairSharing": {"usageHalfLifeTime": "1h", "usageSamplingInterval": "5m"},
    "waitForPodsReady": {"timeout": "5m"},
}


def settings(data: Any) -> Configuration | None:
    """What the house reads; None for a Configuration with which the manager does not start."""
    held = {"controller_manager_config.yaml": json.dumps(data)}
    metadata = {"name": "kueue-manager-config", "namespace": "kueue-system"}
    holder = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": held}
    try:
        return find_configuration([manifest_of(holder, Origin("x", 0))])[0]
    except FairshareError:
        return None


def place(name: str, known: Any) -> list[str]:
    """The entries of ``known`` that a field, by its name with dots, belongs to."""
    return [each for each in known if name == each or name.startswith(f"{each}.")]


def test_each_field_is_read_or_of_no_account() -> None:
    names = [".".join(way) for way, _ in fields("Configuration")]
    assert {name: found for name in names if len(found := place(name, READ) + place(name, IDLE)) != 1} == {}
    assert [each for each in (*READ, *IDLE) if not any(place(name, [each]) for name in names)] == []


@pytest.mark.parametrize("name", sorted(READ))
def test_two_values_of_a_field_that_is_read_make_two_configurations(name: str) -> None:
    way = tuple(name.partition(".[]")[0].split("."))
    first, second = (settings(with_value(GIVEN, way, value)) for value in READ[name])
    assert first is not None
    assert second is not None
    assert first != second


@pytest.mark.parametrize(
    ("way", "schema"), [pair for pair in fields("Configuration") if place(".".join(pair[0]), IDLE)], ids=str
)
def test_a_field_of_no_account_changes_nothing(way: FieldNames, schema: Any) -> None:
    found = [settings(with_value(GIVEN, way, value)) for value in two_values(schema)]
    assert all(each in (None, settings(GIVEN)) for each in found)
