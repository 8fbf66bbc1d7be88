"""MultiKueueCluster and MultiKueueConfig: their structure and their CEL rules."""

from kubectl_fairshare.api.structures.condition import CONDITION
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import TEXT, Listing, Rule, Text, f, struct
from kubectl_fairshare.model.json import Json


def _one_source(source: Json, _old: Json) -> bool:
    return ("kubeConfig" in source) != ("clusterProfileRef" in source)


def _all_different(clusters: Json, _old: Json) -> bool:
    return len(set(clusters)) == len(clusters)


RULES_CLUSTER_SOURCE = (
    Rule("not exactly one of kubeConfig and clusterProfileRef is set", _one_source, law="1.6-cluster-source"),
)
RULES_CLUSTERS = (Rule("a cluster is named twice", _all_different, law="1.6-cluster-twice"),)

KUBE_CONFIG = struct(
    f("location", Text(least=1, most=256), "!k"),
    f("locationType", Text(choices=("Secret", "Path")), default="Secret"),
)

CLUSTER_PROFILE_REFERENCE = struct(
    f("name", Text(least=1, most=256), "!"),
)

CLUSTER_SOURCE = struct(
    f("kubeConfig", KUBE_CONFIG, "*z"),
    f("clusterProfileRef", CLUSTER_PROFILE_REFERENCE, "*"),
    rules=RULES_CLUSTER_SOURCE,
)

MULTI_KUEUE_CLUSTER_SPEC = struct(
    f("clusterSource", CLUSTER_SOURCE, "!"),
)

MULTI_KUEUE_CLUSTER_STATUS = struct(
    f("conditions", Listing(CONDITION, most=16, keys=("type",))),
)

MULTI_KUEUE_CLUSTER = struct(
    *TYPE_AND_META,
    f("spec", MULTI_KUEUE_CLUSTER_SPEC, "z"),
    f("status", MULTI_KUEUE_CLUSTER_STATUS),
)

KUBE_CONFIG_V1BETA1 = struct(
    f("location", TEXT, "!k"),
    f("locationType", Text(choices=("Secret", "Path")), "!k", default="Secret"),
)

MULTI_KUEUE_CLUSTER_SPEC_V1BETA1 = struct(
    f("kubeConfig", KUBE_CONFIG_V1BETA1, "!k"),
    f("clusterProfileRef", CLUSTER_PROFILE_REFERENCE, "*"),
)

MULTI_KUEUE_CLUSTER_STATUS_V1BETA1 = struct(
    f("conditions", Listing(CONDITION, keys=("type",))),
)

MULTI_KUEUE_CLUSTER_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", MULTI_KUEUE_CLUSTER_SPEC_V1BETA1),
    f("status", MULTI_KUEUE_CLUSTER_STATUS_V1BETA1),
)

MULTI_KUEUE_CONFIG_SPEC = struct(
    f("clusters", Listing(Text(most=256), least=1, most=20, rules=RULES_CLUSTERS), "!z"),
    f("quotaManagement", Text(choices=("Manual", "Automated")), "*"),
)

MULTI_KUEUE_CONFIG = struct(
    *TYPE_AND_META,
    f("spec", MULTI_KUEUE_CONFIG_SPEC),
)

MULTI_KUEUE_CONFIG_SPEC_V1BETA1 = struct(
    f("clusters", Listing(TEXT, least=1, most=20, unique=True, law="1.6-cluster-twice"), "!k"),
)

MULTI_KUEUE_CONFIG_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", MULTI_KUEUE_CONFIG_SPEC_V1BETA1),
)
