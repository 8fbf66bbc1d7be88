"""The affinities of a pod, as the Workload API knows them (core/v1)."""

from kubectl_fairshare.api.structures.selector import LABEL_SELECTOR
from kubectl_fairshare.api.structures.structure import INT32, TEXT, Listing, f, struct

NODE_SELECTOR_REQUIREMENT = struct(
    f("key", TEXT, "!k"),
    f("operator", TEXT, "!k"),
    f("values", Listing(TEXT)),
)

NODE_SELECTOR_TERM = struct(
    f("matchExpressions", Listing(NODE_SELECTOR_REQUIREMENT)),
    f("matchFields", Listing(NODE_SELECTOR_REQUIREMENT)),
)

NODE_SELECTOR = struct(
    f("nodeSelectorTerms", Listing(NODE_SELECTOR_TERM), "!k"),
)

PREFERRED_SCHEDULING_TERM = struct(
    f("weight", INT32, "!k"),
    f("preference", NODE_SELECTOR_TERM, "!k"),
)

NODE_AFFINITY = struct(
    f("requiredDuringSchedulingIgnoredDuringExecution", NODE_SELECTOR, "*"),
    f("preferredDuringSchedulingIgnoredDuringExecution", Listing(PREFERRED_SCHEDULING_TERM)),
)

POD_AFFINITY_TERM = struct(
    f("labelSelector", LABEL_SELECTOR, "*"),
    f("namespaces", Listing(TEXT)),
    f("topologyKey", TEXT, "!k"),
    f("namespaceSelector", LABEL_SELECTOR, "*"),
    f("matchLabelKeys", Listing(TEXT)),
    f("mismatchLabelKeys", Listing(TEXT)),
)

WEIGHTED_POD_AFFINITY_TERM = struct(
    f("weight", INT32, "!k"),
    f("podAffinityTerm", POD_AFFINITY_TERM, "!k"),
)

POD_AFFINITY = struct(
    f("requiredDuringSchedulingIgnoredDuringExecution", Listing(POD_AFFINITY_TERM)),
    f("preferredDuringSchedulingIgnoredDuringExecution", Listing(WEIGHTED_POD_AFFINITY_TERM)),
)

POD_ANTI_AFFINITY = struct(
    f("requiredDuringSchedulingIgnoredDuringExecution", Listing(POD_AFFINITY_TERM)),
    f("preferredDuringSchedulingIgnoredDuringExecution", Listing(WEIGHTED_POD_AFFINITY_TERM)),
)

AFFINITY = struct(
    f("nodeAffinity", NODE_AFFINITY, "*"),
    f("podAffinity", POD_AFFINITY, "*"),
    f("podAntiAffinity", POD_ANTI_AFFINITY, "*"),
)
