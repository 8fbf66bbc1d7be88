"""The laws that Kueue's decisions follow: their names, then each law as a function of the values that it compares.

Searches, cycles and explanations call these functions and state no law themselves. Amounts are in the units of
``model.amounts``; a node is a ClusterQueue or Cohort, and each amount is of one flavor-resource unless said
otherwise.
Why a share counts what is borrowed, not what is used: a queue of 60 GPUs that uses 50 takes nothing from others, one of
0 that uses 8 takes 8, and is the first to lose. Why the largest ratio and not the sum: 8 of 10 lendable GPUs next to 0
of 1000 cores are most of what is scarce; a sum would let many cheap resources outweigh it.
Source: KEP-79 (quota), KEP-83 and KEP-1337 (preemption), KEP-582 (flavors), KEP-1714 (fair sharing) in
https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/keps, the code in
https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/pkg; ``docs/laws.md`` states each law in words.
"""

import math
from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple, NewType

from kubectl_fairshare.model.amounts import LEAST, UNLIMITED, add, subtract
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.model.objects import Fungibility, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, Usage


class Law(StrEnum):
    """One rule of Kueue; the value is the anchor of its section in ``docs/laws.md``."""

    # why a flavor or a resource is passed over
    FLAVOR_NOT_FOUND = "kueue-flavor-not-found"
    UNTOLERATED_TAINT = "kueue-untolerated-taint"
    AFFINITY_MISMATCH = "kueue-affinity-mismatch"
    NO_FLAVOR = "kueue-no-flavor"
    NO_TOPOLOGY = "kueue-no-topology"
    SLICE_FLAVOR = "kueue-slice-flavor"
    SLICE_REPLACED = "kueue-slice-replaced"
    NOT_NOMINATED = "kueue-not-nominated"
    RESOURCE_UNAVAILABLE = "kueue-resource-unavailable"
    RESOURCE_NOT_PROVIDED = "kueue-resource-not-provided"
    EXCEEDS_POTENTIAL = "kueue-exceeds-potential"
    WITHIN_AVAILABLE = "kueue-within-available"
    EXCEEDS_AVAILABLE = "kueue-exceeds-available"
    # why a workload is not considered
    QUEUE_MISSING = "kueue-queue-missing"
    QUEUE_INACTIVE = "kueue-queue-inactive"
    NAMESPACE_MISSING = "kueue-namespace-missing"
    NAMESPACE_NOT_SELECTED = "kueue-namespace-not-selected"
    SCHEDULER_CRASH = "kueue-scheduler-crash"
    LOCAL_QUEUE_MISSING = "kueue-local-queue-missing"
    LOCAL_QUEUE_STOPPED = "kueue-local-queue-stopped"
    WORKLOAD_REFUSED = "kueue-workload-refused"
    WORKLOAD_INACTIVE = "kueue-workload-inactive"
    PREBUILT_MISSING = "kueue-prebuilt-missing"
    NOT_GIVEN = "kueue-not-given"
    # the state of a workload, apart from quota
    ADMITTED = "kueue-admitted"
    FINISHED = "kueue-finished"
    CHECKS_PENDING = "kueue-checks-pending"
    CHECK_REJECTED = "kueue-check-rejected"
    CHECKS_FAILED = "kueue-checks-failed"
    BEING_EVICTED = "kueue-being-evicted"
    BACKOFF = "kueue-backoff"
    BEHIND_HEAD = "kueue-behind-head"
    BEHIND_PREEMPTOR = "kueue-behind-preemptor"
    BEHIND_SKIPPED = "kueue-behind-skipped"
    TAKEN_FIRST = "kueue-taken-first"
    AFTER_OTHERS = "kueue-after-others"
    PREEMPTION_UNDER_WAY = "kueue-preemption-under-way"
    PREEMPTION_GATED = "kueue-preemption-gated"
    PODS_READY_FIRST = "kueue-pods-ready-first"
    NEXT_CYCLE = "kueue-next-cycle"
    ADMISSION_GATED = "kueue-admission-gated"
    ON_HOLD = "kueue-on-hold"
    NOT_REQUEUED = "kueue-not-requeued"
    NOT_MODELLED = "kueue-not-modelled"
    # why a workload is preempted, or is not
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
    COHORT_NOT_BORROWING = "kueue-cohort-not-borrowing"
    PREEMPTION_NOT_TRIED = "kueue-preemption-not-tried"
    NOT_NEEDED = "kueue-not-needed"
    NOT_ENOUGH = "kueue-not-enough"
    NO_CANDIDATES = "kueue-no-candidates"
    NEXT_QUEUE_TIE = "kueue-next-queue-tie"
    # the accounting
    LOCAL = "kueue-local"
    SUBTREE = "kueue-subtree"
    USAGE = "kueue-usage"
    AVAILABLE = "kueue-available"
    POTENTIAL = "kueue-potential"
    TAKEN = "kueue-taken"
    OVER_QUOTA = "kueue-over-quota"
    LENT = "kueue-lent"
    BORROWED = "kueue-borrowed"
    LENDABLE = "kueue-lendable"
    SHARE = "kueue-share"
    # the cycle
    RESERVES = "kueue-reserves"
    OVERLAP = "kueue-overlap"
    DEFERRED_FIT = "kueue-deferred-fit"
    NO_LONGER_FITS = "kueue-no-longer-fits"
    SKIPPED_ALONE = "kueue-skipped-alone"
    CYCLE_TIE = "kueue-cycle-tie"


