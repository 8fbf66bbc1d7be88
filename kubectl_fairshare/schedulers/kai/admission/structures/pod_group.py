"""PodGroup: its structure."""

from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import (
    DURATION,
    INT32,
    LABEL_PATTERN,
    QUANTITY,
    TEXT,
    TIME,
    TRUTH,
    Listing,
    Table,
    Text,
    Whole,
    f,
    struct,
)

_COUNT = Whole(32, least=0)

TOPOLOGY_CONSTRAINT = struct(
    f("preferredTopologyLevel", TEXT),
    f("requiredTopologyLevel", TEXT),
    f("topology", TEXT),
)

SUB_GROUP = struct(
    f("name", Text(pattern=LABEL_PATTERN, least=1), "!k"),
    f("minMember", _COUNT, "*"),
    f("minSubGroup", _COUNT, "*"),
    f("parent", Text(pattern=LABEL_PATTERN), "*"),
    f("topologyConstraint", TOPOLOGY_CONSTRAINT, "*"),
)

POD_GROUP_SPEC = struct(
    f("minMember", _COUNT, "*"),
    f("minSubGroup", _COUNT, "*"),
    f("queue", TEXT),
    f("priorityClassName", TEXT),
    f("preemptibility", Text(choices=("preemptible", "non-preemptible"))),
    f("topologyConstraint", TOPOLOGY_CONSTRAINT),
    f("subGroups", Listing(SUB_GROUP)),
    f("markUnschedulable", TRUTH, "*"),
    f("schedulingBackoff", INT32, "*"),
    f("preemptionDelay", DURATION, "*"),
    f("stalenessGracePeriod", DURATION, "*"),
)

POD_GROUP_CONDITION = struct(
    f("type", TEXT),
    f("status", TEXT),
    f("transitionID", TEXT),
    f("lastTransitionTime", TIME, "z"),
    f("reason", TEXT),
    f("message", TEXT),
)

QUEUE_DETAILS = struct(
    f("name", TEXT),
    f("queueRequestedResources", Table(QUANTITY)),
    f("queueDeservedResources", Table(QUANTITY)),
    f("queueAllocatedResources", Table(QUANTITY)),
    f("queueAllocatedNonPreemptibleResources", Table(QUANTITY)),
    f("queueResourceLimits", Table(QUANTITY)),
    f("podGroupRequestedResources", Table(QUANTITY)),
    f("podGroupRequestedNonPreemptibleResources", Table(QUANTITY)),
)

UNSCHEDULABLE_DETAILS = struct(
    f("queueDetails", QUEUE_DETAILS, "*"),
)

UNSCHEDULABLE_EXPLANATION = struct(
    f("reason", TEXT),
    f("message", TEXT),
    f("details", UNSCHEDULABLE_DETAILS, "*"),
)

SCHEDULING_CONDITION = struct(
    f("type", TEXT),
    f("nodePool", TEXT),
    f("reason", TEXT),
    f("message", TEXT),
    f("reasons", Listing(UNSCHEDULABLE_EXPLANATION)),
    f("transitionID", TEXT),
    f("lastTransitionTime", TIME, "z"),
    f("status", TEXT),
)

RESOURCES_STATUS = struct(
    f("allocated", Table(QUANTITY)),
    f("allocatedNonPreemptible", Table(QUANTITY)),
    f("requested", Table(QUANTITY)),
)

POD_GROUP_STATUS = struct(
    f("conditions", Listing(POD_GROUP_CONDITION)),
    f("schedulingConditions", Listing(SCHEDULING_CONDITION)),
    f("resourcesStatus", RESOURCES_STATUS),
)

POD_GROUP = struct(
    *TYPE_AND_META,
    f("spec", POD_GROUP_SPEC),
    f("status", POD_GROUP_STATUS),
)
