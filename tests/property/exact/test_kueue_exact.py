"""No answer is exact where a feature of Kueue that is not modelled can change it.

Every feature gate of a release is modelled, takes ``exact`` from every answer once it leaves its default, or is of no
account for an admission; a gate that a release adds belongs to one of the three. On recorded cases a field of a feature
that is not modelled takes ``exact`` from every admission, and a field that a closed gate ignores changes nothing.
"""

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.conformance.run import cases
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission.feature_gates import complaints, enabled_gates, is_known
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.release import KueueRelease, release_named
from kubectl_fairshare.schedulers.kueue.release.gates import NEW_OFF
from kubectl_fairshare.schedulers.kueue.why.verdict import Inquiry
from tests.sampling import sampled

ROOT = Path(__file__).resolve().parents[3]
RECORDED = list(cases(ROOT / "testdata" / "conformance" / "kueue.jsonl.gz"))
LISTED = json.loads((ROOT / "kubectl_fairshare/schedulers/kueue/admission/feature_gates.json").read_text("utf-8"))
MODELLED = {
    *("SchedulerLongRequeueInterval", "SchedulingEquivalenceHashing"),
    *("AdmissionFairSharing", "AdmissionGatedBy", "DisableWaitForPodsReady", "ElasticJobsViaWorkloadSlices"),
    *("SkipReassignmentForPodOwnedWorkloads", "TASHandleOverlappingFlavors", "TASMultiLayerTopology"),
    "TASRecomputeAssignmentWithinSchedulingCycle",
    *("KueueDRAIntegration", "KueueDRAIntegrationExtendedResource", "MultiKueueOrchestratedPreemption"),
    "PrioritizePreemptorWorkloads",
    *("PartialAdmission", "QuotaCheckStrategy", "ReclaimablePods", "RecomputeAssignmentUponPreemptionTargetsOverlap"),
    *("TASProfileMixed", "TopologyAwareScheduling", "WorkloadIdentifierAnnotations", "WorkloadPriorityClassDefaulting"),
}
GAPS = {
    *("ConcurrentAdmission", "ElasticJobsViaWorkloadSlicesWithTAS", "FairSharingPreemptWithinNominal"),
    *("FairSharingPrioritizeNonBorrowing", "FastQuotaReleaseInPodIntegration", "FlavorFungibility"),
    *("FlavorFungibilityPreserveScanProgress", "MultiKueueManagerQuotaAutomation"),
    *("PriorityBoost", "PrioritySortingWithinCohort", "SchedulerLibraryIntegration"),
    *("SchedulerTimestampPreemptionBuffer", "TASBalancedPlacement"),
    *("TASFailedNodeReplacement", "TASFailedNodeReplacementFailFast", "TASRespectNodeAffinityPreferred"),
    "VectorizedResourceRequests",
    *("ManagedJobsNamespaceSelectorAlwaysRespected", "HierarchicalCohorts", "LendingLimit", "LocalQueueDefaulting"),
    *("SanitizePodSets", "FlavorFungibilityImplicitPreferenceDefault", "TASProfileLeastFreeCapacity"),
    *("DynamicResourceAllocation", "DRAExtendedResources"),
    *NEW_OFF,
}
BY_WORKLOAD = {
    *("AdmissionFairSharingAnchorAtQuotaReservation", "PodGroupSchedulingShapeOrdering", "TASGroupedPodSetSlicing"),
    *("TASLeaderPodSetFeasibility", "TASNodeFeasibilityForAllLevels", "TASPartialSlices"),
}
"""Gates of 0.20 about features that no workload has exactly there, whatever the gate says."""
IDLE = {
    *("AssignQueueLabelsForPods", "CleanupProvisioningRequestsOnEviction", "CustomMetricLabels"),
    *("DeferRayServiceFinalizationForRedisCleanup", "FailureRecoveryPolicy", "FinishOrphanedWorkloads"),
    *("KueueDRAIntegrationConsumableCapacity", "KueueDRAIntegrationPartitionableDevices"),
    *("KueueDRARejectWorkloadsWhenDRADisabled", "LWSImmutableGroupSize", "LocalQueueMetrics"),
    *("MetricForWorkloadCreationLatency", "MetricsForCohorts", "MultiKueue", "MultiKueueAdaptersForCustomJobs"),
    *("MultiKueueAllowInsecureKubeconfigs", "MultiKueueBatchJobWithManagedBy", "ObjectRetentionPolicies"),
    *("MultiKueueRedoAdmissionOnEvictionInWorker", "MultiKueueWaitForWorkloadAdmitted"),
    *("PropagateBatchJobLabelsToWorkload", "SkipFinalizersForPodsSuspendedByParent"),
    *("MultiKueueClusterProfile", "MultiKueueIncrementalDispatcherConfig"),
    *("MultiKueueIncrementalDispatcherRespectConfigOrder", "MultiKueueKubeConfigPathValidation"),
    *("MultiKueueRemoteSpecSync", "PodIntegrationValidateGroupOwner", "RejectUpdatesToCQWithInvalidOnFlavors"),
    "RemoveFinalizersWithStrictPatch",
    *("SchedulingEquivalenceHashingIgnorePodSetName", "ShortWorkloadNames", "SkipAncestorCheckForDeletedWorkloads"),
    *("SparkApplicationIntegration", "TASAssignmentsEncodingByHostnamePrefix", "TASCacheNodeMatchResults"),
    *("TASCacheTopologyTree", "TASCachingRemainingResources", "TASReplaceNodeDueToNotReadyOverFixedTime"),
    *("TASReplaceNodeOnNodeTaints", "TASReplaceNodeOnPodTermination", "TASValidateWorkloadSliceSize", "TLSOptions"),
    *("UnadmittedWorkloadsExplicitStatus", "UnadmittedWorkloadsObservability", "ValidateRayAndSparkJobUpdates"),
    *("VisibilityOnDemand", "WorkloadRequestUseMergePatch"),
    *("WorkloadValidateResourcesAreNonNegative", "WorkloadValidationForPodSetMetadata"),
}
RELEASES = tuple(map(release_named, ("0.16", "0.17", "0.18", "0.19", "0.20")))
ENGINE = KueueEngine()
Change = Callable[[list[Any]], None]


