"""The laws of CapacityScheduling: their names, then each as a function, in the order of a scheduling cycle.

PreFilter admits a pod of a namespace with an ElasticQuota if the namespace stays within its max, and all quotas
together within the sum of all min. A pod that is rejected, or that fits on no node, may preempt on one node. Above
its min, a namespace preempts its own lower priorities; within it, pods of namespaces that borrow. Pods without a
quota preempt only each other. A victim whose eviction is not needed is put back. The best victims decide the node.

Every comparison is strict, so an equal sum fits. Used, wanted, min and max are different types and cannot be mixed up.
``quotas`` and ``preemption`` apply the laws and keep the evidence.
Counter-example to "who borrows loses to who does not": ``a`` uses 3 of its min 4, and asks for 2. It would be above its
min by 1, so it may preempt its own lower pods only, although ``b`` borrows 6; asking for 1 it takes pods of ``b`` of
any priority.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/elasticquota.go,
``usedOverMinWith``, ``usedOverMaxWith``, ``aggregatedUsedOverMinWith``, ``cmp2``; ``capacity_scheduling.go`` next to
it; https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/preemption/preemption.go for the
choice of a node. ``docs/laws.md`` has each law in words.
"""

from enum import Enum, StrEnum
from typing import NewType

from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST
from kubectl_fairshare.schedulers.elasticquota.model.vector import ZERO, Vector, over, plus


class Law(StrEnum):
    """One rule of CapacityScheduling or of the scheduler around it; the value is its heading in ``docs/laws.md``."""

    # whether the quotas admit the pod
    NO_QUOTA = "elasticquota-no-quota"
    WITHIN_MAX = "elasticquota-within-max"
    OVER_MAX = "elasticquota-over-max"
    WITHIN_POOL = "elasticquota-within-pool"
    OVER_POOL = "elasticquota-over-pool"
    # which nominated pods count as well
    PEER_COUNTS = "elasticquota-peer-counts"
    PEER_IGNORED = "elasticquota-peer-ignored"
    # whether a node has room
    FITS = "elasticquota-fits"
    UNSCHEDULABLE = "elasticquota-unschedulable"
    UNTOLERATED_TAINT = "elasticquota-untolerated-taint"
    AFFINITY_MISMATCH = "elasticquota-affinity-mismatch"
    TOO_MANY_PODS = "elasticquota-too-many-pods"
    INSUFFICIENT = "elasticquota-insufficient"
    EXCEEDS_NODE = "elasticquota-exceeds-node"
    # whether it can preempt
    MAY_PREEMPT = "elasticquota-may-preempt"
    NEVER_PREEMPTS = "elasticquota-never-preempts"
    VICTIMS_LEAVING = "elasticquota-victims-leaving"
    # whose pods it can preempt
    WITHIN_MIN = "elasticquota-within-min"
    OVER_MIN = "elasticquota-over-min"
    # why a pod is a victim
    OWN_LOWER = "elasticquota-own-lower"
    BORROWER = "elasticquota-borrower"
    UNQUOTED_LOWER = "elasticquota-unquoted-lower"
    # why a pod is not a victim
    NOT_LOWER = "elasticquota-not-lower"
    OWN_KEPT = "elasticquota-own-kept"
    OTHERS_KEPT = "elasticquota-others-kept"
    NOT_BORROWING = "elasticquota-not-borrowing"
    OUTSIDE_QUOTAS = "elasticquota-outside-quotas"
    INSIDE_QUOTAS = "elasticquota-inside-quotas"
    # the end of each victim
    NODE_NEEDS = "elasticquota-node-needs"
    QUOTA_NEEDS = "elasticquota-quota-needs"
    PUT_BACK = "elasticquota-put-back"
    # why a node is rejected
    NO_VICTIMS = "elasticquota-no-victims"
    DOES_NOT_FIT = "elasticquota-does-not-fit"
    QUOTA_STILL_EXCEEDED = "elasticquota-quota-still-exceeded"
    REMOVED_TWICE = "elasticquota-double-removal"
    ALL_SPARED = "elasticquota-all-spared"
    # which node is chosen
    FEWEST_VIOLATIONS = "elasticquota-fewest-violations"
    LOWEST_PRIORITY = "elasticquota-lowest-priority"
    LOWEST_SUM = "elasticquota-lowest-sum"
    FEWEST_VICTIMS = "elasticquota-fewest-victims"
    LATEST_START = "elasticquota-latest-start"
    CHOICE_TIE = "elasticquota-choice-tie"
    ORDER_TIE = "elasticquota-order-tie"
    # what no node alone can give
    SINGLE_NODE = "elasticquota-single-node"


