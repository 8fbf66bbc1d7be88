"""Kueue's Configuration in objects that install Kueue: OpenShift's operator, and the chart ``kueue``.

Source: ``pkg/configmap/configmap.go`` of openshift/kueue-operator; ``values.yaml`` of Kueue's chart, whose
``managerConfig.controllerManagerConfigYaml`` becomes the manager's ConfigMap.
Tested in ``tests/unit/schedulers/kueue/reading/test_installers.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.input.text.embedded import below, embedded_documents
from kubectl_fairshare.input.units.installed_charts import KINDS, InstalledChart, installed_charts, installs
from kubectl_fairshare.jobs.kinds import POD_MAKERS
from kubectl_fairshare.model.json import Json, JsonObject, inside, mapping, mappings, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.model.values import field as value_field
from kubectl_fairshare.schedulers.kueue.model.objects import CHART, OPERATOR

_HOME: Final = "openshift-kueue-operator"
_TEXT: Final = ("managerConfig", "controllerManagerConfigYaml")
_GATES: Final = ("controllerManager", "featureGates")
_CONFIG: Final = ("spec", "config")
_PLATFORM: Final = ("datasciencecluster.opendatahub.io", "DataScienceCluster")
_MANAGED: Final = ("spec", "components", "kueue", "managementState")
_NAMED: Final = frozenset(
    {"MPIJob", "RayJob", "RayCluster", "RayService", "JobSet", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob"}
    | {"AppWrapper", "Deployment", "LeaderWorkerSet", "StatefulSet", "TrainJob", "SparkApplication"}
)
"""The kinds whose own names the operator knows, whatever Kueue manages besides."""
_FRAMEWORKS: Final[Mapping[str, str]] = {
    "BatchJob": "batch/job",
    "Pod": "pod",
    **{each.kind: each.framework for each in POD_MAKERS if each.kind in _NAMED},
}
"""The operator's names of frameworks; it turns another one into an empty name."""
_MAPPED: Final = frozenset(
    {"integrations", "workloadManagement", "gangScheduling", "preemption", "admissionFairSharing", "multiKueue"}
)
"""Fields of the operator's configuration whose effect on Kueue's is known; that of multiKueue changes no decision."""
_REQUEUING: Final = {
    "timeReference": "timestamp",
    "retryLimit": "backoffLimitCount",
    "backoffBaseSeconds": "backoffBaseSeconds",
    "backoffMaxSeconds": "backoffMaxSeconds",
}


class GateFlags(Value, frozen=True):
    """Feature gates of the manager's command line, and its place."""

    gates: Mapping[str, bool] = value_field(default_factory=dict)
    place: Place | None = None


NO_FLAGS: Final = GateFlags()


def flags_of(lines: Iterable[GateFlags]) -> GateFlags:
    """The gates of command lines; the last of several counts, as in one line."""
    found = NO_FLAGS
    for each in lines:
        found = GateFlags({**found.gates, **each.gates}, each.place if each.gates else found.place)
    return found


class InstalledSettings(Value, frozen=True):
    """What an object that installs Kueue says of its Configuration.

    ``data`` is None if it says nothing; ``unread`` are fields with settings that we cannot read. ``release`` is the
    chart's. ``computed``: the operator makes the Configuration, so its text is not in the object. ``flags`` are gates
    that the chart writes into the manager's command line.
    """

    data: JsonObject | None
    place: Place
    namespace: str
    unread: tuple[Place, ...] = ()
    release: str = ""
    computed: bool = False
    flags: GateFlags = NO_FLAGS


def installed_settings(manifest: Manifest) -> Iterator[InstalledSettings]:
    """The settings of Kueue in an object that installs it. Raises ``FairshareError`` for a text that is not YAML."""
    if manifest.key[:2] == OPERATOR:
        yield _of_operator(manifest)
    elif _is_platform(manifest):
        place = Place(manifest.key, _MANAGED)
        yield InstalledSettings(None, place, "", (place,))
    elif manifest.key[:2] in KINDS:
        for chart in installed_charts(manifest):
            if chart.name == CHART:
                yield _of_chart(manifest, chart)


def installs_kueue(manifest: Manifest) -> bool:
    """Whether an object installs Kueue."""
    return manifest.key[:2] == OPERATOR or _is_platform(manifest) or installs(manifest, CHART)


def of_operator(manifest: Manifest) -> JsonObject | None:
    """What an operator's object says of Kueue's settings; None for other objects."""
    if _is_platform(manifest):
        head = {name: manifest.data.get(name) for name in ("apiVersion", "kind", "metadata")}
        return {**head, "spec": {"components": {"kueue": {"managementState": "Managed"}}}}
    if manifest.key[:2] != OPERATOR:
        return None
    return {name: manifest.data.get(name) for name in ("apiVersion", "kind", "metadata", "spec")}


def _is_platform(manifest: Manifest) -> bool:
    """Whether a platform of the vendor installs a build of Kueue by itself, with settings of its own."""
    return manifest.key[:2] == _PLATFORM and inside(manifest.data, *_MANAGED) == "Managed"


