"""Kueue's Configuration among the manifests: bare, or inside the manager's ConfigMap.

Any ConfigMap whose ``controller_manager_config.yaml`` holds a Configuration of Kueue is taken for the
manager's; other projects keep theirs under the same name, and are passed over.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from kubectl_fairshare.admission.kueue.typed import selector
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.kueue import Configuration, Transformation
from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.model.manifest import Manifest

GROUP: Final = "config.kueue.x-k8s.io"
DATA_KEY: Final = "controller_manager_config.yaml"
_REMEDY: Final = "mend it, or leave it out and say how Kueue decides: `--fair-sharing` or `--classical`"
_ONE: Final = "leave one of them out; a manager reads one Configuration"

# Gates that change a decision: every engine here decides as with these on …
_ON: Final = (
    "FlavorFungibility",
    "FlavorFungibilityPreserveScanProgress",
    "PartialAdmission",
    "PrioritySortingWithinCohort",
    "ReclaimablePods",
)
_ON_WHEN_FAIR: Final = ("FairSharingPreemptWithinNominal", "FairSharingPrioritizeNonBorrowing")
# … and with these off.
_OFF: Final = (
    "ConcurrentAdmission",
    "FastQuotaReleaseInPodIntegration",
    "PrioritizePreemptorWorkloads",
    "PriorityBoost",
    "RecomputeAssignmentUponPreemptionTargetsOverlap",
    "SchedulerLibraryIntegration",
    "SchedulerTimestampPreemptionBuffer",
    "WorkloadPriorityClassDefaulting",
)


@dataclass(frozen=True, slots=True)
class Written:
    """A Configuration as it was written, the field of an object that it stands in, and the source of both."""

    data: JsonObject
    place: Place
    source: str

    def __str__(self) -> str:
        holder = self.place.object if self.place.path else "one by itself"
        return f"{holder} in `{self.source}`"


def find_configuration(manifests: Iterable[Manifest]) -> tuple[Configuration, bool]:
    """The configuration, and whether one was given; defaults otherwise.

    Raises ``FairshareError`` for a second one, and for one with which Kueue's manager would not start.
    """
    found = configurations(manifests)
    if not found:
        return Configuration(), False
    if len(found) > 1:
        raise FairshareError(*_too_many(found))
    return _read(found[0]), True


def configurations(manifests: Iterable[Manifest]) -> list[Written]:
    """Every Configuration of Kueue among the manifests. Raises ``FairshareError`` for text that is no YAML."""
    return [written for manifest in manifests for written in _written(manifest)]


def holds_configuration(manifest: Manifest) -> bool:
    """Whether the object is a Configuration of Kueue, or a ConfigMap with one."""
    return next(_written(manifest), None) is not None


def _too_many(found: list[Written]) -> Iterator[Problem]:
    for written in found[1:]:
        yield Problem(f"Kueue has more than one Configuration: {found[0]}, and {written}", written.place, _ONE)


def _written(manifest: Manifest) -> Iterator[Written]:
    if _is_configuration(manifest.data):
        yield Written(manifest.data, Place(manifest.key), manifest.origin.source)
    elif (manifest.key.group, manifest.key.kind) == ("", "ConfigMap"):
        data = manifest.data.get("data")
        text = data.get(DATA_KEY) if isinstance(data, dict) else None
        if isinstance(text, str) and GROUP in text:
            place = Place(manifest.key, ("data", DATA_KEY))
            for document in _documents(text, place):
                if isinstance(document, dict) and _is_configuration(document):
                    yield Written(document, place, manifest.origin.source)


def _is_configuration(data: JsonObject) -> bool:
    return data.get("kind") == "Configuration" and str(data.get("apiVersion")).rpartition("/")[0] == GROUP


def _documents(text: str, place: Place) -> list[Json]:
    """The YAML documents inside a ConfigMap; problems are told at its place, with the line inside it."""
    from kubectl_fairshare.sources.decoding import decode

    try:
        _, documents = decode(DATA_KEY, text.encode())
    except FairshareError as error:
        raise FairshareError(*(_inside(p, place) for p in error.problems)) from None
    return documents


def _inside(problem: Problem, place: Place) -> Problem:
    line = f", line {problem.place.line}" if isinstance(problem.place, Location) else ""
    return Problem(f"`{DATA_KEY}`{line}: {problem.message}", place, problem.help)


def _read(written: Written) -> Configuration:
    from kubectl_fairshare.admission.kueue.configuration import judge_configuration

    judgement = judge_configuration(written.data)
    view = judgement.configuration
    if judgement.causes or view is None:
        bare = not written.place.path
        raise FairshareError(
            *(
                Problem(
                    f"Kueue's manager does not start with its Configuration: {cause.field}: {cause.message}",
                    Place(written.place.object, cause.path) if bare else written.place,
                    _REMEDY,
                )
                for cause in judgement.causes
            )
        )
    return _typed(view)


def _typed(view: JsonObject) -> Configuration:
    from kubectl_fairshare.admission.kueue.feature_gates import enabled

    gates = enabled(view.get("featureGates") or {})
    fair: JsonObject | None = view.get("fairSharing")
    resources: JsonObject = view.get("resources") or {}
    waiting: JsonObject = {} if "DisableWaitForPodsReady" in gates else view.get("waitForPodsReady") or {}
    declared = resources.get("quotaCheckStrategy") or "BlockUndeclared"
    return Configuration(
        strategies=None if fair is None else tuple(fair["preemptionStrategies"]),
        excluded_prefixes=tuple(resources.get("excludeResourcePrefixes") or ()),
        transformations=tuple(map(_transformation, resources.get("transformations") or ())),
        quota_check=declared if "QuotaCheckStrategy" in gates else "BlockUndeclared",
        requeuing_timestamp=(waiting.get("requeuingStrategy") or {}).get("timestamp") or "Eviction",
        managed_namespaces=selector(view.get("managedJobsNamespaceSelector")),
        manage_unlabelled=bool(view.get("manageJobsWithoutQueueName")),
        frameworks=tuple(view["integrations"]["frameworks"]),
        block_admission=bool(waiting.get("blockAdmission")),
        unmodelled=tuple(_unmodelled(gates, fair is not None)),
    )


def _transformation(data: JsonObject) -> Transformation:
    outputs = {name: str(factor) for name, factor in sorted((data.get("outputs") or {}).items())}
    return Transformation(data.get("input") or "", data["strategy"], outputs, data.get("multiplyBy") or None)


def _unmodelled(gates: frozenset[str], fair: bool) -> Iterator[str]:
    """Gates that stand otherwise than the engines have them: ``Gate`` where it is on, ``Gate=false`` where off."""
    for gate in (*_ON, *(_ON_WHEN_FAIR if fair else ())):
        if gate not in gates:
            yield f"{gate}=false"
    yield from (gate for gate in _OFF if gate in gates)
