"""The laws that decisions under ElasticQuotas follow, by name. ``docs/laws.md`` states each and its source."""

from enum import StrEnum


class Law(StrEnum):
    """One rule of CapacityScheduling or of the scheduler around it; the value is its heading in ``docs/laws.md``."""

    # whether the quotas admit the pod
    NO_QUOTA = "elasticquota-no-quota"
    WITHIN_MAX = "elasticquota-within-max"
    OVER_MAX = "elasticquota-over-max"
    WITHIN_POOL = "elasticquota-within-pool"
    OVER_POOL = "elasticquota-over-pool"
    # which pods with a kept place count beside it
    PEER_COUNTS = "elasticquota-peer-counts"
    PEER_IGNORED = "elasticquota-peer-ignored"
    # whether a node takes it
    FITS = "elasticquota-fits"
    UNSCHEDULABLE = "elasticquota-unschedulable"
    UNTOLERATED_TAINT = "elasticquota-untolerated-taint"
    AFFINITY_MISMATCH = "elasticquota-affinity-mismatch"
    TOO_MANY_PODS = "elasticquota-too-many-pods"
    INSUFFICIENT = "elasticquota-insufficient"
    EXCEEDS_NODE = "elasticquota-exceeds-node"
    # whether it may preempt
    MAY_PREEMPT = "elasticquota-may-preempt"
    NEVER_PREEMPTS = "elasticquota-never-preempts"
    VICTIMS_LEAVING = "elasticquota-victims-leaving"
    # which side it may take from
    WITHIN_MIN = "elasticquota-within-min"
    OVER_MIN = "elasticquota-over-min"
    # why a pod is taken
    OWN_LOWER = "elasticquota-own-lower"
    BORROWER = "elasticquota-borrower"
    UNQUOTED_LOWER = "elasticquota-unquoted-lower"
    # why a pod is not taken
    NOT_LOWER = "elasticquota-not-lower"
    OWN_KEPT = "elasticquota-own-kept"
    OTHERS_KEPT = "elasticquota-others-kept"
    NOT_BORROWING = "elasticquota-not-borrowing"
    OUTSIDE_QUOTAS = "elasticquota-outside-quotas"
    INSIDE_QUOTAS = "elasticquota-inside-quotas"
    # what becomes of those taken
    NODE_NEEDS = "elasticquota-node-needs"
    QUOTA_NEEDS = "elasticquota-quota-needs"
    PUT_BACK = "elasticquota-put-back"
    # why a node is rejected
    NO_VICTIMS = "elasticquota-no-victims"
    DOES_NOT_FIT = "elasticquota-does-not-fit"
    QUOTA_STILL_EXCEEDED = "elasticquota-quota-still-exceeded"
    DOUBLE_REMOVAL = "elasticquota-double-removal"
    NOBODY_LEFT = "elasticquota-nobody-left"
    # which candidate is chosen
    FEWEST_VIOLATIONS = "elasticquota-fewest-violations"
    LOWEST_PRIORITY = "elasticquota-lowest-priority"
    LOWEST_SUM = "elasticquota-lowest-sum"
    FEWEST_VICTIMS = "elasticquota-fewest-victims"
    LATEST_START = "elasticquota-latest-start"
    CHOICE_TIE = "elasticquota-choice-tie"
    ORDER_TIE = "elasticquota-order-tie"
    # what no node can give
    SINGLE_NODE = "elasticquota-single-node"
