"""Kueue's Configuration among the manifests: bare, inside the manager's ConfigMap, or in what installs Kueue.

Any ConfigMap with a Configuration of Kueue in ``controller_manager_config.yaml`` counts as the manager's. Other
projects use the same name for theirs, which are ignored. What the manager reads counts before what installs it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.api.durations import nanoseconds as duration
from kubectl_fairshare.input.text.embedded import below, embedded_documents
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import label_selector
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.admission import configuration_laws as law
from kubectl_fairshare.schedulers.kueue.model.objects import (
    AdmissionSharing,
    Configuration,
    PodsReadyPolicy,
    Transformation,
)
from kubectl_fairshare.schedulers.kueue.reading.installers import InstalledSettings, installed_settings, installs_kueue
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease
from kubectl_fairshare.schedulers.kueue.release.gates import NEW_OFF, GateChanges
from kubectl_fairshare.schedulers.kueue.release.writes import write_laws

GROUP: Final = "config.kueue.x-k8s.io"
KIND: Final = "Configuration"
DATA_KEY: Final = "controller_manager_config.yaml"
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


class WrittenConfiguration(Value, frozen=True):
    """A Configuration as it was written, the field of an object that contains it, and the source of both.

    ``namespace`` is that of the ConfigMap, and so of Kueue's manager; None if it is not written. ``computed``: an
    operator makes it, so no text has it.
    """

    data: JsonObject
    place: Place
    source: str
    namespace: str | None = None
    computed: bool = False

    @property
    def at_home(self) -> JsonObject:
        """The Configuration with the namespace that Kueue's manager gives it."""
        return self.data if self.namespace is None else {"namespace": self.namespace, **self.data}

    def __str__(self) -> str:
        holder = self.place.object if self.place.path else "one by itself"
        return f"{holder} in `{self.source}`"


class ConfigurationSearch(Value, frozen=True):
    """Every Configuration of Kueue in the input, and the problems of those that are not valid YAML.

    ``unread`` are fields with settings of Kueue that we cannot read; ``release`` is that of the chart that installs it.
    """

    written: tuple[WrittenConfiguration, ...]
    problems: tuple[Problem, ...]
    unread: tuple[Place, ...] = ()
    release: str = ""


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
        return replace(default_configuration(release), elsewhere=found.unread), False
    if len(found.written) > 1:
        raise FairshareError(*_too_many(found.written))
    return replace(_configuration(found.written[0], release), elsewhere=found.unread), True


def configurations(manifests: Iterable[Manifest]) -> ConfigurationSearch:
    """Every Configuration of Kueue among the manifests."""
    written: list[WrittenConfiguration] = []
    installed: list[tuple[Manifest, InstalledSettings]] = []
    problems: list[Problem] = []
    for manifest in manifests:
        try:
            written.extend(_configurations(manifest))
            installed.extend((manifest, each) for each in installed_settings(manifest))
        except FairshareError as error:
            problems.extend(error.problems)
    releases = {each.release for _, each in installed}
    release = releases.pop() if len(releases) == 1 else ""
    if written:
        others = (each for _, each in installed if not each.computed and each.data is not None)
        unread = tuple(each.place for each in others if each.data != written[0].data)
        return ConfigurationSearch(tuple(written), tuple(problems), unread, release)
    return _installed(installed, tuple(problems), release)


def _installed(
    installed: Sequence[tuple[Manifest, InstalledSettings]], problems: tuple[Problem, ...], release: str
) -> ConfigurationSearch:
    """The Configuration of the objects that install Kueue. Where they differ, it is not known which of them counts."""
    unread = tuple(place for _, each in installed for place in each.unread)
    first = next((pair for pair in installed if pair[1].data is not None), None)
    if first is None:
        return ConfigurationSearch((), problems, unread, release)
    manifest, settings = first
    if any(each.data != settings.data for _, each in installed):
        return ConfigurationSearch((), problems, (*unread, *(each.place for _, each in installed)), release)
    data = settings.data or {}
    made = WrittenConfiguration(data, settings.place, manifest.origin.source, settings.namespace, settings.computed)
    return ConfigurationSearch((made,), problems, unread, release)


def holds_configuration(manifest: Manifest) -> bool:
    """Whether the object is a Configuration of Kueue, or a ConfigMap with one, readable or not."""
    try:
        return any(True for _ in _configurations(manifest))
    except FairshareError:
        return True


def configures(manifest: Manifest) -> bool:
    """Whether the object holds a Configuration of Kueue, or installs Kueue, readable or not."""
    return holds_configuration(manifest) or installs_kueue(manifest)


def _too_many(found: Sequence[WrittenConfiguration]) -> Iterator[Problem]:
    for written in found[1:]:
        yield Problem(f"Kueue has more than one Configuration: {found[0]}, and {written}", written.place, _ONE)


def _configurations(manifest: Manifest) -> Iterator[WrittenConfiguration]:
    if _is_configuration(manifest.data):
        yield WrittenConfiguration(manifest.data, Place(manifest.key), manifest.origin.source)
    elif (manifest.key.group, manifest.key.kind) == ("", "ConfigMap"):
        data = manifest.data.get("data")
        text = data.get(DATA_KEY) if isinstance(data, dict) else None
        if isinstance(text, str) and GROUP in text:
            place = Place(manifest.key, ("data", DATA_KEY))
            for inner, document in embedded_documents(text, place):
                if isinstance(document, dict) and _is_configuration(document):
                    namespace = manifest.data["metadata"].get("namespace")
                    yield WrittenConfiguration(document, inner, manifest.origin.source, namespace)


def _is_configuration(data: JsonObject) -> bool:
    return data.get("kind") == KIND and str(data.get("apiVersion")).rpartition("/")[0] == GROUP


def _configuration(written: WrittenConfiguration, release: KueueRelease) -> Configuration:
    from kubectl_fairshare.schedulers.kueue.admission.configuration import judge_configuration

    judgement = judge_configuration(written.at_home, release)
    view = judgement.configuration
    causes = judgement.causes if release.knows_names else [c for c in judgement.causes if c.law not in _OF_RELEASE]
    if causes or view is None:
        raise FairshareError(
            *(
                Problem(
                    f"Kueue's manager does not start with its Configuration: {cause.field}: {cause.message}",
                    below(written.place, *cause.path),
                    _REMEDY,
                )
                for cause in causes or judgement.causes
            )
        )
    return _typed_configuration(view, release, written.place)


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
