"""The laws of Koordinator's quotas: their names, then each as a function, in the order in which they apply.

A pod belongs to one quota. A quota asks its parent for what its pods and children request, at most its max. From the
top down, each quota divides its runtime quota: first its children's min, then the surplus by weight. A pod is admitted
if its quota stays within its runtime in every resource. A rejected pod may preempt lower pods of its own quota.
Counter-example to "each gets its min, then the rest by weight, once": 10 among ``a`` (min 0, request 2) and ``b`` (min
0, request 20) of equal weight. The first round gives 5 and 5; ``a`` gives 3 back, and a second round adds them to
``b``: 2 and 8.
Source:
https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/core/runtime_quota_calculator.go,
``redistribution`` and ``iterationForRedistribution``; ``core/scale_minquota_when_over_root_res.go``,
``getScaledMinQuota``; ``preempt.go``, ``SelectVictimsOnNode`` and ``canPreempt``. ``docs/laws.md`` has each law in
words.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import wrapped
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.release import Rounding


class Law(StrEnum):
    """One rule; the value is its heading in ``docs/laws.md``."""

    # the quota of a pod
    NAMED = "koordinator-named-quota"
    OF_NAMESPACE = "koordinator-quota-of-namespace"
    LISTED = "koordinator-listed-namespace"
    BY_DEFAULT = "koordinator-default-quota"
    UNKNOWN_NAME = "koordinator-unknown-quota"
    NO_QUOTA = "koordinator-no-quota"
    # the runtime quota
    SCALED_MIN = "koordinator-scaled-min"
    STARTS_AT_MIN = "koordinator-starts-at-min"
    REQUEST_IS_LESS = "koordinator-request-is-less"
    KEEPS_MIN = "koordinator-keeps-min"
    SURPLUS = "koordinator-surplus"
    UNLIMITED = "koordinator-unlimited"
    # whether the quotas admit the pod
    WITHIN_RUNTIME = "koordinator-within-runtime"
    OVER_RUNTIME = "koordinator-over-runtime"
    WITHIN_MIN = "koordinator-within-min"
    OVER_MIN = "koordinator-over-min"
    PARENT_WITHIN = "koordinator-parent-within"
    PARENT_OVER = "koordinator-parent-over"
    PARENT_UNKNOWN = "koordinator-parent-unknown"
    # whether a node has room
    FITS = "koordinator-fits"
    UNSCHEDULABLE = "koordinator-unschedulable"
    UNTOLERATED_TAINT = "koordinator-untolerated-taint"
    AFFINITY_MISMATCH = "koordinator-affinity-mismatch"
    TOO_MANY_PODS = "koordinator-too-many-pods"
    INSUFFICIENT = "koordinator-insufficient"
    EXCEEDS_NODE = "koordinator-exceeds-node"
    # whether it can preempt
    MAY_PREEMPT = "koordinator-may-preempt"
    NEVER_PREEMPTS = "koordinator-never-preempts"
    VICTIMS_LEAVING = "koordinator-victims-leaving"
    # why a pod is a victim, or not
    OWN_LOWER = "koordinator-own-lower"
    UNQUOTED_LOWER = "koordinator-unquoted-lower"
    NOT_LOWER = "koordinator-not-lower"
    OTHER_QUOTA = "koordinator-other-quota"
    NOT_PREEMPTIBLE = "koordinator-not-preemptible"
    DEFAULT_SPARED = "koordinator-default-spared"
    ACROSS_QUOTAS = "koordinator-across-quotas"
    # the end of each victim
    NODE_NEEDS = "koordinator-node-needs"
    QUOTA_NEEDS = "koordinator-quota-needs"
    PUT_BACK = "koordinator-put-back"
    # why a node is rejected
    NO_VICTIMS = "koordinator-no-victims"
    DOES_NOT_FIT = "koordinator-does-not-fit"
    REMOVED_TWICE = "koordinator-removed-twice"
    ALL_SPARED = "koordinator-no-victim-needed"
    # which node is chosen
    FEWEST_VIOLATIONS = "koordinator-fewest-violations"
    LOWEST_PRIORITY = "koordinator-lowest-priority"
    LOWEST_SUM = "koordinator-lowest-sum"
    FEWEST_VICTIMS = "koordinator-fewest-victims"
    LATEST_START = "koordinator-latest-start"
    CHOICE_TIE = "koordinator-choice-tie"
    # what may happen later
    IN_VAIN = "koordinator-in-vain"
    REVOKED = "koordinator-revoked"


# The runtime quota


def scaled_min(total: int, least: int, sum_of_min: int) -> int:
    """One child's min where the sum of all is above the total: its part of the total, cut to a whole unit."""
    if total <= 0 or sum_of_min <= 0:
        return 0
    # In floating point and cut, as the scheduler does: the parts may sum to less than the total, and never round up.
    return int(float(total) * float(least) / float(sum_of_min))


class QuotaClaim(NamedTuple):
    """What one quota claims of one resource, in inner units. ``least`` is its scaled min, or its guarantee.

    ``number`` siblings claim the same: where each part is rounded by itself, one claim can replace them all.
    """

    name: str
    weight: int
    request: int
    least: int
    lends: bool
    number: int = 1


def first_part(claim: QuotaClaim) -> int:
    """What a quota gets before the surplus is divided: its min, or less if it requests less and lends."""
    # One that does not lend keeps its min even if it requests nothing.
    return claim.request if claim.lends and claim.request <= claim.least else claim.least


