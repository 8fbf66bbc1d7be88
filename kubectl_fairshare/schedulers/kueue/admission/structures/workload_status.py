"""Workload: its status and its CEL rules."""

from kubectl_fairshare.api.structures.condition import CONDITION
from kubectl_fairshare.api.structures.selector import RULES_TOLERATIONS, TOLERATION
from kubectl_fairshare.api.structures.structure import (
    DNS_LABEL,
    INT32,
    NAME,
    QUANTITY,
    TEXT,
    TIME,
    Listing,
    Rule,
    Table,
    Text,
    Verdict,
    Whole,
    f,
    struct,
)
from kubectl_fairshare.model.json import Json


def _values_per_level(assignment: Json, _old: Json) -> bool:
    levels = len(assignment["levels"])
    return all(len(part["valuesPerLevel"]) == levels for part in assignment["slices"])


def _counts_per_domain(part: Json, _old: Json) -> Verdict:
    if "individual" not in part["podCounts"]:
        return True
    return len(part["podCounts"]["individual"]) == domains if (domains := _domains(part)) is not None else None


def _roots_per_domain(part: Json, _old: Json) -> Verdict:
    rooted = [len(value["individual"]["roots"]) for value in part["valuesPerLevel"] if "individual" in value]
    if not rooted:
        return True
    return all(count == domains for count in rooted) if (domains := _domains(part)) is not None else None


def _domains(part: Json) -> int | None:
    count = part["domainCount"]
    return None if isinstance(count, float) else int(count)


def _one_form(value: Json, _old: Json) -> bool:
    return ("universal" in value) != ("individual" in value)


def _cluster_stays(status: Json, old: Json) -> bool:
    name = "clusterName"
    return name not in old or name not in status or bool(status[name] == old[name])


def _named_or_nominated(status: Json, _old: Json) -> bool:
    return "clusterName" not in status or not status.get("nominatedClusterNames")


RULES_TOPOLOGY_ASSIGNMENT = (Rule("valuesPerLevel are not as many as levels", _values_per_level),)
RULES_TOPOLOGY_ASSIGNMENT_SLICE = (
    Rule("podCounts.individual are not as many as domainCount", _counts_per_domain),
    Rule("individual roots are not as many as domainCount", _roots_per_domain),
)
RULES_TOPOLOGY_ASSIGNMENT_SLICE_POD_COUNTS = (Rule("not exactly one of universal and individual is set", _one_form),)
RULES_TOPOLOGY_ASSIGNMENT_SLICE_LEVEL_VALUES = RULES_TOPOLOGY_ASSIGNMENT_SLICE_POD_COUNTS
RULES_WORKLOAD_STATUS = (
    Rule("clusterName is immutable once set", _cluster_stays, transition=True),
    Rule("clusterName and nominatedClusterNames are both set", _named_or_nominated),
)

TOPOLOGY_ASSIGNMENT_SLICE_LEVEL_INDIVIDUAL_VALUES = struct(
    f("prefix", Text(most=63), "*"),
    f("suffix", Text(most=63), "*"),
    f("roots", Listing(Text(most=63), least=1, most=100000), "!"),
)

TOPOLOGY_ASSIGNMENT_SLICE_LEVEL_VALUES = struct(
    f("universal", Text(most=63), "*"),
    f("individual", TOPOLOGY_ASSIGNMENT_SLICE_LEVEL_INDIVIDUAL_VALUES, "*"),
    rules=RULES_TOPOLOGY_ASSIGNMENT_SLICE_LEVEL_VALUES,
)

TOPOLOGY_ASSIGNMENT_SLICE_POD_COUNTS = struct(
    f("universal", Whole(32, least=1), "*"),
    f("individual", Listing(Whole(32, least=1), least=1, most=100000)),
    rules=RULES_TOPOLOGY_ASSIGNMENT_SLICE_POD_COUNTS,
)

TOPOLOGY_ASSIGNMENT_SLICE = struct(
    f("domainCount", Whole(32, least=1), "!"),
    f("valuesPerLevel", Listing(TOPOLOGY_ASSIGNMENT_SLICE_LEVEL_VALUES, least=1, most=16), "!"),
    f("podCounts", TOPOLOGY_ASSIGNMENT_SLICE_POD_COUNTS, "!"),
    rules=RULES_TOPOLOGY_ASSIGNMENT_SLICE,
)

TOPOLOGY_ASSIGNMENT = struct(
    f("levels", Listing(Text(most=317), least=1, most=16), "!"),
    f("slices", Listing(TOPOLOGY_ASSIGNMENT_SLICE, most=1000), "!"),
    rules=RULES_TOPOLOGY_ASSIGNMENT,
)

POD_SET_ASSIGNMENT = struct(
    f("name", DNS_LABEL, "k", default="main"),
    f("flavors", Table(NAME)),
    f("resourceUsage", Table(QUANTITY)),
    f("count", Whole(32, least=0), "*"),
    f("topologyAssignment", TOPOLOGY_ASSIGNMENT, "*"),
    f("delayedTopologyRequest", Text(most=7, choices=("Pending", "Ready")), "*"),
)

ADMISSION = struct(
    f("clusterQueue", NAME, "k"),
    f("podSetAssignments", Listing(POD_SET_ASSIGNMENT, most=18, keys=("name",)), "k"),
)

REQUEUE_STATE = struct(
    f("count", Whole(32, least=0), "*"),
    f("requeueAt", TIME, "*"),
)

RECLAIMABLE_POD = struct(
    f("name", DNS_LABEL, "!k"),
    f("count", Whole(32, least=0), "!k"),
)

