"""LocalQueue: its structure and its CEL rules."""

from kubectl_fairshare.api.sameness import same
from kubectl_fairshare.api.structures.condition import CONDITION
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.selector import TAINT
from kubectl_fairshare.api.structures.structure import (
    INT32,
    INT64,
    NAME,
    NAME_PATTERN,
    QUANTITY,
    TEXT,
    TIME,
    Listing,
    Rule,
    Table,
    Text,
    f,
    struct,
)
from kubectl_fairshare.schedulers.kueue.admission.structures.quota import FAIR_SHARING, FAIR_SHARING_STATUS_V1BETA1

RULES_CLUSTER_QUEUE = (Rule("clusterQueue is immutable", same, transition=True, law="1.3-cluster-queue-immutable"),)

LOCAL_QUEUE_SPEC = struct(
    f("clusterQueue", Text(pattern=NAME_PATTERN, most=253, rules=RULES_CLUSTER_QUEUE)),
    f("stopPolicy", Text(choices=("None", "Hold", "HoldAndDrain")), "*", default="None"),
    f("fairSharing", FAIR_SHARING, "*"),
)

LOCAL_QUEUE_RESOURCE_USAGE = struct(
    f("name", TEXT, "!"),
    f("total", QUANTITY),
)

LOCAL_QUEUE_FLAVOR_USAGE = struct(
    f("name", NAME, "!k"),
    f("resources", Listing(LOCAL_QUEUE_RESOURCE_USAGE, most=64, keys=("name",)), "!"),
)

LOCAL_QUEUE_ADMISSION_FAIR_SHARING_STATUS = struct(
    f("consumedResources", Table(QUANTITY), "!k"),
    f("lastUpdate", TIME, "!k"),
)

LOCAL_QUEUE_FAIR_SHARING_STATUS = struct(
    f("weightedShare", INT64, "!k"),
    f("admissionFairSharingStatus", LOCAL_QUEUE_ADMISSION_FAIR_SHARING_STATUS, "*"),
)

LOCAL_QUEUE_STATUS = struct(
    f("conditions", Listing(CONDITION, most=16, keys=("type",))),
    f("pendingWorkloads", INT32, "k"),
    f("reservingWorkloads", INT32, "k"),
    f("admittedWorkloads", INT32, "k"),
    f("flavorsReservation", Listing(LOCAL_QUEUE_FLAVOR_USAGE, most=64, keys=("name",))),
    f("flavorsUsage", Listing(LOCAL_QUEUE_FLAVOR_USAGE, most=64, keys=("name",))),
    f("fairSharing", LOCAL_QUEUE_FAIR_SHARING_STATUS, "*"),
)

LOCAL_QUEUE = struct(
    *TYPE_AND_META,
    f("spec", LOCAL_QUEUE_SPEC, "k"),
    f("status", LOCAL_QUEUE_STATUS),
)

LOCAL_QUEUE_RESOURCE_USAGE_V1BETA1 = struct(
    f("name", TEXT, "!k"),
    f("total", QUANTITY),
)

LOCAL_QUEUE_FLAVOR_USAGE_V1BETA1 = struct(
    f("name", NAME, "!k"),
    f("resources", Listing(LOCAL_QUEUE_RESOURCE_USAGE_V1BETA1, most=64, keys=("name",)), "!k"),
)

TOPOLOGY_INFO_V1BETA1 = struct(
    f("name", NAME, "!k"),
    f("levels", Listing(TEXT, least=1, most=16), "!k"),
)

LOCAL_QUEUE_FLAVOR_STATUS_V1BETA1 = struct(
    f("name", NAME, "!k"),
    f("resources", Listing(TEXT, most=64, unique=True)),
    f("nodeLabels", Table(TEXT, most=8)),
    f("nodeTaints", Listing(TAINT, most=8)),
    f("topology", TOPOLOGY_INFO_V1BETA1, "*"),
)

LOCAL_QUEUE_STATUS_V1BETA1 = struct(
    f("conditions", Listing(CONDITION, keys=("type",))),
    f("pendingWorkloads", INT32, "k"),
    f("reservingWorkloads", INT32, "k"),
    f("admittedWorkloads", INT32, "k"),
    f("flavorsReservation", Listing(LOCAL_QUEUE_FLAVOR_USAGE_V1BETA1, most=64, keys=("name",)), "k"),
    f("flavorUsage", Listing(LOCAL_QUEUE_FLAVOR_USAGE_V1BETA1, most=64, keys=("name",)), "k"),
    f("flavors", Listing(LOCAL_QUEUE_FLAVOR_STATUS_V1BETA1, most=64, keys=("name",))),
    f("fairSharing", FAIR_SHARING_STATUS_V1BETA1, "*"),
)

LOCAL_QUEUE_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", LOCAL_QUEUE_SPEC),
    f("status", LOCAL_QUEUE_STATUS_V1BETA1),
)