def _of_chart(manifest: Manifest, chart: InstalledChart) -> InstalledSettings:
    unread = [*chart.elsewhere]
    gates_at, listed = below(chart.values_at, *_GATES), mapping(chart.values, _GATES[0]).get(_GATES[1])
    gates = {
        str(each.get("name")): each["enabled"] for each in mappings(listed) if isinstance(each.get("enabled"), bool)
    }
    if listed and not (isinstance(listed, list) and len(gates) == len(listed)):
        unread.append(gates_at)
    place = below(chart.values_at, *_TEXT)
    text = mapping(chart.values, _TEXT[0]).get(_TEXT[1])
    data = None
    if isinstance(text, str):
        for inner, document in embedded_documents(text, place):
            if isinstance(document, dict) and data is None:
                data, place = document, inner
    if text is not None and data is None:
        unread.append(place)
    namespace = chart.namespace or manifest.key.namespace
    flags = GateFlags(gates, gates_at) if gates else NO_FLAGS
    return InstalledSettings(data, place, namespace, tuple(unread), chart.release, flags=flags)


def _of_operator(manifest: Manifest) -> InstalledSettings:
    spec = mapping(manifest.data, "spec")
    config = mapping(spec, "config")
    unread = [Place(manifest.key, (*_CONFIG, name)) for name in sorted(config.keys() - _MAPPED)]
    if spec.get("managementState", "Managed") != "Managed":
        unread.append(Place(manifest.key, ("spec", "managementState")))
    if spec.get("unsupportedConfigOverrides"):
        unread.append(Place(manifest.key, ("spec", "unsupportedConfigOverrides")))
    integrations = mapping(config, "integrations")
    names = [name for name in _listed(integrations.get("frameworks")) if isinstance(name, str)]
    if any(name not in _FRAMEWORKS for name in names):
        unread.append(Place(manifest.key, (*_CONFIG, "integrations", "frameworks")))
    data: dict[str, Json] = {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "integrations": _integrations(integrations, [_FRAMEWORKS[name] for name in names if name in _FRAMEWORKS]),
        "managedJobsNamespaceSelector": {"matchLabels": {"kueue.openshift.io/managed": "true"}},
        "manageJobsWithoutQueueName": mapping(config, "workloadManagement").get("labelPolicy") == "None",
        "waitForPodsReady": _waiting(mapping(config, "gangScheduling")),
        "fairSharing": _fair_sharing(mapping(config, "preemption").get("preemptionPolicy")),
        "admissionFairSharing": _admission_sharing(mapping(config, "admissionFairSharing")),
        "featureGates": {"SparkApplicationIntegration": True} if "SparkApplication" in names else None,
    }
    written = {name: value for name, value in data.items() if value is not None}
    place = Place(manifest.key, _CONFIG)
    return InstalledSettings(written, place, manifest.key.namespace or _HOME, tuple(unread), computed=True)


def _integrations(written: JsonObject, frameworks: Collection[str]) -> dict[str, Json]:
    external = [
        f"{each.get('resource', '')}.{each.get('version', '')}.{each.get('group', '')}"
        for each in rows(written, "externalFrameworks")
    ]
    return {"frameworks": [*frameworks], **({"externalFrameworks": [*external]} if external else {})}


def _fair_sharing(policy: Json) -> dict[str, Json] | None:
    if policy != "FairSharing":
        return None
    return {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]}


def _waiting(gangs: JsonObject) -> dict[str, Json] | None:
    """What happens to pods that are not ready in time; None: Kueue's default."""
    if gangs.get("policy") == "None":
        return {"timeout": "8760h", "blockAdmission": False}
    if gangs.get("policy") != "ByWorkload":
        return None
    gang = mapping(gangs, "byWorkload")
    found: dict[str, Json] = {"blockAdmission": gang.get("admission") == "Sequential"}
    for name, field in (("timeoutSeconds", "timeout"), ("recoveryTimeoutSeconds", "recoveryTimeout")):
        if gang.get(name):
            found[field] = f"{gang[name]}s"
    requeuing = mapping(gang, "requeuingStrategy")
    strategy: dict[str, Json] = {to: requeuing[name] for name, to in _REQUEUING.items() if requeuing.get(name)}
    return {**found, "requeuingStrategy": strategy} if strategy else found


def _admission_sharing(written: JsonObject) -> dict[str, Json] | None:
    kind, custom = written.get("configuration"), mapping(written, "custom")
    if not kind:
        return None
    if kind != "Custom":
        return {"usageHalfLifeTime": "30m"}
    weights: dict[str, Json] = {
        str(each.get("name")): float(str(each.get("weight"))) for each in rows(custom, "resourceWeights")
    }
    found: dict[str, Json] = {"resourceWeights": weights} if weights else {}
    for name, field in (
        ("usageHalfLifeTimeSeconds", "usageHalfLifeTime"),
        ("usageSamplingIntervalSeconds", "usageSamplingInterval"),
    ):
        if custom.get(name):
            found[field] = f"{custom[name]}s"
    return found


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