class SchedulerCrashError(Exception):
    """Raised where Kueue's manager dies of a decision, and so of the next after each restart."""


# --- shares


class Share(NamedTuple):
    """The weighted share of a node: how much it borrows, divided by its weight.

    ``rank`` is 1 for an infinite share (weight 0), and then ``value`` is the unweighted ratio. So ``(rank, value)``
    orders shares. ``dominant`` is the resource with the largest ratio. A node may borrow and have share 0.
    """

    rank: int
    value: float
    dominant: str | None
    borrowing: bool

    @property
    def order(self) -> tuple[int, float]:
        """The key for comparing two shares."""
        return (self.rank, self.value)

    @property
    def rounded(self) -> int:
        """The share in ``status.fairSharing.weightedShare``: rounded up, or the largest integer if infinite.

        Kueue's conversion of a float beyond 64 bits yields the least integer, on amd64.
        """
        if self.rank:
            return UNLIMITED
        rounded = math.ceil(self.value)
        return rounded if rounded <= UNLIMITED else LEAST


PreemptorShare = NewType("PreemptorShare", Share)
"""The share of the preemptor's side with the preemptor."""
OldShare = NewType("OldShare", Share)
"""The share of the candidate's side as it is."""
NewShare = NewType("NewShare", Share)
"""The share of the candidate's side without the candidate."""

NO_SHARE: Final = Share(0, 0.0, None, False)


def weighted_share(borrowed: Sequence[tuple[str, int, float]], weight: float) -> Share:
    """The largest ratio borrowed · 1000 / lendable, divided by the weight; of equal ratios the first counts.

    ``borrowed`` has the name, the borrowed and the lendable amount of each resource that the node borrows.
    An integer that is lendable makes the ratio exact until it is rounded at the end; a float rounds it at every step.
    """
    if not borrowed:
        return NO_SHARE
    ratio, dominant = 0.0, None
    # A resource of which nothing can be lent counts 0, although the node borrows it: Kueue does not divide by 0.
    for resource, amount, lendable in borrowed:
        candidate = share_ratio(amount, lendable) if lendable > 0 else 0.0
        if candidate > ratio:
            ratio, dominant = candidate, resource
    # Weight 0 is an infinite share only for a node that borrows something lendable; otherwise it is 0 for any weight.
    return Share(int(ratio > 0), ratio, dominant, True) if weight == 0 else Share(0, ratio / weight, dominant, True)


def share_ratio(borrowed: int, lendable: float) -> float:
    """Borrowed · 1000 / lendable: of integers the float64 that is next, with a float in steps as Kueue rounds them."""
    if lendable.__class__ is float:
        return float(borrowed) * 1000.0 / lendable
    return int(borrowed) * 1000 / int(lendable)


# --- preemption: whom a workload may take


class PreemptionReason(StrEnum):
    """Why a workload is preempted, in Kueue's words, as the condition's reason."""

    IN_CLUSTER_QUEUE = "InClusterQueue"
    RECLAMATION = "InCohortReclamation"
    FAIR_SHARING = "InCohortFairSharing"
    RECLAIM_WHILE_BORROWING = "InCohortReclaimWhileBorrowing"
    REPLACED = ""  # the old slice of an elastic job, which is finished and not preempted


class Preemptor(Value, frozen=True):
    """The workload that needs room: its queue, its priority and queue timestamp, its usage.

    ``short`` are the flavor-resources that need preemption, ``usage`` all that must fit.
    """

    queue: int
    priority: int
    queued: int
    short: frozenset[FlavorResource]
    usage: Usage


