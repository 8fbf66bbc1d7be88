"""The checks that Kueue's manager runs on its Configuration before it starts.

Not checked: CEL expressions and drivers of device class sources, which need more than the text. Source: Kueue v0.19,
validation of the configuration.

Tested in ``tests/unit/schedulers/kueue/admission/test_configuration.py``.
"""

import re
from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.causes import (
    DUPLICATE,
    REQUIRED,
    TOO_MANY,
    UNSUPPORTED,
    Cause,
    MapKey,
    cause,
    invalid,
    of_law,
)
from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.api.label_syntax import is_subdomain, key_causes, selector_causes, value_causes
from kubectl_fairshare.jobs.kinds import POD_MAKERS
from kubectl_fairshare.model.addresses import is_address
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.selectors import LabelSelector, Requirement
from kubectl_fairshare.schedulers.kueue.admission import configuration_laws as law
from kubectl_fairshare.schedulers.kueue.admission import feature_gates
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease

FRAMEWORKS: Final = tuple(sorted({"pod", *(each.framework for each in POD_MAKERS if each.framework)}))
STRATEGIES: Final = (
    ["LessThanOrEqualToFinalShare"],
    ["LessThanInitialShare"],
    ["LessThanOrEqualToFinalShare", "LessThanInitialShare"],
)
_NAMESPACE_LABEL: Final = "kubernetes.io/metadata.name"
_INCREMENTAL: Final = "kueue.x-k8s.io/multikueue-dispatcher-incremental"
_MOST_MAPPINGS: Final = 16
_MOST_CLASSES: Final = 8
_MOST_LABELS: Final = 20
_MOST_LABELS_OF: Final = {"Workload": 2, "LocalQueue": 6, "ClusterQueue": 6, "Cohort": 6}
_MOST_VALUES: Final = 16
_MOST_WORKLOAD_VALUES: Final = 12
_GATED_FRAMEWORKS: Final = {"sparkoperator.k8s.io/sparkapplication": "SparkApplicationIntegration"}
_LABEL_NAME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*", re.ASCII)
_SERVICE_NAME: Final = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)
_MOST_PORTS: Final = 65535


def configuration_causes(view: JsonObject, release: KueueRelease = DEFAULT) -> Iterator[Cause]:
    """What prevents the manager from starting; the Configuration is in v1beta2 terms, with its defaults."""
    resources = view.get("resources", {})
    metrics = view.get("metrics", {})
    yield from of_law(law.WAITING, _waiting_causes(view.get("waitForPodsReady")))
    yield from of_law(law.FRAMEWORKS, _integration_causes(view, release))
    yield from of_law(law.MULTI_KUEUE, _multi_kueue_causes(view["multiKueue"]))
    yield from of_law(law.STRATEGIES, _sharing_causes(view.get("fairSharing")))
    yield from of_law(law.ADMISSION_SHARING, _admission_causes(view.get("admissionFairSharing")))
    if "QuotaCheckStrategy" in feature_gates.enabled_gates(view.get("featureGates") or {}, release):
        yield from of_law(law.QUOTA_CHECK, _quota_check_causes(resources))
    yield from of_law(law.TRANSFORMATIONS, _transformation_causes(resources.get("transformations", [])))
    yield from of_law(law.DEVICE_CLASSES, _device_causes(resources.get("deviceClassMappings", [])))
    yield from of_law(law.NAMESPACES, _namespace_causes(view))
    yield from of_law(law.RETENTION, _retention_causes(view.get("objectRetentionPolicies", {}).get("workloads", {})))
    yield from of_law(law.VISIBILITY, _server_causes(view.get("visibilityServer", {})))
    yield from of_law(law.TLS, _certificate_causes(view.get("internalCertManagement", {})))
    yield from of_law(law.TLS, _tls_causes(view.get("tls", {})))
    yield from of_law(law.METRIC_LABELS, _metric_causes(metrics.get("customLabels", [])))
    yield from _gate_causes(view.get("featureGates", {}), release)
    yield from of_law(law.GATES, _gated_framework_causes(view, release))


