"""Quotas and usage that may leave 64 bits, for releases in which no amount is unlimited.

Amounts stay plain integers unless all of them together come near to the bound: exact ones are slower.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from kubectl_fairshare.model.amounts import ExactAmount
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity import nano
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Cohort, Quota, QuotaTable
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource

_Quoted = TypeVar("_Quoted", ClusterQueue, Cohort)
_NEAR: Final = 1 << 62


def with_exact_amounts(state: KueueState, manifests: Iterable[Manifest]) -> KueueState:
    """The state with exact amounts where sums could overflow; ``manifests`` are its ClusterQueues and Cohorts."""
    if sum(map(abs, _amounts(state))) < _NEAR:
        return state
    written = {(m.key.kind, m.key.name): m for m in manifests}
    for holder in state.holders:
        holder.usage = {pair: ExactAmount(amount) for pair, amount in holder.usage.items()}
    return replace(
        state,
        cluster_queues={name: quoted_with(queue, written, _table) for name, queue in state.cluster_queues.items()},
        cohorts={name: quoted_with(cohort, written, _table) for name, cohort in state.cohorts.items()},
    )


def _amounts(state: KueueState) -> Iterator[int]:
    tables = [queue.quotas for queue in state.cluster_queues.values()]
    for table in (*tables, *(cohort.quotas for cohort in state.cohorts.values())):
        for quota in table.values():
            yield from (each for each in (quota.nominal, quota.borrowing_limit, quota.lending_limit) if each)
    for holder in state.holders:
        yield from holder.usage.values()


def quoted_with(
    quoted: _Quoted, written: Mapping[tuple[str, str], Manifest], table: Callable[[QuotaTable, Manifest], QuotaTable]
) -> _Quoted:
    """The ClusterQueue or Cohort with the quotas that are read of its manifest."""
    manifest = written.get((quoted.key.kind, quoted.name))
    return quoted if manifest is None else replace(quoted, quotas=table(quoted.quotas, manifest))


def _table(known: QuotaTable, manifest: Manifest) -> QuotaTable:
    return table_of(known, manifest, _amount)


def table_of(known: QuotaTable, manifest: Manifest, amount: Callable[[str, Json], int | None]) -> QuotaTable:
    """The quotas of a manifest, each amount as ``amount`` reads it; one of 0 keeps its type."""
    found = dict(known)
    for group in (manifest.data.get("spec") or {}).get("resourceGroups") or ():
        for flavor in group.get("flavors") or ():
            for resource in flavor.get("resources") or ():
                name = resource["name"]
                nominal = amount(name, resource.get("nominalQuota", 0))
                found[FlavorResource(flavor["name"], name)] = Quota(
                    0 if nominal is None else nominal,
                    amount(name, resource.get("borrowingLimit")),
                    amount(name, resource.get("lendingLimit")),
                )
    return found


def _amount(resource: str, value: Json) -> ExactAmount | None:
    """An amount of any size: cpu in milli-units, the rest in units, rounded up."""
    return None if value is None else ExactAmount(-(-nano(value) // (10**6 if resource == "cpu" else 10**9)))