def free_gates(release: KueueRelease) -> set[str]:
    """The gates that a Configuration can set in a release."""
    listed = {gate for kind in ("alpha", "beta", "deprecated") for gate in LISTED[kind]}
    locked = {*LISTED["lockedOn"], *LISTED["lockedOff"]}
    gates = release.gates
    locked = (locked - gates.free) | gates.locked
    return {g for g in (listed | gates.on | gates.off | gates.free) - locked if is_known(g, release)}


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_every_gate_is_modelled_or_a_gap_or_of_no_account(release: KueueRelease) -> None:
    classes = (MODELLED, GAPS, BY_WORKLOAD, IDLE)
    assert {g: sum(g in each for each in classes) for g in free_gates(release)} == dict.fromkeys(free_gates(release), 1)


def toggled(gate: str, release: KueueRelease) -> dict[str, bool]:
    """A gate away from its default, with what it takes for the manager to start."""
    set_on = gate not in enabled_gates({}, release)
    gates = {gate: set_on, **(dict.fromkeys(LISTED["needs"].get(gate, ()), True) if set_on else {})}
    for other in [
        name for name, needed in LISTED["needs"].items() if gate in needed and not set_on and is_known(name, release)
    ]:
        gates[other] = False
    assert not list(complaints(gates, release))
    return gates


