"""Quotas, usage and requests beyond 64 bits, for releases that compute with plain 64-bit integers.

Amounts stay plain integers unless all of them together come near to the bound: others are slower.
Source: Kueue v0.17.1, ``resource_node.go`` and ``ResourceValue``; the quantities of ``k8s.io/apimachinery``.
Tested in ``tests/unit/schedulers/kueue/reading/test_exact_amounts.py``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from typing import Final

from kubectl_fairshare.model.amounts import UNLIMITED, WrappingAmount
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import QuotaTable
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.reading.exact_amounts import quoted_with, table_of

_NEAR: Final = 1 << 62
_TEXT: Final = re.compile(r"([+-]?)(\d*)\.?(\d*)(?:([KMGTPE])i|([numkMGTPE])|[eE]([+-]?\d+))?", re.ASCII)
_BINARY: Final = "KMGTPE"
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_AT_ONCE: Final = (0, 1, 2, 3, 6, 9)
"""The powers of ten by which Kubernetes multiplies at once, and so wraps; by others step by step, which ends at 0."""
_SHORT: Final = 18
"""The most digits of a quantity that Kubernetes keeps as an integer with a power of ten."""


def with_wrapping_amounts(state: KueueState, manifests: Sequence[Manifest]) -> KueueState:
    """The state with amounts that wrap where sums could leave 64 bits; ``manifests`` are those with amounts."""
    if sum(map(abs, _amounts(state))) < _NEAR:
        return state
    written = {(m.key.kind, m.key.name): m for m in manifests if not m.key.namespace}
    workloads = {m.key: m for m in manifests if m.key.namespace}
    for holder in state.holders:
        holder.usage = _usage(holder, workloads[holder.key])
    return replace(
        state,
        cluster_queues={n: quoted_with(q, written, _table) for n, q in state.cluster_queues.items()},
        cohorts={n: quoted_with(c, written, _table) for n, c in state.cohorts.items()},
        pending=tuple(map(_pending, state.pending)),
    )


def _usage(holder: Holder, manifest: Manifest) -> dict[FlavorResource, int]:
    """What the workload holds, from the texts of its admission, if it holds all of that."""
    found: dict[FlavorResource, int] = {}
    for assignment in manifest.data["status"]["admission"]["podSetAssignments"]:
        flavors = assignment.get("flavors") or {}
        for resource, value in (assignment.get("resourceUsage") or {}).items():
            if resource in flavors:
                pair = FlavorResource(flavors[resource], resource)
                found[pair] = WrappingAmount(found.get(pair, 0)) + wrapped(resource, str(value))
    plain = {pair: WrappingAmount(amount) for pair, amount in holder.usage.items()}
    return plain | {pair: amount for pair, amount in found.items() if amount >= _NEAR or plain.get(pair, 0) >= _NEAR}


def _table(known: QuotaTable, manifest: Manifest) -> QuotaTable:
    return table_of(known, manifest, _amount)


def _amount(resource: str, value: Json) -> WrappingAmount | None:
    return None if value is None else wrapped(resource, str(value))


def _pending(workload: Pending) -> Pending:
    pod_sets = (
        replace(p, requests=_wrapping(p.requests), instead=tuple(map(_wrapping, p.instead))) for p in workload.pod_sets
    )
    return replace(workload, pod_sets=tuple(pod_sets))


def _wrapping(requests: Mapping[str, int]) -> dict[str, int]:
    return {resource: WrappingAmount(amount) for resource, amount in requests.items()}


def _amounts(state: KueueState) -> Iterator[int]:
    tables = [queue.quotas for queue in state.cluster_queues.values()]
    for table in (*tables, *(cohort.quotas for cohort in state.cohorts.values())):
        for quota in table.values():
            yield from (each for each in (quota.nominal, quota.borrowing_limit, quota.lending_limit) if each)
    for holder in state.holders:
        yield from holder.usage.values()
    for workload in state.pending:
        charged = ((p.count, amounts) for p in workload.pod_sets for amounts in (p.requests, *p.instead))
        yield from (int(amount) * count for count, amounts in charged for amount in amounts.values())


def wrapped(resource: str, text: str) -> WrappingAmount:
    """A quantity as a 64-bit integer, cpu in milli-units: one that does not fit counts 0, or its low 64 bits."""
    match = _TEXT.fullmatch(text)
    if match is None:
        return WrappingAmount(0)
    sign, whole, part, binary, decimal, exponent = match.groups()
    whole = whole.lstrip("0")
    scale = 0
    with localcontext() as context:
        context.prec = 400
        value = Decimal(f"{whole or 0}.{part or 0}")
        short = len(whole) + len(part) <= _SHORT
        if binary:
            power = 10 * (_BINARY.index(binary) + 1)
            short = not part and 15 - len(whole) - power * 3 // 10 - 1 >= 0
            value = min(value * (1 << power), Decimal(UNLIMITED))
        else:
            scale = _DECIMAL.get(decimal, 0) if exponent is None else int(exponent)
            value = value.scaleb(scale)
            scale -= len(part)
        units = int((value * (1000 if resource == "cpu" else 1)).to_integral_value(ROUND_CEILING))
    vanishes = short and units > UNLIMITED and scale + (3 if resource == "cpu" else 0) not in _AT_ONCE
    return WrappingAmount(0 if vanishes else -units if sign == "-" else units)
