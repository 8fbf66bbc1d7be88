"""What every quota has in use, and the comparisons that decide: all are strict, so an equal sum fits.

A change is a new ledger that stores only the changed namespaces, so a what-if needs no undo.
Why not what objects state as ``used``: a controller writes that later. The scheduler counts pods itself, each once,
whichever scheduler placed it.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/elasticquota.go,
``addPodIfNotPresent``, ``deletePodIfPresent`` and the comparisons.
"""

from collections.abc import Callable, Mapping, Sequence

from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.elasticquota.laws import (
    Max,
    Min,
    Pool,
    Used,
    Wanted,
    borrows,
    exceeds_max,
    exceeds_min,
    exceeds_pool,
)
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, Pod
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST
from kubectl_fairshare.schedulers.elasticquota.model.vector import ZERO, Excess, Vector, amounts_over, minus, plus

_Operation = Callable[[Vector, Vector], Vector]


class Ledger(Value, frozen=True):
    """Amounts in use by namespace; ``total`` is their sum, ``pool`` the sum of all min.

    Namespaces without a quota are in no sum.
    """

    quotas: Mapping[str, ElasticQuota]
    base: Mapping[str, Vector]
    total: Vector
    pool: Vector
    changed: Mapping[str, Vector] = field(default_factory=dict)

    def has(self, namespace: str) -> bool:
        """Whether the namespace has a quota."""
        return namespace in self.quotas

    def used(self, namespace: str) -> Vector:
        """What a namespace has in use."""
        found = self.changed.get(namespace)
        return self.base.get(namespace, ZERO) if found is None else found

    def without(self, pod: Pod) -> "Ledger":
        """The ledger without the pod."""
        return self._with(pod.namespace, minus, pod.charge)

    def including(self, pod: Pod) -> "Ledger":
        """The ledger with the pod."""
        return self._with(pod.namespace, plus, pod.charge)

    def _with(self, namespace: str, operation: _Operation, amount: Vector) -> "Ledger":
        # A pod of a namespace without a quota changes neither the quotas nor their sum.
        if namespace not in self.quotas:
            return self
        changed = {**self.changed, namespace: operation(self.used(namespace), amount)}
        return Ledger(self.quotas, self.base, operation(self.total, amount), self.pool, changed)

    def exceeds_max(self, namespace: str, wanted: Vector) -> bool:
        """Whether ``wanted`` plus what is used exceeds the namespace's max."""
        return exceeds_max(Used(self.used(namespace)), Wanted(wanted), Max(self.quotas[namespace].most))

    def exceeds_min(self, namespace: str, wanted: Vector) -> bool:
        """Whether ``wanted`` plus what is used exceeds the namespace's min."""
        return exceeds_min(Used(self.used(namespace)), Wanted(wanted), Min(self.quotas[namespace].least))

    def borrows(self, namespace: str) -> bool:
        """Whether the namespace borrows."""
        return borrows(Used(self.used(namespace)), Min(self.quotas[namespace].least))

    def exceeds_pool(self, wanted: Vector) -> bool:
        """Whether ``wanted`` plus what all quotas use exceeds the sum of all min."""
        return exceeds_pool(Used(self.total), Wanted(wanted), Pool(self.pool))

    def beyond_max(self, namespace: str, wanted: Vector) -> tuple[Excess, ...]:
        """The resources in which ``exceeds_max`` holds."""
        return tuple(amounts_over(wanted, self.used(namespace), self.quotas[namespace].most, LARGEST))

    def beyond_min_with(self, namespace: str, wanted: Vector) -> tuple[Excess, ...]:
        """The resources in which ``exceeds_min`` holds."""
        return tuple(amounts_over(wanted, self.used(namespace), self.quotas[namespace].least, 0))

    def borrowed(self, namespace: str) -> tuple[Excess, ...]:
        """The resources in which ``borrows`` holds."""
        return tuple(amounts_over(self.used(namespace), ZERO, self.quotas[namespace].least, 0))

    def beyond_pool(self, wanted: Vector) -> tuple[Excess, ...]:
        """The resources in which ``exceeds_pool`` holds; their ``wanted`` is the request without ``used``."""
        whole = plus(self.total, wanted)
        return tuple(
            Excess(e.resource, wanted.of(e.resource), self.total.of(e.resource), e.bound)
            for e in amounts_over(whole, ZERO, self.pool, 0)
        )


def open_ledger(quotas: Mapping[str, ElasticQuota], pods: Sequence[Pod], pool: Vector | None = None) -> Ledger:
    """The ledger of all pods on nodes, whichever scheduler placed them; one UID counts once.

    ``pool`` is the sum of all min, if it is known.
    """
    used: dict[str, Vector] = {}
    seen: set[tuple[str, str]] = set()
    total = ZERO
    for pod in pods:
        namespace = pod.key.namespace
        # A waiting pod uses nothing, nominated or not.
        if pod.node and namespace in quotas and (namespace, pod.uid) not in seen:
            seen.add((namespace, pod.uid))
            used[namespace] = plus(used.get(namespace, ZERO), pod.charge)
            total = plus(total, pod.charge)
    return Ledger(quotas, used, total, pool_of(quotas) if pool is None else pool)


def pool_of(quotas: Mapping[str, ElasticQuota]) -> Vector:
    """The sum of all min."""
    pool = ZERO
    for quota in quotas.values():
        pool = plus(pool, quota.least)
    return pool
