"""The laws that Kueue's decisions follow, by name. ``docs/laws.md`` states each and its source."""

from enum import StrEnum


class Law(StrEnum):
    """One rule of Kueue; the value is the anchor of its section in ``docs/laws.md``."""

    # why a flavor or a resource is passed over
    FLAVOR_NOT_FOUND = "kueue-flavor-not-found"
    UNTOLERATED_TAINT = "kueue-untolerated-taint"
    AFFINITY_MISMATCH = "kueue-affinity-mismatch"
    RESOURCE_UNAVAILABLE = "kueue-resource-unavailable"
    EXCEEDS_POTENTIAL = "kueue-exceeds-potential"
    WITHIN_AVAILABLE = "kueue-within-available"
    EXCEEDS_AVAILABLE = "kueue-exceeds-available"
    # why a workload is not considered
    QUEUE_MISSING = "kueue-queue-missing"
    QUEUE_INACTIVE = "kueue-queue-inactive"
    NAMESPACE_MISSING = "kueue-namespace-missing"
    NAMESPACE_NOT_SELECTED = "kueue-namespace-not-selected"
    LOCAL_QUEUE_MISSING = "kueue-local-queue-missing"
    LOCAL_QUEUE_STOPPED = "kueue-local-queue-stopped"
    WORKLOAD_REFUSED = "kueue-workload-refused"
    WORKLOAD_INACTIVE = "kueue-workload-inactive"
    # why a workload gives way, or does not
    IN_QUEUE_PRIORITY = "kueue-in-queue-priority"
    ENTITLED = "kueue-entitled"
    S2A = "kueue-s2a"
    S2B = "kueue-s2b"
    RECLAIM_HIERARCHY = "kueue-reclaim-hierarchy"
    RECLAIM_PRIORITY = "kueue-reclaim-priority"
    RECLAIM_WHILE_BORROWING = "kueue-reclaim-while-borrowing"
    WITHIN_QUOTA = "kueue-within-quota"
    ONLY_WITHOUT_BORROWING = "kueue-only-without-borrowing"
    PUT_BACK = "kueue-put-back"
    POLICY = "kueue-policy"
    SHORT_RESOURCE = "kueue-short-resource"
    QUEUE_NOT_BORROWING = "kueue-queue-not-borrowing"
    NOT_ENOUGH = "kueue-not-enough"
    NO_CANDIDATES = "kueue-no-candidates"
    NEXT_QUEUE_TIE = "kueue-next-queue-tie"
    # the accounting
    LOCAL = "kueue-local"
    SUBTREE = "kueue-subtree"
    USAGE = "kueue-usage"
    AVAILABLE = "kueue-available"
    POTENTIAL = "kueue-potential"
    BORROWED = "kueue-borrowed"
    LENDABLE = "kueue-lendable"
    SHARE = "kueue-share"
    # the cycle
    RESERVES = "kueue-reserves"
    OVERLAP = "kueue-overlap"
    NO_LONGER_FITS = "kueue-no-longer-fits"
    CYCLE_TIE = "kueue-cycle-tie"
