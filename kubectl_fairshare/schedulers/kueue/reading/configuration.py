"""Kueue's Configuration as decisions need it: typed, with the defaults and the gates of a release.

Tested in ``tests/unit/schedulers/kueue/reading/test_configuration.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.durations import nanoseconds as duration
from kubectl_fairshare.input.text.embedded import below
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import label_selector
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission import configuration_laws as law
from kubectl_fairshare.schedulers.kueue.model.objects import (
    AdmissionSharing,
    Configuration,
    PodsReadyPolicy,
    Transformation,
)
from kubectl_fairshare.schedulers.kueue.reading.installers import GateFlags
from kubectl_fairshare.schedulers.kueue.reading.written_settings import (
    GROUP,
    KIND,
    ConfigurationSearch,
    WrittenConfiguration,
    configurations,
)
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease
from kubectl_fairshare.schedulers.kueue.release.gates import NEW_OFF, GateChanges
from kubectl_fairshare.schedulers.kueue.release.writes import write_laws

_REMEDY: Final = "fix it, or name the release that accepts it with `--release`"
_SECOND: Final = 10**9
_SAMPLING: Final = 300 * _SECOND
_ONE: Final = "remove one of them; a manager reads one Configuration"

# Gates that change a decision: every engine here decides as with these on …
_ON: Final = (
    "FlavorFungibility",
    "FlavorFungibilityPreserveScanProgress",
    "PrioritySortingWithinCohort",
    "VectorizedResourceRequests",
)
_ON_WHEN_FAIR: Final = ("FairSharingPreemptWithinNominal", "FairSharingPrioritizeNonBorrowing")
_ON_WITH_TOPOLOGY: Final = (
    "TASFailedNodeReplacement",
    "TASFailedNodeReplacementFailFast",
)
_OFF_WITH_TOPOLOGY: Final = (
    "ElasticJobsViaWorkloadSlicesWithTAS",
    "TASBalancedPlacement",
    "TASProfileLeastFreeCapacity",
    "TASRespectNodeAffinityPreferred",
)
# … and with these off.
_OFF: Final = (
    "ConcurrentAdmission",
    "FastQuotaReleaseInPodIntegration",
    "MultiKueueManagerQuotaAutomation",
    "PriorityBoost",
    "SchedulerLibraryIntegration",
    "SchedulerTimestampPreemptionBuffer",
    *sorted(NEW_OFF),
    "DRAExtendedResources",
    "DynamicResourceAllocation",
    "FlavorFungibilityImplicitPreferenceDefault",
)
_ONCE_FREE: Final = (
    "HierarchicalCohorts",
    "LendingLimit",
    "LocalQueueDefaulting",
    "ManagedJobsNamespaceSelectorAlwaysRespected",
    "SanitizePodSets",
)
"""Gates that were on before they were locked, or gone: some releases let a Configuration turn them off."""
_GATING: Final = ("ConcurrentAdmission", "MultiKueueOrchestratedPreemption")
_RECOMPUTED: Final = "RecomputeAssignmentUponPreemptionTargetsOverlap"
_OF_RELEASE: Final = frozenset({law.FRAMEWORKS, law.GATES, law.UNKNOWN_GATE, law.UNKNOWN_KEY})
"""Laws about names that other releases may know. They are not checked for a release whose names are not known."""
_PREEMPTORS_FIRST: Final = "PrioritizePreemptorWorkloads"
_DEFAULTING: Final = "WorkloadPriorityClassDefaulting"
_OVERLAPPING: Final = "TASHandleOverlappingFlavors"
_RECOMPUTED_PLACES: Final = "TASRecomputeAssignmentWithinSchedulingCycle"
_LAYERS: Final = "TASMultiLayerTopology"
_FINER: Final = "UnadmittedWorkloadsObservability"
_LONE_PODS: Final = "SkipReassignmentForPodOwnedWorkloads"
_LONG_REQUEUE: Final = "SchedulerLongRequeueInterval"
_LONG_REQUEUE_SECONDS: Final = 10


def find_configuration(manifests: Iterable[Manifest], release: KueueRelease = DEFAULT) -> tuple[Configuration, bool]:
    """The Configuration among the manifests: see ``found_configuration``."""
    return found_configuration(configurations(manifests), release)


def found_configuration(found: ConfigurationSearch, release: KueueRelease) -> tuple[Configuration, bool]:
    """The Configuration, or the defaults, and whether the input has one.

    Raises ``FairshareError`` for a second one, for one with which Kueue's manager does not start, and for
    text that is not YAML.
    """
    if found.problems:
        raise FairshareError(*found.problems)
    if not found.written:
        return replace(_unwritten(found.flags, release), elsewhere=found.unread), False
    if len(found.written) > 1:
        raise FairshareError(*_too_many(found.written))
    written = _with_flags(found.written[0], found.flags)
    return replace(_configuration(written, release, found.flags), elsewhere=found.unread), True


def _with_flags(written: WrittenConfiguration, flags: GateFlags) -> WrittenConfiguration:
    """A Configuration with the gates of the command line. Raises ``FairshareError`` if it has gates, too."""
    if not flags.gates or flags.place is None:
        return written
    if written.data.get("featureGates"):
        message = "Kueue's manager does not start: its command line and its Configuration both have feature gates"
        raise FairshareError(Problem(message, flags.place, "move the gates to `featureGates` of the Configuration"))
    return replace(written, data={**written.data, "featureGates": dict(flags.gates)})


def _unwritten(flags: GateFlags, release: KueueRelease) -> Configuration:
    """The settings of a manager without a Configuration; only a command line may say more."""
    usual = default_configuration(release)
    if not flags.gates or flags.place is None:
        return usual
    data = {"apiVersion": f"{GROUP}/v1beta2", "kind": KIND, "featureGates": dict(flags.gates)}
    found = _configuration(WrittenConfiguration(data, flags.place, ""), release, flags)
    return replace(
        found,
        frameworks=usual.frameworks,
        external_frameworks=usual.external_frameworks,
        managed_namespaces=usual.managed_namespaces,
        manage_unlabelled=usual.manage_unlabelled,
    )


def _too_many(found: Sequence[WrittenConfiguration]) -> Iterator[Problem]:
    for written in found[1:]:
        yield Problem(f"Kueue has more than one Configuration: {found[0]}, and {written}", written.place, _ONE)


def _configuration(written: WrittenConfiguration, release: KueueRelease, flags: GateFlags) -> Configuration:
    from kubectl_fairshare.schedulers.kueue.admission.configuration import judge_configuration

    judgement = judge_configuration(written.at_home, release)
    view = judgement.configuration
    causes = judgement.causes if release.knows_names else [c for c in judgement.causes if c.law not in _OF_RELEASE]
    if causes or view is None:
        raise FairshareError(*(_refused(cause, written, flags) for cause in causes or judgement.causes))
    return _typed_configuration(view, release, written.place)


def _refused(cause: Cause, written: WrittenConfiguration, flags: GateFlags) -> Problem:
    """Why the manager does not start, at the field of its Configuration or at its command line."""
    if flags.place is not None and flags.gates and cause.path[:1] == ("featureGates",):
        return Problem(f"Kueue's manager does not start with its command line: {cause.message}", flags.place, _REMEDY)
    message = f"Kueue's manager does not start with its Configuration: {cause.field}: {cause.message}"
    return Problem(message, below(written.place, *cause.path), _REMEDY)


def _typed_configuration(view: JsonObject, release: KueueRelease, place: Place) -> Configuration:
    """The settings of ``view``, which has all defaults and was written at ``place``."""
    from kubectl_fairshare.schedulers.kueue.admission.feature_gates import enabled_gates
    from kubectl_fairshare.schedulers.kueue.jobs.devices import device_resources, sourced_classes

    overrides = view.get("featureGates") or {}
    gates = enabled_gates(overrides, release)
    fair: JsonObject | None = view.get("fairSharing")
    resources: JsonObject = view.get("resources") or {}
    written: JsonObject = view.get("waitForPodsReady") or {}
    waiting: JsonObject = {} if "DisableWaitForPodsReady" in gates else written
    declared = resources.get("quotaCheckStrategy") or "BlockUndeclared"
    return Configuration(
        strategies=None if fair is None else tuple(fair["preemptionStrategies"]),
        excluded_prefixes=tuple(resources.get("excludeResourcePrefixes") or ()),
        transformations=_transformations(resources, place),
        quota_check=declared if "QuotaCheckStrategy" in gates else "BlockUndeclared",
        # counts also where the gate turns the rest off: some were evicted before
        requeuing_timestamp=(written.get("requeuingStrategy") or {}).get("timestamp") or "Eviction",
        managed_namespaces=label_selector(view.get("managedJobsNamespaceSelector")),
        manage_unlabelled=bool(view.get("manageJobsWithoutQueueName")),
        frameworks=tuple(view["integrations"]["frameworks"]),
        external_frameworks=tuple(view["integrations"].get("externalFrameworks", ())),
        block_admission=bool(waiting.get("blockAdmission")),
        pods_ready=_pods_ready(waiting) if waiting else None,
        preemptors_first=_PREEMPTORS_FIRST in gates,
        admission_sharing=admission_sharing(view.get("admissionFairSharing"), gates, release),
        shared_hosts=_OVERLAPPING in gates,
        recomputed_places=_RECOMPUTED_PLACES in gates,
        mixed_profile="TASProfileMixed" in gates,
        unmodelled=(
            *_unmodelled_settings(gates, release.gates, fair is not None),
            *(f"{gate}=false" for gate in _ONCE_FREE if overrides.get(gate) is False),
        ),
        reclaimable_pods="ReclaimablePods" in gates,
        partial_admission="PartialAdmission" in gates,
        elastic_slices="ElasticJobsViaWorkloadSlices" in gates,
        device_classes=gates.issuperset(("KueueDRAIntegration", "KueueDRAIntegrationExtendedResource")),
        device_resources=device_resources(resources.get("deviceClassMappings"), counted="KueueDRAIntegration" in gates),
        sourced_classes=sourced_classes(resources.get("deviceClassMappings")),
        counts_devices="KueueDRAIntegration" in gates,
        finer_reasons=_FINER in gates if release.reason_tokens else None,
        rejects_devices="KueueDRAIntegration" not in gates and "KueueDRARejectWorkloadsWhenDRADisabled" in gates,
        topology="TopologyAwareScheduling" in gates,
        admission_gates="AdmissionGatedBy" in gates,
        naming_annotations="WorkloadIdentifierAnnotations" in gates,
        preemption_gates=not gates.isdisjoint(_GATING),
        recomputed_overlap=_RECOMPUTED in gates,
        default_class=_DEFAULTING in gates,
        requeue_seconds=_LONG_REQUEUE_SECONDS if _LONG_REQUEUE in gates else 1,
        equal_together="SchedulingEquivalenceHashing" in gates,
        slice_layers=_LAYERS in gates,
        lone_pods_stay=_LONE_PODS in gates,
        release=release,
        writes=write_laws(release, gates),
    )


def _pods_ready(written: JsonObject) -> PodsReadyPolicy:
    """The times of waitForPodsReady, which have defaults by now."""
    again: JsonObject = written.get("requeuingStrategy") or {}
    limit, recovery = again.get("backoffLimitCount"), written.get("recoveryTimeout")
    return PodsReadyPolicy(
        duration(written["timeout"]),
        None if recovery is None else duration(recovery),
        int(again.get("backoffBaseSeconds", 60)) * _SECOND,
        int(again.get("backoffMaxSeconds", 3600)) * _SECOND,
        None if limit is None else int(limit),
    )


def _waits_for_pods(release: KueueRelease) -> bool:
    return release.waits_for_pods and not release.gates.is_on("DisableWaitForPodsReady", usually=False)


def default_configuration(release: KueueRelease) -> Configuration:
    """The settings of a manager without a Configuration."""
    from kubectl_fairshare.schedulers.kueue.admission.feature_gates import enabled_gates

    is_on = release.gates.is_on
    return Configuration(
        elastic_slices=is_on("ElasticJobsViaWorkloadSlices"),
        device_classes=is_on("KueueDRAIntegration") and is_on("KueueDRAIntegrationExtendedResource"),
        counts_devices=is_on("KueueDRAIntegration"),
        pods_ready=PodsReadyPolicy() if _waits_for_pods(release) else None,
        finer_reasons=is_on(_FINER, usually=False) if release.reason_tokens else None,
        admission_gates=is_on("AdmissionGatedBy"),
        naming_annotations=is_on("WorkloadIdentifierAnnotations"),
        preemption_gates=any(is_on(gate, usually=False) for gate in _GATING),
        recomputed_overlap=is_on(_RECOMPUTED, usually=False),
        default_class=is_on(_DEFAULTING, usually=False),
        equal_together=is_on("SchedulingEquivalenceHashing"),
        shared_hosts=is_on(_OVERLAPPING),
        recomputed_places=is_on(_RECOMPUTED_PLACES),
        slice_layers=is_on(_LAYERS),
        lone_pods_stay=is_on(_LONE_PODS),
        release=release,
        writes=write_laws(release, enabled_gates({}, release)),
    )


def admission_sharing(
    data: JsonObject | None, gates: Collection[str], release: KueueRelease
) -> AdmissionSharing | None:
    """Admission fair sharing in the Configuration; None if it is off."""
    if data is None or "AdmissionFairSharing" not in gates:
        return None
    half_life, sampling = (data.get(name) or "0s" for name in ("usageHalfLifeTime", "usageSamplingInterval"))
    weights = {name: float(weight) for name, weight in sorted((data.get("resourceWeights") or {}).items())}
    interval = duration(sampling) or _SAMPLING
    return AdmissionSharing(duration(half_life) / _SECOND, interval / _SECOND, weights, release)


def _transformations(resources: JsonObject, place: Place) -> tuple[Transformation, ...]:
    found = enumerate(resources.get("transformations") or ())
    return tuple(_transformation(each, below(place, "resources", "transformations", i)) for i, each in found)


def _transformation(data: JsonObject, place: Place) -> Transformation:
    outputs = {name: str(factor) for name, factor in sorted((data.get("outputs") or {}).items())}
    return Transformation(data.get("input") or "", data["strategy"], outputs, data.get("multiplyBy") or None, place)


def _unmodelled_settings(gates: frozenset[str], changes: GateChanges, fair: bool) -> Iterator[str]:
    """Gates with another value than the engine models: ``Gate`` if it is turned on, ``Gate=false`` if off."""
    topology = "TopologyAwareScheduling" in gates
    for gate in (*_ON, *(_ON_WHEN_FAIR if fair else ()), *(_ON_WITH_TOPOLOGY if topology else ())):
        if (gate in gates) is not changes.is_on(gate):
            yield gate if gate in gates else f"{gate}=false"
    yield from (gate for gate in (*_OFF, *(_OFF_WITH_TOPOLOGY if topology else ())) if gate in gates)