def policy_towards(policies: Preemption, *, own: bool) -> str:
    """The preemptor's policy towards candidates: ``withinClusterQueue`` in its own queue, otherwise another one."""
    return policies.within_cluster_queue if own else policies.reclaim_within_cohort


def policy_allows(policy: str, preemptor: Preemptor, candidate: Holder) -> bool:
    """Any, LowerPriority, LowerOrNewerEqualPriority, or Never."""
    if policy in ("Any", "Never"):
        return policy == "Any"
    if preemptor.priority > candidate.priority:
        return True
    # By when they were queued, not by when the candidate got its quota: who waited longer goes first.
    newer = preemptor.priority == candidate.priority and preemptor.queued < candidate.queued
    return newer and policy == "LowerOrNewerEqualPriority"


def candidate_order(candidate: Holder) -> tuple[bool, int, int, str]:
    """Those being evicted first, then lower priority, then the more recent reservation, then the UID."""
    return (not candidate.evicted, candidate.priority, -candidate.reserved, candidate.uid)


def in_candidate_order(candidates: Iterable[Holder]) -> list[Holder]:
    """The candidates in ``candidate_order``, sorted by one attribute after another, which is twice as fast."""
    found = sorted(candidates, key=attrgetter("uid"))
    found.sort(key=attrgetter("reserved"), reverse=True)  # a reversed sort keeps the order of equals, too
    found.sort(key=attrgetter("priority"))
    found.sort(key=attrgetter("evicted"), reverse=True)
    return found


# --- classical preemption


def below_threshold(policies: Preemption, preemptor: Preemptor, candidate: Holder) -> bool:
    """Whether the preemptor may preempt this candidate of another queue while it borrows (``borrowWithinCohort``)."""
    if policies.borrow_within_cohort == "Never" or candidate.priority >= preemptor.priority:
        return False
    return policies.max_priority_threshold is None or candidate.priority <= policies.max_priority_threshold


def classical_law(*, own: bool, entitled: bool, below: bool) -> tuple[Law, PreemptionReason]:
    """The law by which a candidate may be preempted, and Kueue's reason.

    ``own``: it is in the preemptor's queue. ``entitled``: below the lowest common cohort, the preemptor's side has
    enough quota for the request. ``below``: as in ``below_threshold``.
    """
    if own:
        return Law.IN_QUEUE_PRIORITY, PreemptionReason.IN_CLUSTER_QUEUE
    if entitled:
        return Law.RECLAIM_HIERARCHY, PreemptionReason.RECLAMATION
    if below:
        return Law.RECLAIM_WHILE_BORROWING, PreemptionReason.RECLAIM_WHILE_BORROWING
    return Law.RECLAIM_PRIORITY, PreemptionReason.RECLAMATION


def borrowing_attempts(policies: Preemption, *, others: bool, entitled: bool, below_nominal: bool) -> tuple[bool, ...]:
    """Whether the preemptor may borrow, for each attempt; the first successful attempt counts.

    ``others``: other queues have candidates; ``entitled``: some of them hold quota that the preemptor reclaims.
    ``below_nominal``: its queue uses less than its nominal quota of everything that is missing.
    """
    forbidden = policies.borrow_within_cohort == "Never"
    if not others or (forbidden and not below_nominal):
        return (True,)
    return (False, True) if forbidden and not entitled else (True, False)


def spared_by(law: Law, *, own: bool, borrowing: bool, within_quota: bool) -> Law | None:
    """Why an attempt spares a candidate: it would take it only without borrowing, or there is no more to reclaim.

    ``within_quota``: the candidate's queue, or a cohort in between, no longer borrows what is missing.
    """
    if own:
        return None
    if borrowing and law is Law.RECLAIM_PRIORITY:
        return Law.ONLY_WITHOUT_BORROWING
    return Law.WITHIN_QUOTA if within_quota else None


# --- fair preemption


def s2a(preemptor: PreemptorShare, candidate: NewShare) -> bool:
    """LessThanOrEqualToFinalShare: the preemptor's side is not above the other even once the candidate has left."""
    # Equal is allowed: two queues of one weight, of which one holds all, end up with one half each.
    return preemptor.order <= candidate.order