def settings(gates: dict[str, bool], *, fair: bool) -> Any:
    sharing = {"fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare"]}} if fair else {}
    inner = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", "featureGates": gates, **sharing}
    metadata = {"name": "kueue-manager-config", "namespace": "kueue-system"}
    data = {"controller_manager_config.yaml": json.dumps(inner)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def changed(case: Any, *changes: Change, release: KueueRelease | None = None) -> Snapshot:
    objects = copy.deepcopy(case["objects"])
    for change in changes:
        change(objects)
    named = {} if release is None else {"release": release.text.removeprefix("v")}
    return case_snapshot({**case, "objects": objects, "config": {**case["config"], **named}})


def with_gates(case: Any, gates: dict[str, bool]) -> Change:
    return lambda objects: objects.append(settings(gates, fair=case["config"].get("fairSharing") is not None))


def plans(snapshot: Snapshot) -> Iterator[Any]:
    return (ENGINE.plan(snapshot, w) for w in snapshot.part(KueueState).pending)


def admitted(snapshot: Snapshot) -> set[str]:
    """The pending workloads that one cycle may admit, or preempt for, as far as quota decides."""
    return {p.workload.name for p in plans(snapshot) if p.computed in (Outcome.ADMITTED, Outcome.PREEMPTS)}


def sample(step: int) -> list[Any]:
    """Every ``step``-th recorded case with an answer that a gap can take ``exact`` from."""
    return [case for case in RECORDED[::step] if admitted(case_snapshot(case))]


@pytest.mark.parametrize("release", sampled(RELEASES, 9), ids=str)
def test_a_gate_that_is_not_modelled_takes_exact_from_every_answer(release: KueueRelease) -> None:
    case = next(c for c in sample(40) if c["config"].get("fairSharing"))
    assert ENGINE.cycle(changed(case, release=release)).fidelity.exact
    for gate in sorted(GAPS & free_gates(release)):
        snapshot = changed(case, with_gates(case, toggled(gate, release)), release=release)
        assert not ENGINE.cycle(snapshot).fidelity.exact, gate
        first = snapshot.part(KueueState).pending[0]
        assert ENGINE.plan(snapshot, first).outcome is Outcome.UNKNOWN, gate
        (found,) = ENGINE.why(snapshot, [Inquiry(first)], briefly=True)
        assert not found.fidelity.exact, gate


@pytest.mark.parametrize("release", sampled(RELEASES, 9), ids=str)
def test_a_gate_of_no_account_changes_nothing(release: KueueRelease) -> None:
    case = RECORDED[0]
    before = changed(case, with_gates(case, {}), release=release).part(KueueState)
    for gate in sorted(IDLE & free_gates(release)):
        after = changed(case, with_gates(case, toggled(gate, release)), release=release).part(KueueState)
        was = before.configuration
        words = after.configuration.finer_reasons if "UnadmittedWorkloads" in gate else was.finer_reasons
        assert after.configuration == replace(was, writes=after.configuration.writes, finer_reasons=words), gate


def pending_in(objects: list[Any]) -> Iterator[Any]:
    return (o for o in objects if o["kind"] == "Workload" and not (o.get("status") or {}).get("admission"))


def claims(objects: list[Any]) -> None:
    for workload in pending_in(objects):
        for pod_set in workload["spec"]["podSets"]:
            pod_set["template"]["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "one"}]


def device_class(objects: list[Any]) -> None:
    spec = {"extendedResourceName": "nvidia.com/gpu"}
    metadata = {"name": "gpu"}
    objects.append({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": metadata, "spec": spec})


@pytest.mark.slow
def test_resource_claims_take_exact_from_all_that_quota_does_not_keep_out_for_ever() -> None:
    for case in sample(25):
        snapshot = changed(case, claims)
        for found in plans(snapshot):
            if found.computed in (Outcome.ADMITTED, Outcome.PREEMPTS, Outcome.WAITS):
                assert found.outcome is Outcome.UNKNOWN, case["name"]
        assert not ENGINE.cycle(snapshot).fidelity.exact, case["name"]


def default_gpu(objects: list[Any]) -> None:
    """Every container that names no GPU gets one by default."""
    item = {"type": "Container", "defaultRequest": {"nvidia.com/gpu": "1"}, "default": {"nvidia.com/gpu": "1"}}
    for namespace in {o["metadata"]["namespace"] for o in pending_in(objects)}:
        metadata = {"name": "gpu", "namespace": namespace}
        objects.append({"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": {"limits": [item]}})


def test_so_does_one_that_a_limit_range_adds() -> None:
    case = RECORDED[0]
    assert not any(p.fidelity.exact for p in plans(changed(case, default_gpu, device_class)))


def gpu_requests(found: Any) -> bool:
    return any("nvidia.com/gpu" in pod_set.requests for pod_set in found.workload.pod_sets)


@pytest.mark.slow
def test_an_extended_resource_of_a_device_class_takes_exact_from_every_answer() -> None:
    for case in RECORDED[::25]:
        for found in plans(changed(case, device_class)):
            before = changed(case).part(KueueState)
            known = ENGINE.plan(changed(case), next(w for w in before.pending if w.key == found.workload.key))
            assert found.fidelity.exact == (known.fidelity.exact and not gpu_requests(found)), case["name"]


@pytest.mark.slow
def test_device_classes_that_may_not_be_read_take_exact_from_what_they_could_provide() -> None:
    seen = set()
    for case in RECORDED[::25]:
        snapshot = changed(case)
        state = snapshot.part(KueueState)
        hidden = snapshot.with_part(replace(state, unread=("DeviceClass",)))
        for found in plans(hidden):
            assert found.fidelity.exact is not gpu_requests(found), case["name"]
            seen.add(found.fidelity.exact)
        assert ENGINE.cycle(hidden).fidelity.exact is not any(map(gpu_requests, plans(hidden)))
    assert seen == {True, False}


def ignored(objects: list[Any]) -> None:
    """What the gates that are off by default make Kueue look at."""
    for workload in pending_in(objects):
        workload["metadata"].setdefault("annotations", {}).update(
            {
                "kueue.x-k8s.io/workload-allowed-resource-flavors": "another",
                "kueue.x-k8s.io/priority-boost": "1000",
            }
        )
        workload["spec"]["preemptionGates"] = [{"name": "kueue.x-k8s.io/multikueue"}]
    for queue in (o for o in objects if o["kind"] == "ClusterQueue"):
        queue["spec"]["concurrentAdmissionPolicy"] = {"migration": {"mode": "TryPreferredFlavors"}}


@pytest.mark.slow
def test_what_a_closed_gate_ignores_changes_nothing() -> None:
    for case in RECORDED[::50]:
        before, after = changed(case), changed(case, ignored)
        assert [p.outcome for p in plans(after)] == [p.outcome for p in plans(before)], case["name"]
        assert ENGINE.cycle(after).fidelity.exact == ENGINE.cycle(before).fidelity.exact, case["name"]


@pytest.mark.slow
def test_pods_of_a_queue_that_is_not_in_the_input_take_exact_from_every_place() -> None:
    """Kueue counts them only where it knows the queue; a queue that holds quota cannot have been deleted."""
    asked = 0
    for case in [*cases(ROOT / "testdata" / "conformance" / "kueue-tas.jsonl.gz")][::4]:
        state = case_snapshot(case).part(KueueState)
        held = {h.cluster_queue for h in state.holders if h.placements}
        for gone in sorted(held)[:1]:
            snapshot = changed(case, partial(remove, kind="ClusterQueue", name=gone))
            for found in plans(snapshot):
                if found.nomination.placed and found.computed is not Outcome.NEVER:
                    asked += 1
                    assert f"ClusterQueue {gone}" in {gap.subject for gap in found.fidelity.gaps}, case["name"]
                    assert not found.fidelity.exact, case["name"]
    assert asked


def remove(objects: list[Any], kind: str, name: str) -> None:
    objects[:] = [o for o in objects if (o["kind"], o["metadata"]["name"]) != (kind, name)]
