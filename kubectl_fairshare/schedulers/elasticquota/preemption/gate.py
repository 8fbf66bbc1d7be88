"""Whether the quotas admit a pod, before any node is tried.

Counter-example to testing the namespace alone: min 4 and max 8 for ``a`` and ``b``; ``b`` uses 6. ``a`` with 1 in use
is far within its max when it asks for 2, but 6 + 1 + 2 is above the sum of min, 8: it is rejected.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``CapacityScheduling.PreFilter``.
"""

from collections.abc import Iterable
from enum import StrEnum

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.laws import Law, counts_in_pool, counts_in_quota
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import ZERO, Excess, Vector, plus
from kubectl_fairshare.schedulers.elasticquota.quotas.ledger import Ledger


class QuotaVerdict(StrEnum):
    """The quotas' verdict on a pod."""

    SUCCESS = "Success"
    OVER_MAX = "OverMax"
    OVER_POOL = "OverSumMin"


class Peer(Value, frozen=True):
    """A nominated pod: whether it counts in the quota, and in the sum of all quotas."""

    pod: Pod
    in_quota: bool
    in_pool: bool


class Gate(Value, frozen=True):
    """The quotas' verdict.

    ``in_quota`` is the request plus the peers that count in the same quota, ``in_pool`` plus the
    peers that count in the sum of all quotas; both are zero without a quota.

    ``excesses`` are the resources in which the failing test fails.
    """

    verdict: QuotaVerdict
    quoted: bool
    request: Vector
    in_quota: Vector
    in_pool: Vector
    peers: tuple[Peer, ...] = ()
    excesses: tuple[Excess, ...] = ()

    @property
    def admits(self) -> bool:
        """Whether the pod may be placed."""
        return self.verdict is QuotaVerdict.SUCCESS

    @property
    def law(self) -> Law:
        """The test that decided."""
        if not self.quoted:
            return Law.NO_QUOTA
        laws = {QuotaVerdict.OVER_MAX: Law.OVER_MAX, QuotaVerdict.OVER_POOL: Law.OVER_POOL}
        return laws.get(self.verdict, Law.WITHIN_POOL)


def gate(ledger: Ledger, pod: Pod, kept: Iterable[Pod]) -> Gate:
    """Whether the quotas admit the pod; ``kept`` are the nominated pods."""
    namespace = pod.namespace
    if not ledger.has(namespace):
        return Gate(QuotaVerdict.SUCCESS, False, pod.charge, ZERO, ZERO)
    # The pod may itself be nominated: it counts once, as the request.
    peers = tuple(_peer(ledger, pod, other) for other in kept if other.uid != pod.uid and ledger.has(other.namespace))
    in_quota, in_pool = ZERO, ZERO
    for peer in peers:
        in_quota = plus(in_quota, peer.pod.charge) if peer.in_quota else in_quota
        in_pool = plus(in_pool, peer.pod.charge) if peer.in_pool else in_pool
    in_quota, in_pool = plus(in_quota, pod.charge), plus(in_pool, pod.charge)
    # Max first: the scheduler's message names the first test that fails.
    verdict, excesses = QuotaVerdict.SUCCESS, ledger.beyond_max(namespace, in_quota)
    if excesses:
        verdict = QuotaVerdict.OVER_MAX
    elif excesses := ledger.beyond_pool(in_pool):
        verdict = QuotaVerdict.OVER_POOL
    return Gate(verdict, True, pod.charge, in_quota, in_pool, peers, excesses)


def _peer(ledger: Ledger, pod: Pod, kept: Pod) -> Peer:
    borrower = ledger.borrows(kept.namespace)
    return Peer(kept, counts_in_quota(pod, kept), counts_in_pool(pod, kept, borrower=borrower))