def s2b(preemptor: PreemptorShare, candidate: OldShare) -> bool:
    """LessThanInitialShare: the preemptor's side is below the other side as it is now."""
    # Equal is not: the candidate would come back with the same share, and preempt in turn.
    return preemptor.order < candidate.order


def may_have_victims(share: Share, *, by_share: bool) -> bool:
    """Whether a node next to the preemptor's path may have victims: it borrows; in older releases its share says so.

    A node that borrows a resource of which nothing can be lent has share 0, and borrows all the same.
    """
    return share.value > 0 if by_share else share.borrowing


def target_queue_order(first: Holder, *, own: bool) -> tuple[bool, bool, int, int, str]:
    """Between queues of the same share, by the first candidate: as ``candidate_order``, the preemptor's queue later."""
    return (not first.evicted, own, first.priority, -first.reserved, first.uid)


# --- the choice of a flavor


class Grade(IntEnum):
    """How well a flavor fits, worst first. PREEMPT preempts in the workload's own queue, RECLAIM in others."""

    NO_FIT = 0
    NO_CANDIDATES = 1
    PREEMPT = 2
    RECLAIM = 3
    FIT = 4


@lru_cache(maxsize=4096)
def visiting_order(resource: str) -> tuple[int, str]:
    """The order in which resources are visited: 64-bit FNV-1a hash of the name, then the name."""
    value = 0xCBF29CE484222325
    for byte in resource.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value, resource


def may_search(policies: Preemption, *, within_nominal: bool, may_reclaim: bool, fair: bool) -> bool:
    """Whether Kueue searches for candidates if a request does not fit.

    ``within_nominal``: the request alone is within the queue's nominal quota; ``may_reclaim``: it need not borrow
    from the root.
    """
    return (
        within_nominal
        or may_reclaim
        or policies.borrow_within_cohort != "Never"
        or (fair and policies.reclaim_within_cohort != "Never")
    )


def stops_at(fungibility: Fungibility, grade: Grade, level: int) -> bool:
    """Whether the search for a flavor ends here: the flavor fits, and fungibility does not continue the search."""
    if grade in (Grade.NO_FIT, Grade.NO_CANDIDATES):
        return False
    if grade is not Grade.FIT and fungibility.when_can_preempt == "TryNextFlavor":
        return False
    return not (level > 0 and fungibility.when_can_borrow == "TryNextFlavor")


def merit(
    fungibility: Fungibility, grade: Grade, level: int, *, hopeless_last: bool = True, swapped: bool = False
) -> tuple[int, int, int]:
    """The key for comparing flavors, larger is better: whether one fits, then grade and level as preferred.

    ``hopeless_last``: one without candidates ranks below every one that can serve, whatever is preferred. ``swapped``:
    each of the two preferences acts as the other.
    """
    if grade is Grade.NO_FIT:
        return (0, 0, 0)
    if grade is Grade.NO_CANDIDATES and hopeless_last:
        return (1, -level, 0)
    by_level = "BorrowingOverPreemption" if swapped else "PreemptionOverBorrowing"
    return (2, -level, grade) if fungibility.preference == by_level else (2, grade, -level)


# --- the order of heads


class FairRank(NamedTuple):
    """The key for comparing the heads below the children of one cohort under fair sharing; the smaller goes first.

    ``borrows`` and ``share`` are the child's with the head; ``priority`` is negative; ``from_queue``: the child is a
    ClusterQueue. ``behind``: it is not a head that others leave for, which goes first (PrioritizePreemptorWorkloads).
    """

    behind: bool
    borrows: bool
    share: tuple[int, float]
    priority: int
    queued: int
    from_queue: bool


def queue_order(workload: Pending) -> tuple[int, int, str]:
    """Order within a ClusterQueue: higher priority, older queue timestamp, UID."""
    return (-workload.priority, workload.queued, workload.uid)


def classical_rank(level: int, head: Pending) -> tuple[int, int, int]:
    """Order of the heads of one tree without fair sharing: lower borrowing level, higher priority, older."""
    return (level, -head.priority, head.queued)


def kept_room(quota: Quota, usage: int, amount: int, *, borrowing: bool) -> int:
    """The quota that is reserved for a head that needs preemption and found no targets.

    Negative in a queue that exceeds its borrowingLimit: then the queue's own usage falls, and its parents' does not.
    """
    if not borrowing:
        return min(amount, max(0, subtract(quota.nominal, usage)))
    if quota.borrowing_limit is None:
        return amount
    return min(amount, subtract(add(quota.nominal, quota.borrowing_limit), usage))