class SurplusRound(NamedTuple):
    """One round of dividing a surplus: what is ``left``, and the ``weight`` of all that want more.

    Each of those ``asking`` is ``added`` an amount; the part of it above its request goes ``back``.
    """

    left: int
    weight: int
    asking: Sequence[QuotaClaim]
    added: Sequence[int]
    back: Sequence[int]

    @property
    def given(self) -> tuple[tuple[str, int, int], ...]:
        """Each quota with the amount that the round adds, and the part of it that goes back."""
        return tuple((c.name, a, b) for c, a, b in zip(self.asking, self.added, self.back, strict=True))


class Partition(NamedTuple):
    """The division of one resource among siblings: ``first`` before the surplus, ``shares`` at the end."""

    total: int
    claims: Sequence[QuotaClaim]
    first: Sequence[int]
    shares: Sequence[int]
    rounds: Sequence[SurplusRound] = ()


def partition(total: int, claims: Sequence[QuotaClaim], rounding: Rounding) -> Partition:
    """The division of a total among siblings: first min, then the surplus by weight, round after round."""
    first = [first_part(claim) for claim in claims]
    left = total - sum(part * claim.number for part, claim in zip(first, claims, strict=True))
    eager = [i for i, claim in enumerate(claims) if is_eager(claim)]
    # Minima above the total are given all the same: only ``scaled_min`` makes them less.
    if left <= 0 or not eager:
        return Partition(total, claims, first, first)
    shares = list(first)
    ends, rounds = surplus_shares(left, [claims[i] for i in eager], rounding)
    for i, share in zip(eager, ends, strict=True):
        shares[i] = share
    return Partition(total, claims, first, shares, rounds)


def is_eager(claim: QuotaClaim) -> bool:
    """Whether a quota wants a part of the surplus: it requests more than its min, which it gets first."""
    # Strictly: a request equal to the min is satisfied, and has no weight in any round.
    return claim.request > claim.least


def surplus_shares(
    left: int, eager: Sequence[QuotaClaim], rounding: Rounding
) -> tuple[list[int], Sequence[SurplusRound]]:
    """What each eager quota gets in the end, its min included, and the rounds in which the surplus is divided."""
    shares, rounds = [claim.least for claim in eager], []
    asking, open_ = list(eager), list(range(len(eager)))
    while left > 0 and open_:
        # Summed in 64-bit integers; the scheduler stops at 0 or below, and what is left is then given to none.
        weight = wrapped(sum(claim.weight * claim.number for claim in asking))
        if weight <= 0:
            break
        added = parts(left, weight, asking, rounding)
        back, after, over = [0] * len(open_), [], 0
        for at, (i, claim, delta) in enumerate(zip(open_, asking, added, strict=True)):
            share = shares[i] + delta
            # A request that is met exactly takes no part in the next round.
            if share < claim.request:
                shares[i] = share
                after.append(i)
            else:
                shares[i] = claim.request
                back[at] = share - claim.request
                over += back[at] * claim.number
        rounds.append(SurplusRound(left, weight, asking, added, back))
        left, open_, asking = over, after, [eager[i] for i in after]
    return shares, rounds


def is_sated_at_once(claim: QuotaClaim, left: int, weight: int, rounding: Rounding) -> bool:
    """Whether the first round alone is enough for a request, without what remainders add to it."""
    if left <= 0 or weight <= 0 or claim.weight <= 0:
        return False
    if rounding is Rounding.EACH:
        return claim.least + rounded_parts(left, weight, [claim])[0] >= claim.request
    # The cut part alone: units of the remainder go by names and come on top.
    return claim.least + claim.weight * left // weight >= claim.request


def parts(left: int, weight: int, eager: Sequence[QuotaClaim], rounding: Rounding) -> list[int]:
    """The parts of a surplus by weight, in the order of the quotas."""
    return rounded_parts(left, weight, eager) if rounding is Rounding.EACH else remainder_parts(left, weight, eager)


def rounded_parts(left: int, weight: int, eager: Sequence[QuotaClaim]) -> list[int]:
    """Each part is rounded to the nearest unit by itself, so the sum may be above or below the surplus."""
    surplus, of_all = float(left), float(weight)
    # 10 among three of equal weight is 3 each, 11 is 4 each: 12 of 11. The scheduler does so up to 1.8.
    return [int(float(claim.weight) * surplus / of_all + 0.5) for claim in eager]


def remainder_parts(left: int, weight: int, eager: Sequence[QuotaClaim]) -> list[int]:
    """Each part is cut to whole units; missing units go to the largest remainders, of equal ones by name."""
    found, remainders = [0] * len(eager), []
    missing = left
    for i, claim in enumerate(eager):
        if claim.weight > 0:
            found[i], remainder = divmod(claim.weight * left, weight)
            missing -= found[i]
            remainders.append((-remainder, claim.name, i))
    # So no more is given than there is, unlike with parts that are rounded one by one.
    for _, _, i in sorted(remainders)[:missing] if missing > 0 else ():
        found[i] += 1
    return found


# SelectVictimsOnNode: whose pods can be victims


def why_spared(pod: Pod, quota: str, other: Pod, other_quota: str, *, spares_default: bool) -> Law | None:
    """Why a pod cannot preempt another one; None if it can."""
    # The order of the scheduler's tests: a pod that is not preemptible is spared even in its own quota.
    if not other.preemptible:
        return Law.NOT_PREEMPTIBLE
    if other_quota != quota:
        return Law.OTHER_QUOTA
    # Only the default quota's own pods ask this: of another quota they are spared already.
    if spares_default and other_quota == names.DEFAULT:
        return Law.DEFAULT_SPARED
    return None if other.priority < pod.priority else Law.NOT_LOWER


def candidate_law(quota: str) -> Law:
    """Why a pod of this quota is a candidate; all pods without a quota are candidates for one another."""
    return Law.OWN_LOWER if quota else Law.UNQUOTED_LOWER
