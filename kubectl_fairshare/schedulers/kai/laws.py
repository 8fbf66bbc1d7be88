"""The laws that KAI-Scheduler's decisions follow, by name. ``docs/laws.md`` has each with its source.

Decides nothing: the names of the laws.
"""

from enum import StrEnum


class Law(StrEnum):
    """One rule of KAI; the value is the anchor of its section in ``docs/laws.md``."""

    # the division
    TOTAL = "kai-total"
    PARENT_SHARE = "kai-parent-share"
    QUOTA_PASS = "kai-quota-pass"
    ROUND = "kai-round"
    PROPOSAL_ROUND = "kai-proposal-round"
    USAGE = "kai-usage"
    REMAINDER = "kai-remainder"
    FAIR_SHARE = "kai-fair-share"
    # whether a job is considered, and the gates of allocation
    NOT_GROUPED = "kai-not-grouped"
    NO_SHARD = "kai-no-shard"
    TRIED_ONCE = "kai-tried-once"
    QUEUE_UNKNOWN = "kai-queue-unknown"
    QUEUE_NOT_LEAF = "kai-queue-not-leaf"
    GANG_NOT_READY = "kai-gang-not-ready"
    LIMIT = "kai-limit"
    NON_PREEMPTIBLE_QUOTA = "kai-non-preemptible-quota"
    IDLE = "kai-idle"
    IDLE_NODE = "kai-idle-node"
    PLACEMENT = "kai-placement"
    REFUSED = "kai-refused"
    BEHIND = "kai-behind"
    # who may reclaim, and from whom
    PREEMPTION_DELAY = "kai-preemption-delay"
    WITHIN_SHARE = "kai-within-share"
    WITHIN_QUOTA = "kai-within-quota"
    OVER_SHARE = "kai-over-share"
    OVER_QUOTA = "kai-over-quota"
    MIN_RUNTIME = "kai-min-runtime"
    ELASTIC_MINIMUM = "kai-elastic-minimum"
    SIBLING = "kai-sibling"
    IN_QUEUE_PRIORITY = "kai-in-queue-priority"