def _gate_causes(gates: JsonObject, release: KueueRelease) -> Iterator[Cause]:
    for gate, gist in feature_gates.complaints(gates, release):
        place = ("featureGates", gate) if gate in gates else ("featureGates",)
        yield invalid(place, gist, law.GATES if feature_gates.is_known(gate, release) else law.UNKNOWN_GATE)


def _negative(view: JsonObject, names: tuple[str, ...], path: FieldPath) -> Iterator[Cause]:
    for name in names:
        value = view.get(name, 0)
        if (nanoseconds(value) if isinstance(value, str) else value) < 0:
            yield invalid((*path, name), f"`{value}` is negative")


def _waiting_causes(waiting: JsonObject | None) -> Iterator[Cause]:
    if waiting is None:
        return
    path: FieldPath = ("waitForPodsReady",)
    yield from _negative(waiting, ("timeout", "recoveryTimeout"), path)
    strategy, below = waiting["requeuingStrategy"], (*path, "requeuingStrategy")
    if strategy["timestamp"] not in ("Creation", "Eviction"):
        yield cause(UNSUPPORTED, (*below, "timestamp"), f"`{strategy['timestamp']}` is neither Creation nor Eviction")
    yield from _negative(strategy, ("backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"), below)


def _integration_causes(view: JsonObject, release: KueueRelease) -> Iterator[Cause]:
    integrations = view["integrations"]
    seen: set[str] = set()
    for index, name in enumerate(integrations["frameworks"]):
        place = ("integrations", "frameworks", index)
        if name not in FRAMEWORKS:
            yield cause(UNSUPPORTED, place, f"Kueue knows no framework `{name}`")
        elif name in release.frameworks_gone:
            yield cause(UNSUPPORTED, place, f"Kueue {release} knows no framework `{name}`")
        elif name in seen:
            yield cause(DUPLICATE, place, f"`{name}` occurs twice")
        seen.add(name)
    yield from _external_causes(integrations.get("externalFrameworks", []), ("integrations", "externalFrameworks"))


def _gated_framework_causes(view: JsonObject, release: KueueRelease) -> Iterator[Cause]:
    """The frameworks that need a feature gate that is off."""
    running = feature_gates.enabled_gates(view.get("featureGates") or {}, release)
    for index, name in enumerate(view["integrations"]["frameworks"]):
        gate = _GATED_FRAMEWORKS.get(name)
        if gate is not None and gate not in running and name not in release.frameworks_gone:
            yield invalid(("integrations", "frameworks", index), f"`{name}` needs feature gate `{gate}`")


def _external_causes(names: Json, path: FieldPath) -> Iterator[Cause]:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name.count(".") < 2:
            yield invalid((*path, index), f"`{name}` is not Kind.version.group")
        elif name in seen:
            yield cause(DUPLICATE, (*path, index), f"`{name}` occurs twice")
        seen.add(name)


def _multi_kueue_causes(multi: JsonObject) -> Iterator[Cause]:
    path: FieldPath = ("multiKueue",)
    yield from _negative(multi, ("gcInterval", "workerLostTimeout"), path)
    yield from value_causes(multi["origin"], (*path, "origin"))
    names = [each.get("name", "") for each in multi.get("externalFrameworks", [])]
    for each in _external_causes(names, (*path, "externalFrameworks")):
        yield cause(each.type, (*each.path, "name"), each.message)
    if "incrementalDispatcherConfig" in multi:
        place = (*path, "incrementalDispatcherConfig")
        if multi["dispatcherName"] != _INCREMENTAL:
            yield invalid(place, "needs the incremental dispatcher")
        if multi["incrementalDispatcherConfig"].get("stepSize", 1) < 1:
            yield invalid((*place, "stepSize"), "the step is at least 1")


def _sharing_causes(sharing: JsonObject | None) -> Iterator[Cause]:
    if sharing is None:
        return
    place = ("fairSharing", "preemptionStrategies")
    strategies = sharing.get("preemptionStrategies", [])
    if not strategies:
        yield cause(REQUIRED, place, "fair sharing needs its preemption strategies")
    elif strategies not in STRATEGIES:
        known = " or ".join(", ".join(each) for each in STRATEGIES)
        yield cause(UNSUPPORTED, place, f"expected {known}")


