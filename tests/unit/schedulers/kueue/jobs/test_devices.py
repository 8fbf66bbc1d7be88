"""Devices that pods claim: known counts are requests, and all else takes exact from the answer.

Kueue v0.19.2 counts the first case as the test does (its own functions for claims, and a nomination).
"""

import json
from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.jobs.devices import device_resources, sourced_classes
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.reads import READS
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of

Object = dict[str, Any]
GPU = "example.com/gpu"
EXACTLY = {"deviceClassName": "gold", "allocationMode": "ExactCount", "count": 2}


def kueue(kind: str, name: str, spec: Object, **metadata: Any) -> Object:
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": kind,
        "metadata": {"name": name, **metadata},
        "spec": spec,
    }


def template(*requests: Object) -> Object:
    spec = {"spec": {"devices": {"requests": [{"name": f"r{i}", **each} for i, each in enumerate(requests)]}}}
    metadata = {"name": "two", "namespace": "team"}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": metadata, "spec": spec}


def planned(*objects: Object, gates: Object | None = None, claim: Object | None = None, quota: int = 12) -> Plan:
    """The plan of a workload of three pods, each with one claim and a GPU of its own request."""
    mappings = [{"name": GPU, "deviceClassNames": ["gold", "silver"]}]
    configuration = {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "resources": {"deviceClassMappings": mappings},
        "featureGates": gates or {},
    }
    pod = {
        "restartPolicy": "Never",
        "resourceClaims": [claim or {"name": "c", "resourceClaimTemplateName": "two"}],
        "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1", GPU: "1"}}}],
    }
    quotas = [{"name": "cpu", "nominalQuota": 9}, {"name": GPU, "nominalQuota": quota}]
    group = {"coveredResources": ["cpu", GPU], "flavors": [{"name": "f", "resources": quotas}]}
    held = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "kueue-manager-config", "namespace": "kueue-system"},
        "data": {"controller_manager_config.yaml": json.dumps(configuration)},
    }
    made = [
        *objects,
        held,
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}},
        kueue("ResourceFlavor", "f", {}),
        kueue("ClusterQueue", "q", {"namespaceSelector": {}, "resourceGroups": [group]}),
        kueue("LocalQueue", "q", {"clusterQueue": "q"}, namespace="team"),
        kueue(
            "Workload",
            "w",
            {"queueName": "q", "podSets": [{"name": "main", "count": 3, "template": {"spec": pod}}]},
            namespace="team",
            uid="w",
            creationTimestamp="2026-01-01T00:00:00Z",
        ),
    ]
    assembled = assemble(manifests_of(map(accepted_form, made), "test"), KnownSchedulers((READS,)))
    assert assembled.problems == ()
    return KueueEngine().plan(assembled.snapshot, assembled.snapshot.part(KueueState).pending[0])


@pytest.mark.parametrize(("quota", "outcome"), [(9, "Admitted"), (8, "Never")])
def test_known_counts_are_added_to_what_the_pod_requests(quota: int, outcome: str) -> None:
    found = planned(template({"exactly": EXACTLY}), quota=quota)
    assert found.workload.pod_sets[0].requests == {"cpu": 1000, GPU: 3}
    assert (str(found.outcome), found.fidelity.exact) == (outcome, True)


def test_requests_of_a_claim_add_up_and_one_device_is_the_default() -> None:
    found = planned(template({"exactly": EXACTLY}, {"exactly": {"deviceClassName": "silver"}}), quota=12)
    assert found.workload.pod_sets[0].requests[GPU] == 4
    assert found.fidelity.exact


CLAIM = "spec.podSets[0].template.spec.resourceClaims[0]"
TWO = "ResourceClaimTemplate two"
REQUEST = f"{CLAIM}.devices.requests[0]"
UNMAPPED = "DeviceClass bronze is not mapped in DRA configuration for podset main"


# GetResourceRequestsForResourceClaimTemplates and countDevicesPerClass: each mistake is a condition, and no queue.
@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (
            {"exactly": {**EXACTLY, "deviceClassName": "bronze"}},
            f'{CLAIM}.resourceClaimTemplateName: Not found: "{UNMAPPED}"',
        ),
        (
            {"exactly": {**EXACTLY, "allocationMode": "All"}},
            f"{REQUEST}.exactly.allocationMode: Invalid value: \"All\": {TWO}: AllocationMode 'All' is not supported",
        ),
        (
            {"exactly": {**EXACTLY, "adminAccess": True}},
            f"{REQUEST}.exactly.adminAccess: Invalid value: null: {TWO}: AdminAccess is not supported",
        ),
        (
            {"firstAvailable": [{"name": "a", **EXACTLY}]},
            f"{REQUEST}: Invalid value: null: {TWO}: FirstAvailable device selection is not supported",
        ),
    ],
)
def test_what_kueue_cannot_count_is_inadmissible(request_: Object, message: str) -> None:
    found = planned(template(request_))
    assert (str(found.outcome), found.fidelity.exact) == ("Never", True)
    written = condition(found)
    assert (written.reason, written.message) == ("Inadmissible", message)


@pytest.mark.parametrize(
    "request_",
    [{"exactly": {**EXACTLY, "selectors": [{"cel": {"expression": "true"}}]}}, {"deviceClassName": "gold"}],
)
def test_what_rests_on_the_devices_of_a_cluster_is_not_exact(request_: Object) -> None:
    assert str(planned(template(request_)).outcome) == "Unknown"


def test_so_is_a_template_that_is_missing() -> None:
    assert str(planned().outcome) == "Unknown"


def test_claims_by_name_and_claims_without_the_gate_are_inadmissible_or_ignored() -> None:
    by_name = planned(claim={"name": "c", "resourceClaimName": "one"})
    assert condition(by_name).message == "KueueDRAIntegration feature does not support use of resource claims"
    gates = {f"KueueDRAIntegration{each}": False for each in ("", "ExtendedResource", "PartitionableDevices")}
    off = planned(template({"exactly": EXACTLY}), gates=gates)
    text = "Workload uses DRA resources but the KueueDRAIntegration feature gate is not enabled"
    assert (str(off.outcome), condition(off).message) == ("Never", text)
    ignored = planned(template({"exactly": EXACTLY}), gates={**gates, "KueueDRARejectWorkloadsWhenDRADisabled": False})
    assert ignored.workload.pod_sets[0].requests == {"cpu": 1000, GPU: 1}
    assert (str(ignored.outcome), ignored.fidelity.exact) == ("Admitted", True)


def test_classes_with_counters_or_capacities_are_not_counted_by_device() -> None:
    mappings = [
        {"name": "a", "deviceClassNames": ["x", "y"]},
        {"name": "b", "deviceClassNames": ["y"], "sources": [{}]},
    ]
    assert device_resources(mappings, counted=True) == {"x": "a"}
    assert device_resources(mappings, counted=False) == {}
    assert sourced_classes(mappings) == {"y"}
