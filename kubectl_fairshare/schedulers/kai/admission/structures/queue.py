"""Queue: its structure. It has no defaults: what is left out is zero to the scheduler."""

from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import (
    DURATION,
    INT64,
    NUMBER,
    QUANTITY,
    TEXT,
    TIME,
    Listing,
    Table,
    f,
    struct,
)

QUEUE_RESOURCE = struct(
    f("quota", NUMBER, "k"),
    f("overQuotaWeight", NUMBER, "k"),
    f("limit", NUMBER, "k"),
)

QUEUE_RESOURCES = struct(
    f("gpu", QUEUE_RESOURCE),
    f("cpu", QUEUE_RESOURCE),
    f("memory", QUEUE_RESOURCE),
)

QUEUE_SPEC = struct(
    f("displayName", TEXT),
    f("parentQueue", TEXT),
    f("resources", QUEUE_RESOURCES, "*"),
    f("priority", INT64, "*"),
    f("preemptMinRuntime", DURATION, "*"),
    f("reclaimMinRuntime", DURATION, "*"),
)

QUEUE_CONDITION = struct(
    f("type", TEXT, "!k"),
    f("status", TEXT, "!k"),
    f("lastProbeTime", TIME, "z"),
    f("lastTransitionTime", TIME, "z"),
    f("reason", TEXT),
    f("message", TEXT),
)

QUEUE_STATUS = struct(
    f("conditions", Listing(QUEUE_CONDITION)),
    f("childQueues", Listing(TEXT)),
    f("allocated", Table(QUANTITY)),
    f("allocatedNonPreemptible", Table(QUANTITY)),
    f("requested", Table(QUANTITY)),
)

QUEUE = struct(
    *TYPE_AND_META,
    f("spec", QUEUE_SPEC),
    f("status", QUEUE_STATUS),
)