def _admission_causes(admission: JsonObject | None) -> Iterator[Cause]:
    if admission is not None:
        yield from _negative(admission, ("usageHalfLifeTime",), ("admissionFairSharing",))
        if nanoseconds(admission["usageSamplingInterval"]) <= 0:
            yield invalid(("admissionFairSharing", "usageSamplingInterval"), "the interval is not above 0")
        for resource, weight in admission.get("resourceWeights", {}).items():
            if weight < 0:
                yield invalid(("admissionFairSharing", "resourceWeights", MapKey(resource)), f"`{weight}` is negative")


def _quota_check_causes(resources: JsonObject) -> Iterator[Cause]:
    path: FieldPath = ("resources",)
    strategy = resources.get("quotaCheckStrategy", "BlockUndeclared")
    if strategy not in ("BlockUndeclared", "IgnoreUndeclared"):
        yield cause(
            UNSUPPORTED, (*path, "quotaCheckStrategy"), f"`{strategy}` is neither BlockUndeclared nor IgnoreUndeclared"
        )
    if strategy == "IgnoreUndeclared" and resources.get("excludeResourcePrefixes"):
        yield invalid((*path, "quotaCheckStrategy"), "IgnoreUndeclared excludes excludeResourcePrefixes")


def _transformation_causes(transformations: Json) -> Iterator[Cause]:
    inputs: set[str] = set()
    for index, each in enumerate(transformations):
        place, name = ("resources", "transformations", index), each.get("input", "")
        if each["strategy"] not in ("Retain", "Replace"):
            yield cause(UNSUPPORTED, (*place, "strategy"), f"`{each['strategy']}` is neither Retain nor Replace")
        if name in inputs:
            yield cause(DUPLICATE, (*place, "input"), f"`{name}` is transformed twice")
        inputs.add(name)


def _device_causes(mappings: Json) -> Iterator[Cause]:
    path = ("resources", "deviceClassMappings")
    if len(mappings) > _MOST_MAPPINGS:
        yield cause(TOO_MANY, path, f"{len(mappings)} mappings, at most {_MOST_MAPPINGS}")
    names: set[str] = set()
    owners: dict[str, str] = {}
    for index, mapping in enumerate(mappings):
        place, name = (*path, index), mapping.get("name", "")
        yield from key_causes(name, (*place, "name"))
        if name in names:
            yield cause(DUPLICATE, (*place, "name"), f"`{name}` is mapped twice")
        names.add(name)
        classes = mapping.get("deviceClassNames", [])
        yield from _class_causes(classes, (*place, "deviceClassNames"))
        for at, each in enumerate(classes):
            if owners.setdefault(each, name) != name and not mapping.get("sources"):
                yield invalid((*place, "deviceClassNames", at), f"already mapped to `{owners[each]}`")


def _class_causes(classes: list[str], path: FieldPath) -> Iterator[Cause]:
    if not classes:
        yield cause(REQUIRED, path, "a mapping needs a device class")
    if len(classes) > _MOST_CLASSES:
        yield cause(TOO_MANY, path, f"{len(classes)} device classes, at most {_MOST_CLASSES}")
    for index, name in enumerate(classes):
        yield from key_causes(name, (*path, index))
        if name in classes[:index]:
            yield cause(DUPLICATE, (*path, index), f"`{name}` occurs twice")


def _namespace_causes(view: JsonObject) -> Iterator[Cause]:
    selector, path = view["managedJobsNamespaceSelector"], ("managedJobsNamespaceSelector",)
    wrong = tuple(selector_causes(selector, path))
    yield from wrong
    if wrong:
        return
    chosen = _selector(selector)
    for namespace in dict.fromkeys(("kube-system", view["namespace"])):
        if namespace and chosen.matches({_NAMESPACE_LABEL: namespace}):
            yield invalid(path, f"selects the namespace `{namespace}`")


