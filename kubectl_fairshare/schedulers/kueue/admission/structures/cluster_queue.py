"""ClusterQueue: its structure and its CEL rules."""

from collections.abc import Callable

from kubectl_fairshare.api.structures.condition import CONDITION
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.selector import LABEL_SELECTOR
from kubectl_fairshare.api.structures.structure import INT32, NAME, TEXT, TIME, Listing, Rule, Text, f, struct
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kueue.admission.structures.quota import (
    FAIR_SHARING,
    FAIR_SHARING_STATUS,
    FAIR_SHARING_STATUS_V1BETA1,
    FLAVOR_USAGE,
    FLAVOR_USAGE_V1BETA1,
    RESOURCE_GROUP,
    RESOURCE_GROUP_V1BETA1,
)


def _preference_follows_search(fungibility: Json, _old: Json) -> bool:
    if "preference" not in fungibility:
        return True
    return bool(fungibility["whenCanBorrow"] == "TryNextFlavor" and fungibility["whenCanPreempt"] == "TryNextFlavor")


def _borrowing_preemption_needs_reclaim(preemption: Json, _old: Json) -> bool:
    borrowing = preemption.get("borrowWithinCohort")
    return not (
        preemption["reclaimWithinCohort"] == "Never" and borrowing is not None and borrowing["policy"] != "Never"
    )


def _borrowing_needs(parent: str) -> Callable[[Json, Json], bool]:
    def holds(spec: Json, _old: Json) -> bool:
        if parent in spec:
            return True
        groups = spec.get("resourceGroups", ())
        return not any(
            "borrowingLimit" in quota
            for group in groups
            for flavor in group["flavors"]
            for quota in flavor["resources"]
        )

    return holds


RULES_FLAVOR_FUNGIBILITY = (
    Rule(
        "preference needs whenCanBorrow and whenCanPreempt to be TryNextFlavor", _preference_follows_search, law="CQ11"
    ),
)
RULES_CLUSTER_QUEUE_PREEMPTION = (
    Rule(
        "borrowWithinCohort needs a reclaimWithinCohort other than Never",
        _borrowing_preemption_needs_reclaim,
        law="CQ12",
    ),
)
RULES_CLUSTER_QUEUE_SPEC = (Rule("borrowingLimit needs a cohort", _borrowing_needs("cohortName"), law="CQ01"),)
RULES_CLUSTER_QUEUE_SPEC_V1BETA1 = (Rule("borrowingLimit needs a cohort", _borrowing_needs("cohort"), law="CQ01"),)

FLAVOR_FUNGIBILITY = struct(
    f("whenCanBorrow", Text(choices=("MayStopSearch", "TryNextFlavor")), default="MayStopSearch"),
    f("whenCanPreempt", Text(choices=("MayStopSearch", "TryNextFlavor")), default="TryNextFlavor"),
    f("preference", Text(choices=("BorrowingOverPreemption", "PreemptionOverBorrowing")), "*"),
    rules=RULES_FLAVOR_FUNGIBILITY,
)

BORROW_WITHIN_COHORT = struct(
    f("policy", Text(choices=("Never", "LowerPriority")), default="Never"),
    f("maxPriorityThreshold", INT32, "*"),
)

CLUSTER_QUEUE_PREEMPTION = struct(
    f("reclaimWithinCohort", Text(choices=("Never", "LowerPriority", "Any")), default="Never"),
    f("borrowWithinCohort", BORROW_WITHIN_COHORT, "*", default={}),
    f("withinClusterQueue", Text(choices=("Never", "LowerPriority", "LowerOrNewerEqualPriority")), default="Never"),
    rules=RULES_CLUSTER_QUEUE_PREEMPTION,
)

ADMISSION_CHECK_STRATEGY_RULE = struct(
    f("name", Text(least=1, most=316), "!"),
    f("onFlavors", Listing(NAME, most=64, unique=True)),
)

ADMISSION_CHECKS_STRATEGY = struct(
    f("admissionChecks", Listing(ADMISSION_CHECK_STRATEGY_RULE, least=1, most=64, keys=("name",)), "!"),
)

ADMISSION_SCOPE = struct(
    f("admissionMode", Text(choices=("UsageBasedAdmissionFairSharing", "NoAdmissionFairSharing")), "!"),
)

CONCURRENT_ADMISSION_CONSTRAINTS = struct(
    f("lastAcceptableFlavorName", NAME, "*"),
)

CONCURRENT_ADMISSION_MIGRATION = struct(
    f("mode", Text(most=253, choices=("TryPreferredFlavors", "RetainFirstAdmission")), "!"),
    f("constraints", CONCURRENT_ADMISSION_CONSTRAINTS, "*"),
)

CONCURRENT_ADMISSION_POLICY = struct(
    f("migration", CONCURRENT_ADMISSION_MIGRATION, "!z"),
)

