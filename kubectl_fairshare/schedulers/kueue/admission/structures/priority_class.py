"""WorkloadPriorityClass: its structure."""

from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import INT32, TEXT, Text, f, struct

WORKLOAD_PRIORITY_CLASS = struct(
    *TYPE_AND_META,
    f("value", INT32, "!k"),
    f("description", Text(most=2048)),
)

WORKLOAD_PRIORITY_CLASS_V1BETA1 = struct(
    *TYPE_AND_META,
    f("value", INT32, "!k"),
    f("description", TEXT),
)
