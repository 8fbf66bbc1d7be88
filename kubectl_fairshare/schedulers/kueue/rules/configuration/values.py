"""What Kueue's manager refuses among the values of its Configuration: it does not start with them."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.schedulers.kueue.admission import configuration_laws as law
from kubectl_fairshare.schedulers.kueue.rules.configuration.refusals import CHECKED, refusals, value_rule
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_ENABLE: Final = ("fairSharing", "enable")


managed_namespaces_not_selectable = value_rule(
    "K117",
    "managed-namespaces-not-selectable",
    law.NAMESPACES,
    summary="managedJobsNamespaceSelector is no selector, or selects kube-system or Kueue's own namespace",
    why=f"{CHECKED}: were Kueue to hold pods of its own namespace or of kube-system back, the cluster would stop.",
    remedy="exclude both with `kubernetes.io/metadata.name` NotIn, or select namespaces by a label that they lack",
    help="add a requirement: key `kubernetes.io/metadata.name`, operator NotIn, with these namespaces",
)

framework_not_known = value_rule(
    "K118",
    "framework-not-known",
    law.FRAMEWORKS,
    summary="integrations name a framework that Kueue does not know, or one twice",
    remedy="spell frameworks as Kueue does: `batch/job`, `pod`, `ray.io/rayjob`; external ones as Kind.version.group",
    help="spell it as Kueue does, such as `batch/job`; external ones as `Kind.version.group`, each once",
)


@error_rule("K119")
def fair_sharing_strategies_unsupported(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Configuration; a v1beta1 `enable` in place of the list is reported as that."""
    text = "write `preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]`, or one of the two alone"
    enabled = {each.place for each in given.configured for c in each.causes if c.path == _ENABLE}
    for finding in refusals(given, text, law.STRATEGIES):
        place = finding.place._replace(path=finding.place.path[: -len(_ENABLE)])
        if place not in enabled:
            yield finding


admission_fair_sharing_out_of_range = value_rule(
    "K120",
    "admission-fair-sharing-out-of-range",
    law.ADMISSION_SHARING,
    summary="a half-life or weight of admissionFairSharing is negative, or its sampling interval not above 0",
    remedy="half-life and weights are 0 or more, the sampling interval above 0",
    help="half-life and weights are 0 or more, the interval above 0",
)

wait_for_pods_ready_out_of_range = value_rule(
    "K121",
    "wait-for-pods-ready-out-of-range",
    law.WAITING,
    summary="waitForPodsReady has a negative span or count, or a timestamp that is none",
    remedy="write spans and counts of 0 or more, and `timestamp` Eviction or Creation",
    help="spans and counts are 0 or more, `timestamp` is Eviction or Creation",
)

quota_check_strategy_conflict = value_rule(
    "K122",
    "quota-check-strategy-conflict",
    law.QUOTA_CHECK,
    summary="quotaCheckStrategy is unknown, or IgnoreUndeclared stands beside excludeResourcePrefixes",
    why=f"{CHECKED}; IgnoreUndeclared passes over what no queue declares, so prefixes have nothing to exclude.",
    remedy="drop `excludeResourcePrefixes`, or write BlockUndeclared",
)

transformation_ambiguous = value_rule(
    "K123",
    "transformation-ambiguous",
    law.TRANSFORMATIONS,
    summary="two resource transformations have one input, or a strategy is unknown",
    remedy="give each input one transformation, with strategy Retain or Replace",
    help="give each input one transformation, of strategy Retain or Replace",
)

device_classes_not_mappable = value_rule(
    "K124",
    "device-classes-not-mappable",
    law.DEVICE_CLASSES,
    summary="deviceClassMappings has too many entries, none or too many classes in one, or a name twice",
    why=f"{CHECKED}; a class can count against one resource only.",
    remedy="keep to 16 mappings of 1 to 8 device classes, every name once",
    help="keep to 16 mappings of 1 to 8 device classes, each class in one of them",
)

multikueue_settings_out_of_range = value_rule(
    "K125",
    "multikueue-settings-out-of-range",
    law.MULTI_KUEUE,
    summary="multiKueue has a negative span, or settings for a dispatcher that is not chosen",
    remedy="write spans of 0 or more; `incrementalDispatcherConfig` needs the incremental dispatcher and a step of 1",
    help="spans are 0 or more; incremental settings go with `kueue.x-k8s.io/multikueue-dispatcher-incremental`",
)

retention_negative = value_rule(
    "K126",
    "retention-negative",
    law.RETENTION,
    summary="objectRetentionPolicies has a negative span",
    remedy="write a span of 0 or more; without the line finished workloads stay",
    help="write 0 or more; without the line finished workloads stay",
)

visibility_server_not_bindable = value_rule(
    "K127",
    "visibility-server-not-bindable",
    law.VISIBILITY,
    summary="visibilityServer is bound to no IP address, or to a port that is none",
    remedy="write an IP address and a port between 1 and 65535",
    help="write an IP address, and a port between 1 and 65535",
)

metric_labels_not_allowed = value_rule(
    "K128",
    "metric-labels-not-allowed",
    law.METRIC_LABELS,
    summary="metrics.customLabels has too many labels, a bad name, or a source that is none",
    why=f"{CHECKED}; each label multiplies the series that are kept.",
    remedy="keep to 20 labels, 2 of Workload and 6 of each other kind, each with one source",
    help="at most 20 labels, 2 of Workload and 6 of each other kind, every one with a name and one source",
)

tls_settings_not_allowed = value_rule(
    "K129",
    "tls-settings-not-allowed",
    law.TLS,
    summary="tls names no version that Kueue serves or ciphers beside TLS 1.3, or a certificate's name is none",
    remedy="write `minVersion` VersionTLS12 or VersionTLS13, and cipher suites with the former only",
    help="`minVersion` is VersionTLS12 or VersionTLS13, ciphers go with the former; names are DNS names",
)

feature_gate_unknown = value_rule(
    "K130",
    "feature-gate-unknown",
    law.UNKNOWN_GATE,
    summary="featureGates names a gate that Kueue does not have, or no longer has",
    why=(
        "the manager does not start on a gate that it does not know; LendingLimit, LocalQueueDefaulting and "
        "FlavorFungibilityImplicitPreferenceDefault were removed when what they switched became fixed."
    ),
    remedy="take the gate out, or spell it as Kueue v0.19 does",
    help="take the gate out: it was removed, or is misspelt",
    covers=(law.UNKNOWN_GATE, law.GATES),
)

feature_gate_not_settable = value_rule(
    "K131",
    "feature-gate-not-settable",
    law.GATES,
    summary="featureGates changes a gate that is locked, or lacks one that another needs",
    why="the manager does not start when a locked gate is changed, nor with a gate whose own needs are not met.",
    remedy="leave locked gates alone; switch on what a gate needs, or the gate itself off",
    help="leave a locked gate alone; switch on what the gate needs, or the gate off",
)