CLUSTER_QUEUE_SPEC = struct(
    f("resourceGroups", Listing(RESOURCE_GROUP, most=16)),
    f("cohortName", NAME),
    f("queueingStrategy", Text(choices=("StrictFIFO", "BestEffortFIFO")), default="BestEffortFIFO"),
    f("namespaceSelector", LABEL_SELECTOR, "*"),
    f("flavorFungibility", FLAVOR_FUNGIBILITY, "*", default={}),
    f("preemption", CLUSTER_QUEUE_PREEMPTION, "*", default={}),
    f("admissionChecksStrategy", ADMISSION_CHECKS_STRATEGY, "*"),
    f("stopPolicy", Text(choices=("None", "Hold", "HoldAndDrain")), "*", default="None"),
    f("fairSharing", FAIR_SHARING, "*"),
    f("admissionScope", ADMISSION_SCOPE, "*"),
    f("concurrentAdmissionPolicy", CONCURRENT_ADMISSION_POLICY, "*"),
    rules=RULES_CLUSTER_QUEUE_SPEC,
)

CLUSTER_QUEUE_STATUS = struct(
    f("conditions", Listing(CONDITION, most=16, keys=("type",))),
    f("flavorsReservation", Listing(FLAVOR_USAGE, most=64, keys=("name",))),
    f("flavorsUsage", Listing(FLAVOR_USAGE, most=64, keys=("name",))),
    f("pendingWorkloads", INT32, "k"),
    f("reservingWorkloads", INT32, "k"),
    f("admittedWorkloads", INT32, "k"),
    f("fairSharing", FAIR_SHARING_STATUS, "*"),
)

CLUSTER_QUEUE = struct(
    *TYPE_AND_META,
    f("spec", CLUSTER_QUEUE_SPEC),
    f("status", CLUSTER_QUEUE_STATUS),
)

FLAVOR_FUNGIBILITY_V1BETA1 = struct(
    f("whenCanBorrow", Text(choices=("MayStopSearch", "TryNextFlavor", "Borrow")), default="MayStopSearch"),
    f("whenCanPreempt", Text(choices=("MayStopSearch", "TryNextFlavor", "Preempt")), default="TryNextFlavor"),
    f("preference", Text(choices=("BorrowingOverPreemption", "PreemptionOverBorrowing")), "*"),
    rules=RULES_FLAVOR_FUNGIBILITY,
)

ADMISSION_CHECK_STRATEGY_RULE_V1BETA1 = struct(
    f("name", Text(most=316), "!k"),
    f("onFlavors", Listing(NAME)),
)

ADMISSION_CHECKS_STRATEGY_V1BETA1 = struct(
    f("admissionChecks", Listing(ADMISSION_CHECK_STRATEGY_RULE_V1BETA1)),
)

ADMISSION_SCOPE_V1BETA1 = struct(
    f("admissionMode", TEXT, "!k"),
)

CLUSTER_QUEUE_SPEC_V1BETA1 = struct(
    f("resourceGroups", Listing(RESOURCE_GROUP_V1BETA1, most=16)),
    f("cohort", NAME),
    f("queueingStrategy", Text(choices=("StrictFIFO", "BestEffortFIFO")), default="BestEffortFIFO"),
    f("namespaceSelector", LABEL_SELECTOR, "*"),
    f("flavorFungibility", FLAVOR_FUNGIBILITY_V1BETA1, "*", default={}),
    f("preemption", CLUSTER_QUEUE_PREEMPTION, "*", default={}),
    f("admissionChecks", Listing(Text(most=316))),
    f("admissionChecksStrategy", ADMISSION_CHECKS_STRATEGY_V1BETA1, "*"),
    f("stopPolicy", Text(choices=("None", "Hold", "HoldAndDrain")), "*", default="None"),
    f("fairSharing", FAIR_SHARING, "*"),
    f("admissionScope", ADMISSION_SCOPE_V1BETA1, "*"),
    rules=RULES_CLUSTER_QUEUE_SPEC_V1BETA1,
)

CLUSTER_QUEUE_PENDING_WORKLOAD_V1BETA1 = struct(
    f("name", TEXT, "!k"),
    f("namespace", TEXT, "!k"),
)

CLUSTER_QUEUE_PENDING_WORKLOADS_STATUS_V1BETA1 = struct(
    f("clusterQueuePendingWorkload", Listing(CLUSTER_QUEUE_PENDING_WORKLOAD_V1BETA1), "k"),
    f("lastChangeTime", TIME, "!k"),
)

CLUSTER_QUEUE_STATUS_V1BETA1 = struct(
    f("conditions", Listing(CONDITION, keys=("type",))),
    f("flavorsReservation", Listing(FLAVOR_USAGE_V1BETA1, most=64, keys=("name",)), "k"),
    f("flavorsUsage", Listing(FLAVOR_USAGE_V1BETA1, most=64, keys=("name",)), "k"),
    f("pendingWorkloads", INT32, "k"),
    f("reservingWorkloads", INT32, "k"),
    f("admittedWorkloads", INT32, "k"),
    f("pendingWorkloadsStatus", CLUSTER_QUEUE_PENDING_WORKLOADS_STATUS_V1BETA1, "*k"),
    f("fairSharing", FAIR_SHARING_STATUS_V1BETA1, "*"),
)

CLUSTER_QUEUE_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", CLUSTER_QUEUE_SPEC_V1BETA1),
    f("status", CLUSTER_QUEUE_STATUS_V1BETA1),
)
