"""Values of the Configuration with which Kueue's manager does not start."""

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
    summary="`managedJobsNamespaceSelector` is invalid, or selects kube-system or Kueue's own namespace",
    why=f"{CHECKED}. If Kueue held back pods of kube-system or of its own namespace, the cluster would stop.",
    remedy="exclude both with `kubernetes.io/metadata.name` NotIn, or select namespaces by a label that these two lack",
    help="add a requirement: key `kubernetes.io/metadata.name`, operator NotIn, with these namespaces",
)

framework_not_known = value_rule(
    "K118",
    "framework-not-known",
    law.FRAMEWORKS,
    summary="integrations name an unknown framework, or one framework twice",
    why=(
        f"{CHECKED}. Releases up to v0.10 also know `kubeflow.org/mxjob`: it is an info, unless the release is named "
        "(`--release`, the settings, the manager's image) or the input uses v1beta2, which v0.15 added."
    ),
    remedy="spell frameworks as Kueue does: `batch/job`, `pod`, `ray.io/rayjob`; external ones as Kind.version.group",
    help="spell it as Kueue does, such as `batch/job`; external ones as `Kind.version.group`, each once",
)


@error_rule("K119")
def fair_sharing_strategies_unsupported(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Configuration; another rule reports a v1beta1 `enable` in place of the list."""
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
    summary="a half-life or weight of admissionFairSharing is negative, or its sampling interval is not above 0",
    remedy="write a half-life and weights of 0 or more, and a sampling interval above 0",
    help="write a half-life and weights of 0 or more, and an interval above 0",
)

wait_for_pods_ready_out_of_range = value_rule(
    "K121",
    "wait-for-pods-ready-out-of-range",
    law.WAITING,
    summary="`waitForPodsReady` has a negative duration or count, or an unknown timestamp",
    remedy="write durations and counts of 0 or more, and `timestamp` Eviction or Creation",
    help="write durations and counts of 0 or more, and `timestamp` Eviction or Creation",
)

quota_check_strategy_conflict = value_rule(
    "K122",
    "quota-check-strategy-conflict",
    law.QUOTA_CHECK,
    summary="`quotaCheckStrategy` is unknown, or it is IgnoreUndeclared together with excludeResourcePrefixes",
    why=f"{CHECKED}. IgnoreUndeclared ignores resources that no queue declares, so prefixes have no effect.",
    remedy="remove `excludeResourcePrefixes`, or write BlockUndeclared",
)

transformation_ambiguous = value_rule(
    "K123",
    "transformation-ambiguous",
    law.TRANSFORMATIONS,
    summary="two resource transformations have the same input, or a strategy is unknown",
    remedy="give each input one transformation, with strategy Retain or Replace",
    help="give each input one transformation, with strategy Retain or Replace",
)

device_classes_not_mappable = value_rule(
    "K124",
    "device-classes-not-mappable",
    law.DEVICE_CLASSES,
    summary="`deviceClassMappings` has too many entries, no or too many classes in an entry, or a repeated name",
    why=f"{CHECKED}. A class can count for only one resource.",
    remedy="write at most 16 mappings of 1 to 8 device classes, and each name once",
    help="write at most 16 mappings of 1 to 8 device classes, and each class once",
)

multikueue_settings_out_of_range = value_rule(
    "K125",
    "multikueue-settings-out-of-range",
    law.MULTI_KUEUE,
    summary="`multiKueue` has a negative duration, or settings for another dispatcher than its own",
    remedy="write durations of 0 or more; for `incrementalDispatcherConfig`, its dispatcher and a step of 1 or more",
    help="write durations of 0 or more; incremental settings need `kueue.x-k8s.io/multikueue-dispatcher-incremental`",
)

retention_negative = value_rule(
    "K126",
    "retention-negative",
    law.RETENTION,
    summary="`objectRetentionPolicies` has a negative duration",
    remedy="write a duration of 0 or more; without the field finished workloads stay",
    help="write 0 or more; without the field finished workloads stay",
)

visibility_server_not_bindable = value_rule(
    "K127",
    "visibility-server-not-bindable",
    law.VISIBILITY,
    summary="`visibilityServer` has an invalid IP address or port",
    remedy="write an IP address and a port between 1 and 65535",
    help="write an IP address, and a port from 1 to 65535",
)

metric_labels_not_allowed = value_rule(
    "K128",
    "metric-labels-not-allowed",
    law.METRIC_LABELS,
    summary="`metrics.customLabels` has too many labels, an invalid name, or an invalid source",
    why=f"{CHECKED}. Each label multiplies the number of time series.",
    remedy="write at most 20 labels, 2 of Workload and 6 of each other kind, each with one source",
    help="write at most 20 labels, 2 of Workload and 6 of each other kind, each with a name and one source",
)

tls_settings_not_allowed = value_rule(
    "K129",
    "tls-settings-not-allowed",
    law.TLS,
    summary="`tls` has an unsupported version or ciphers with TLS 1.3, or a certificate has an invalid name",
    remedy="write `minVersion` VersionTLS12 or VersionTLS13, and cipher suites only with VersionTLS12",
    help="write `minVersion` VersionTLS12 or VersionTLS13, ciphers only with VersionTLS12, and DNS names",
)

feature_gate_unknown = value_rule(
    "K130",
    "feature-gate-unknown",
    law.UNKNOWN_GATE,
    summary="`featureGates` names a gate that does not exist, or no longer exists",
    why=(
        "The manager does not start with an unknown gate. LendingLimit, LocalQueueDefaulting and "
        "FlavorFungibilityImplicitPreferenceDefault no longer exist, because their features are always on. A gate that "
        "an older release knows is an info, unless the release is named (`--release`, the settings, its image) "
        "or the input uses v1beta2, which came after the last release with the gate."
    ),
    remedy="remove the gate, or spell it as Kueue v0.19 does",
    help="remove the gate: it no longer exists, or it is misspelt",
    covers=(law.UNKNOWN_GATE, law.GATES),
)

feature_gate_not_settable = value_rule(
    "K131",
    "feature-gate-not-settable",
    law.GATES,
    summary="`featureGates` changes a gate that is locked, or lacks one that another or a framework needs",
    why="The manager does not start if a locked gate is changed, or if a gate or framework lacks a gate that it needs.",
    remedy="do not change locked gates; turn on the gates that a gate or framework needs, or turn that off",
    help="do not change a locked gate; turn on the gates that are needed, or turn off what needs them",
)
