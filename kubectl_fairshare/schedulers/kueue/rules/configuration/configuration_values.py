"""What Kueue's manager refuses among the values of its Configuration: it does not start with them."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Severity
from kubectl_fairshare.lint.protocol import rule
from kubectl_fairshare.schedulers.kueue.admission import configuration_laws as law
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import refusals
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_CHECKED: Final = "Kueue's manager checks its Configuration when it starts, and exits when a value is not allowed"
_ENABLE: Final = ("fairSharing", "enable")
_SPANS: Final = "write 0 or more"


@rule(
    "K117",
    "managed-namespaces-not-selectable",
    Severity.ERROR,
    summary="managedJobsNamespaceSelector is no selector, or selects kube-system or Kueue's own namespace",
    why=f"{_CHECKED}: were Kueue to hold pods of its own namespace or of kube-system back, the cluster would stop.",
    remedy="exclude both with `kubernetes.io/metadata.name` NotIn, or select namespaces by a label that they lack",
    covers=("1.8-managed-namespaces",),
)
def managed_namespaces_not_selectable(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each thing wrong with the selector."""
    text = "add a requirement: key `kubernetes.io/metadata.name`, operator NotIn, with these namespaces"
    yield from refusals(given, text, law.NAMESPACES)


@rule(
    "K118",
    "framework-not-known",
    Severity.ERROR,
    summary="integrations name a framework that Kueue does not know, or one twice",
    why=f"{_CHECKED}.",
    remedy="spell frameworks as Kueue does: `batch/job`, `pod`, `ray.io/rayjob`; external ones as Kind.version.group",
    covers=("1.8-frameworks",),
)
def framework_not_known(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each entry."""
    text = "spell it as Kueue does, such as `batch/job`; external ones as `Kind.version.group`, each once"
    yield from refusals(given, text, law.FRAMEWORKS)


@rule(
    "K119",
    "fair-sharing-strategies-unsupported",
    Severity.ERROR,
    summary="fairSharing lacks preemptionStrategies, or has a list that Kueue does not take",
    why=f"{_CHECKED}; it takes three lists, and none is the default in v1beta2.",
    remedy="write `[LessThanOrEqualToFinalShare, LessThanInitialShare]`, or one of the two alone",
    covers=("1.8-fair-strategies",),
)
def fair_sharing_strategies_unsupported(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Configuration; a v1beta1 `enable` in place of the list is reported as that."""
    text = "write `preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]`, or one of the two alone"
    enabled = {each.place for each in given.configured for c in each.causes if c.path == _ENABLE}
    for finding in refusals(given, text, law.STRATEGIES):
        place = finding.place._replace(path=finding.place.path[: -len(_ENABLE)])
        if place not in enabled:
            yield finding


@rule(
    "K120",
    "admission-fair-sharing-out-of-range",
    Severity.ERROR,
    summary="a half-life or weight of admissionFairSharing is negative, or its sampling interval not above 0",
    why=f"{_CHECKED}.",
    remedy="half-life and weights are 0 or more, the sampling interval above 0",
    covers=("1.8-admission-fair-sharing",),
)
def admission_fair_sharing_out_of_range(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    yield from refusals(given, "half-life and weights are 0 or more, the interval above 0", law.ADMISSION_SHARING)


@rule(
    "K121",
    "wait-for-pods-ready-out-of-range",
    Severity.ERROR,
    summary="waitForPodsReady has a negative span or count, or a timestamp that is none",
    why=f"{_CHECKED}.",
    remedy="write spans and counts of 0 or more, and `timestamp` Eviction or Creation",
    covers=("1.8-wait-for-pods-ready",),
)
def wait_for_pods_ready_out_of_range(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    yield from refusals(given, "spans and counts are 0 or more, `timestamp` is Eviction or Creation", law.WAITING)


@rule(
    "K122",
    "quota-check-strategy-conflict",
    Severity.ERROR,
    summary="quotaCheckStrategy is unknown, or IgnoreUndeclared stands beside excludeResourcePrefixes",
    why=f"{_CHECKED}; IgnoreUndeclared passes over what no queue declares, so prefixes have nothing to exclude.",
    remedy="drop `excludeResourcePrefixes`, or write BlockUndeclared",
    covers=("1.8-quota-check-strategy",),
)
def quota_check_strategy_conflict(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    yield from refusals(given, "drop `excludeResourcePrefixes`, or write BlockUndeclared", law.QUOTA_CHECK)


@rule(
    "K123",
    "transformation-ambiguous",
    Severity.ERROR,
    summary="two resource transformations have one input, or a strategy is unknown",
    why=f"{_CHECKED}.",
    remedy="give each input one transformation, with strategy Retain or Replace",
    covers=("1.8-transformations",),
)
def transformation_ambiguous(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    text = "give each input one transformation, of strategy Retain or Replace"
    yield from refusals(given, text, law.TRANSFORMATIONS)


@rule(
    "K124",
    "device-classes-not-mappable",
    Severity.ERROR,
    summary="deviceClassMappings has too many entries, none or too many classes in one, or a name twice",
    why=f"{_CHECKED}; a class can count against one resource only.",
    remedy="keep to 16 mappings of 1 to 8 device classes, every name once",
    covers=("1.8-device-classes",),
)
def device_classes_not_mappable(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    text = "keep to 16 mappings of 1 to 8 device classes, each class in one of them"
    yield from refusals(given, text, law.DEVICE_CLASSES)


@rule(
    "K125",
    "multikueue-settings-out-of-range",
    Severity.ERROR,
    summary="multiKueue has a negative span, or settings for a dispatcher that is not chosen",
    why=f"{_CHECKED}.",
    remedy="write spans of 0 or more; `incrementalDispatcherConfig` needs the incremental dispatcher and a step of 1",
    covers=("1.8-multikueue",),
)
def multikueue_settings_out_of_range(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    name = "kueue.x-k8s.io/multikueue-dispatcher-incremental"
    yield from refusals(given, f"spans are 0 or more; incremental settings go with `{name}`", law.MULTI_KUEUE)


@rule(
    "K126",
    "retention-negative",
    Severity.ERROR,
    summary="objectRetentionPolicies has a negative span",
    why=f"{_CHECKED}.",
    remedy="write a span of 0 or more; without the line finished workloads stay",
    covers=("1.8-retention",),
)
def retention_negative(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each span."""
    yield from refusals(given, f"{_SPANS}; without the line finished workloads stay", law.RETENTION)


@rule(
    "K127",
    "visibility-server-not-bindable",
    Severity.ERROR,
    summary="visibilityServer is bound to no IP address, or to a port that is none",
    why=f"{_CHECKED}.",
    remedy="write an IP address and a port between 1 and 65535",
    covers=("1.8-visibility-server",),
)
def visibility_server_not_bindable(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    yield from refusals(given, "write an IP address, and a port between 1 and 65535", law.VISIBILITY)


@rule(
    "K128",
    "metric-labels-not-allowed",
    Severity.ERROR,
    summary="metrics.customLabels has too many labels, a bad name, or a source that is none",
    why=f"{_CHECKED}; each label multiplies the series that are kept.",
    remedy="keep to 20 labels, 2 of Workload and 6 of each other kind, each with one source",
    covers=("1.8-metric-labels",),
)
def metric_labels_not_allowed(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    text = "at most 20 labels, 2 of Workload and 6 of each other kind, every one with a name and one source"
    yield from refusals(given, text, law.METRIC_LABELS)


@rule(
    "K129",
    "tls-settings-not-allowed",
    Severity.ERROR,
    summary="tls names no version that Kueue serves or ciphers beside TLS 1.3, or a certificate's name is none",
    why=f"{_CHECKED}.",
    remedy="write `minVersion` VersionTLS12 or VersionTLS13, and cipher suites with the former only",
    covers=("1.8-tls",),
)
def tls_settings_not_allowed(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    text = "`minVersion` is VersionTLS12 or VersionTLS13, ciphers go with the former; names are DNS names"
    yield from refusals(given, text, law.TLS)


@rule(
    "K130",
    "feature-gate-unknown",
    Severity.ERROR,
    summary="featureGates names a gate that Kueue does not have, or no longer has",
    why=(
        "the manager does not start on a gate that it does not know; LendingLimit, LocalQueueDefaulting and "
        "FlavorFungibilityImplicitPreferenceDefault were removed when what they switched became fixed."
    ),
    remedy="take the gate out, or spell it as Kueue v0.19 does",
    covers=("X8F", "1.8-feature-gates"),
)
def feature_gate_unknown(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each gate."""
    yield from refusals(given, "take the gate out: it was removed, or is misspelt", law.UNKNOWN_GATE)


@rule(
    "K131",
    "feature-gate-not-settable",
    Severity.ERROR,
    summary="featureGates changes a gate that is locked, or lacks one that another needs",
    why="the manager does not start when a locked gate is changed, nor with a gate whose own needs are not met.",
    remedy="leave locked gates alone; switch on what a gate needs, or the gate itself off",
    covers=("1.8-feature-gates",),
)
def feature_gate_not_settable(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each gate."""
    yield from refusals(given, "leave a locked gate alone; switch on what the gate needs, or the gate off", law.GATES)