POD_SET_UPDATE = struct(
    f("name", DNS_LABEL, "!k"),
    f("labels", Table(TEXT)),
    f("annotations", Table(TEXT)),
    f("nodeSelector", Table(TEXT)),
    f("tolerations", Listing(TOLERATION, most=8, rules=RULES_TOLERATIONS)),
)

ADMISSION_CHECK_STATE = struct(
    f("name", Text(least=1, most=316), "!"),
    f("state", Text(choices=("Pending", "Ready", "Retry", "Rejected")), "!"),
    f("lastTransitionTime", TIME, "!z"),
    f("message", Text(most=32768), "!k"),
    f("requeueAfterSeconds", Whole(32, least=0), "*"),
    f("retryCount", Whole(32, least=0), "*"),
    f("podSetUpdates", Listing(POD_SET_UPDATE, most=18)),
)

POD_SET_REQUEST = struct(
    f("name", DNS_LABEL, "!k"),
    f("resources", Table(QUANTITY)),
)

WORKLOAD_SCHEDULING_STATS_EVICTION = struct(
    f("reason", Text(most=316), "!k"),
    f("underlyingCause", Text(most=316), "!k"),
    f("count", Whole(32, least=0), "!k"),
)

SCHEDULING_STATS = struct(
    f("evictions", Listing(WORKLOAD_SCHEDULING_STATS_EVICTION, most=256, keys=("reason", "underlyingCause"))),
)

UNHEALTHY_NODE = struct(
    f("name", Text(most=63), "!k"),
)

PREEMPTION_GATE_STATE = struct(
    f("name", Text(least=1, most=63), "!k"),
    f("position", Text(choices=("Closed", "Open")), "!"),
    f("lastTransitionTime", TIME, "!z"),
)

WORKLOAD_STATUS = struct(
    f("conditions", Listing(CONDITION, most=16, keys=("type",))),
    f("admission", ADMISSION, "*"),
    f("requeueState", REQUEUE_STATE, "*"),
    f("reclaimablePods", Listing(RECLAIMABLE_POD, most=18, keys=("name",))),
    f("admissionChecks", Listing(ADMISSION_CHECK_STATE, most=8, keys=("name",))),
    f("resourceRequests", Listing(POD_SET_REQUEST, most=18, keys=("name",))),
    f("accumulatedPastExecutionTimeSeconds", INT32, "*"),
    f("schedulingStats", SCHEDULING_STATS, "*"),
    f("nominatedClusterNames", Listing(Text(most=256), most=20)),
    f("clusterName", Text(most=256), "*"),
    f("unhealthyNodes", Listing(UNHEALTHY_NODE, most=8, keys=("name",))),
    f("preemptionGates", Listing(PREEMPTION_GATE_STATE, most=8, keys=("name",))),
    rules=RULES_WORKLOAD_STATUS,
)

TOPOLOGY_DOMAIN_ASSIGNMENT_V1BETA1 = struct(
    f("values", Listing(TEXT, least=1, most=16), "!k"),
    f("count", Whole(32, least=1), "!k"),
)

TOPOLOGY_ASSIGNMENT_V1BETA1 = struct(
    f("levels", Listing(TEXT, least=1, most=16), "!k"),
    f("domains", Listing(TOPOLOGY_DOMAIN_ASSIGNMENT_V1BETA1), "!k"),
)

POD_SET_ASSIGNMENT_V1BETA1 = struct(
    f("name", DNS_LABEL, "!k", default="main"),
    f("flavors", Table(NAME)),
    f("resourceUsage", Table(QUANTITY)),
    f("count", Whole(32, least=0), "*"),
    f("topologyAssignment", TOPOLOGY_ASSIGNMENT_V1BETA1, "*"),
    f("delayedTopologyRequest", TEXT, "*"),
)

ADMISSION_V1BETA1 = struct(
    f("clusterQueue", NAME, "!k"),
    f("podSetAssignments", Listing(POD_SET_ASSIGNMENT_V1BETA1, most=18, keys=("name",)), "!k"),
)

ADMISSION_CHECK_STATE_V1BETA1 = struct(
    f("name", Text(most=316), "!k"),
    f("state", Text(choices=("Pending", "Ready", "Retry", "Rejected")), "!k"),
    f("lastTransitionTime", TIME, "!k"),
    f("message", Text(most=32768), "!k"),
    f("requeueAfterSeconds", Whole(32, least=0), "*"),
    f("retryCount", Whole(32, least=0), "*"),
    f("podSetUpdates", Listing(POD_SET_UPDATE, most=18)),
)

SCHEDULING_STATS_V1BETA1 = struct(
    f("evictions", Listing(WORKLOAD_SCHEDULING_STATS_EVICTION, keys=("reason", "underlyingCause"))),
)

UNHEALTHY_NODE_V1BETA1 = struct(
    f("name", TEXT, "!k"),
)

WORKLOAD_STATUS_V1BETA1 = struct(
    f("conditions", Listing(CONDITION, keys=("type",))),
    f("admission", ADMISSION_V1BETA1, "*"),
    f("requeueState", REQUEUE_STATE, "*"),
    f("reclaimablePods", Listing(RECLAIMABLE_POD, most=18, keys=("name",))),
    f("admissionChecks", Listing(ADMISSION_CHECK_STATE_V1BETA1, most=8, keys=("name",))),
    f("resourceRequests", Listing(POD_SET_REQUEST, most=18, keys=("name",))),
    f("accumulatedPastExexcutionTimeSeconds", INT32, "*"),
    f("schedulingStats", SCHEDULING_STATS_V1BETA1, "*"),
    f("nominatedClusterNames", Listing(TEXT, most=20)),
    f("clusterName", TEXT, "*"),
    f("unhealthyNodes", Listing(UNHEALTHY_NODE_V1BETA1)),
    rules=RULES_WORKLOAD_STATUS,
)