def _selector(selector: JsonObject) -> LabelSelector:
    labels = [Requirement(key, "In", (value,)) for key, value in selector.get("matchLabels", {}).items()]
    terms = [
        Requirement(each.get("key", ""), each.get("operator", ""), tuple(each.get("values", [])))
        for each in selector.get("matchExpressions", [])
    ]
    return LabelSelector((*labels, *terms))


def _retention_causes(workloads: JsonObject) -> Iterator[Cause]:
    yield from _negative(
        workloads, ("afterFinished", "afterDeactivatedByKueue"), ("objectRetentionPolicies", "workloads")
    )


def _certificate_causes(certificates: JsonObject) -> Iterator[Cause]:
    path = ("internalCertManagement",)
    if certificates.get("enable", True):
        if not _SERVICE_NAME.fullmatch(certificates.get("webhookServiceName", "a")):
            yield invalid((*path, "webhookServiceName"), "not the name of a service")
        if not is_subdomain(certificates.get("webhookSecretName", "a")):
            yield invalid((*path, "webhookSecretName"), "not a DNS subdomain in lower case")


def _server_causes(server: JsonObject) -> Iterator[Cause]:
    if "bindAddress" in server and not is_address(server["bindAddress"]):
        yield invalid(("visibilityServer", "bindAddress"), f"`{server['bindAddress']}` is not an IP address")
    if not 1 <= server.get("bindPort", 1) <= _MOST_PORTS:
        yield invalid(("visibilityServer", "bindPort"), f"port {server['bindPort']} is not between 1 and {_MOST_PORTS}")


def _tls_causes(tls: JsonObject) -> Iterator[Cause]:
    least = tls.get("minVersion", "")
    if least not in ("", "VersionTLS12", "VersionTLS13"):
        yield invalid(("tls",), "minVersion is VersionTLS12 or VersionTLS13")
    elif least == "VersionTLS13" and tls.get("cipherSuites"):
        yield invalid(("tls", "cipherSuites"), "TLS 1.3 has no cipher suites to choose")


def _metric_causes(labels: Json) -> Iterator[Cause]:
    path: FieldPath = ("metrics", "customLabels")
    if len(labels) > _MOST_LABELS:
        yield cause(TOO_MANY, path, f"{len(labels)} labels, at most {_MOST_LABELS}")
    names: set[str] = set()
    counts: dict[str, int] = {}
    for index, label in enumerate(labels):
        place, name = (*path, index), label.get("name", "")
        if not _LABEL_NAME.fullmatch(name):
            yield invalid((*place, "name"), f"`{name}` is not a letter followed by letters, digits or `_`")
        if name in names:
            yield cause(DUPLICATE, (*place, "name"), f"`{name}` occurs twice")
        names.add(name)
        kind = label.get("sourceKind", "ClusterQueue")
        counts[kind] = counts.get(kind, 0) + 1
        yield from _source_causes(label, kind, place)
    for kind, count in sorted(counts.items()):
        if count > _MOST_LABELS_OF.get(kind, -1):
            known = kind in _MOST_LABELS_OF
            yield invalid(path, f"{count} labels of {kind}, at most {_MOST_LABELS_OF[kind]}" if known else f"no {kind}")


def _source_causes(label: JsonObject, kind: str, path: FieldPath) -> Iterator[Cause]:
    keys = [name for name in ("sourceLabelKey", "sourceAnnotationKey") if label.get(name)]
    if len(keys) > 1:
        yield invalid(path, "sourceLabelKey and sourceAnnotationKey exclude each other")
    source = keys[0] if keys else "name"
    yield from key_causes(label.get(source, ""), (*path, source))
    values = label.get("trackedValues", [])
    most = _MOST_WORKLOAD_VALUES if kind == "Workload" else _MOST_VALUES
    if kind == "Workload" and not values:
        yield invalid((*path, "trackedValues"), "a label of workloads needs the values to track")
    if len(values) > most:
        yield cause(TOO_MANY, (*path, "trackedValues"), f"{len(values)} values, at most {most}")
    if len(set(values)) < len(values):
        yield invalid((*path, "trackedValues"), "a value occurs twice")