Used = NewType("Used", Vector)
"""What the pods of a namespace use, or those of all namespaces with a quota."""
Wanted = NewType("Wanted", Vector)
"""What a pod requests, plus the nominated pods that count as well."""
Min = NewType("Min", Vector)
Max = NewType("Max", Vector)
Pool = NewType("Pool", Vector)
"""The sum of all min."""


# PreFilter: whether the quotas admit the pod


def exceeds_max(used: Used, wanted: Wanted, most: Max) -> bool:
    """Whether a namespace would use more than its max; a resource that max does not list has no bound."""
    # cpu and memory are compared even where the pod requests none, other resources only where it requests some: a
    # namespace above its max in cpu starts no pod at all, one above it in GPUs starts pods without.
    return over(wanted, used, most, unlisted=LARGEST)


def exceeds_pool(used_by_all: Used, wanted: Wanted, pool: Pool) -> bool:
    """Whether all quotas together would use more than the sum of all min."""
    # Here what all quotas use is the left side, so each resource in use is compared, also those that the pod does not
    # request; one that no min lists has no room in the pool.
    return over(plus(used_by_all, wanted), ZERO, pool, unlisted=0)


def exceeds_min(used: Used, wanted: Wanted, least: Min) -> bool:
    """Whether a namespace would use more than its min; a resource that min does not list has the bound 0."""
    return over(wanted, used, least, unlisted=0)


def borrows(used: Used, least: Min) -> bool:
    """Whether a namespace uses more than its min."""
    # Equal to min is not borrowing: pods of a namespace exactly at its min are safe.
    return over(used, ZERO, least, unlisted=0)


def counts_in_quota(pod: Pod, kept: Pod) -> bool:
    """Whether another nominated pod counts towards the max of the pod's namespace."""
    # Lower nominated pods of the namespace do not count: they would have to make way.
    return kept.namespace == pod.namespace and kept.priority >= pod.priority


def counts_in_pool(pod: Pod, kept: Pod, *, borrower: bool) -> bool:
    """Whether it counts towards the sum of all min; ``borrower``: its namespace borrows."""
    # Of other namespaces priority does not matter: what one may get within its min is kept for it, and no borrower's
    # is.
    return kept.priority >= pod.priority if kept.namespace == pod.namespace else not borrower


# SelectVictimsOnNode: whose pods can be victims


class VictimSide(Enum):
    """Whose pods a pod can preempt."""

    OWN = Law.OWN_LOWER
    BORROWERS = Law.BORROWER
    UNQUOTED = Law.UNQUOTED_LOWER


def victim_side(*, quoted: bool, beyond_min: bool) -> VictimSide:
    """Above its min, a namespace preempts its own pods; within it, those of borrowers; without a quota, neither."""
    if not quoted:
        return VictimSide.UNQUOTED
    return VictimSide.OWN if beyond_min else VictimSide.BORROWERS


def may_take(side: VictimSide, pod: Pod, other: Pod, *, quoted: bool, borrower: bool) -> bool:
    """Whether the pod can preempt another one; ``quoted`` and ``borrower`` are about the other pod's namespace."""
    # No comparison of priorities: a min is reclaimed even from more important pods.
    if side is VictimSide.BORROWERS:
        return borrower and other.namespace != pod.namespace
    same_side = other.namespace == pod.namespace if side is VictimSide.OWN else not quoted
    return same_side and other.priority < pod.priority


def why_spared(side: VictimSide, pod: Pod, other: Pod, *, quoted: bool) -> Law:
    """Why a pod cannot preempt another one."""
    if side is VictimSide.UNQUOTED:
        return Law.INSIDE_QUOTAS if quoted else Law.NOT_LOWER
    if not quoted:
        return Law.OUTSIDE_QUOTAS
    own = other.namespace == pod.namespace
    if side is VictimSide.OWN:
        return Law.NOT_LOWER if own else Law.OTHERS_KEPT
    return Law.OWN_KEPT if own else Law.NOT_BORROWING


# PodEligibleToPreemptOthers: not while its victims are terminating


def makes_room(pod: Pod, leaving: Pod, *, side: VictimSide, quoted: bool, borrower: bool) -> bool:
    """Whether a terminating pod on the nominated node makes room for the pod, which then has to wait for it.

    Unlike for victims, a lower priority in the same namespace counts above and within min.
    """
    # So a pod within its min waits for its own lower pod that terminates, which it could not have evicted. The
    # scheduler has two separate tests for the two questions.
    if side is VictimSide.BORROWERS and leaving.namespace == pod.namespace:
        return leaving.priority < pod.priority
    return may_take(side, pod, leaving, quoted=quoted, borrower=borrower)
