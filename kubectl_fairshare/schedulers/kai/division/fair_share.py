"""Fair shares of a whole tree of queues: each level divides the share of its parent.

Why not all leaves at once: a department with one busy queue and one with nine, of equal weight, get half each; among
ten leaves the second would get nine tenths.
Source: https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins/proportion/resource_division;
"kai division" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/division/test_division.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.division.division import Account, QueueClaim, divide, shares_over_map_orders
from kubectl_fairshare.schedulers.kai.division.time_aware import Formula
from kubectl_fairshare.schedulers.kai.map_orders import OverMapOrders
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, FairShare, Resources

_SAME: Final = 1e-9


class Claimant(Value, frozen=True):
    """A queue's input to the division: its parent, its bounds, its request and its past usage."""

    name: str
    parent: str
    priority: int
    created: int
    quota: Resources
    limit: Resources
    weight: Resources
    request: Resources
    usage: Resources

    def claim(self, resource: int) -> QueueClaim:
        """Its side of the division of one resource."""
        return QueueClaim(
            self.name,
            self.priority,
            self.created,
            self.quota[resource],
            self.limit[resource],
            self.weight[resource],
            self.request[resource],
            self.usage[resource],
        )


def by_parent(claimants: Iterable[Claimant]) -> dict[str, list[Claimant]]:
    """The children of each queue by name; the root queues are under ""."""
    levels: dict[str, list[Claimant]] = {}
    for claimant in sorted(claimants, key=lambda c: c.name):
        levels.setdefault(claimant.parent, []).append(claimant)
    return levels


Undefined = Mapping[str, Mapping[str, tuple[float, ...]]]
"""Shares that depend on map order in KAI: by queue and resource, the values found."""


def fair_shares(
    total: Resources, formula: Formula, claimants: Iterable[Claimant]
) -> tuple[dict[str, FairShare], Undefined]:
    """The fair share of every queue that leads to a root, and the shares that vary between runs of KAI.

    Each level divides the result of most orders for its parent.
    """
    levels = by_parent(claimants)
    shares: dict[str, FairShare] = {}
    undefined: dict[str, dict[str, tuple[float, ...]]] = {}
    waiting: list[tuple[str, Resources]] = [("", total)]
    while waiting:
        parent, amount = waiting.pop()
        level = levels.get(parent, [])
        columns = _columns(amount, formula, level)
        for i, claimant in enumerate(level):
            name = claimant.name
            shares[name] = FairShare(Resources(*(column.value[i] for column in columns)))
            if name and name in levels:  # a queue without a name is not its own child
                waiting.append((name, shares[name]))
            for resource, column in zip(RESOURCES, columns, strict=True):
                values = {shares_[i] for shares_ in (column.value, *column.others)}
                if not column.defined and max(values) - min(values) > _SAME * max(map(abs, values)):
                    undefined.setdefault(name, {})[resource] = tuple(sorted(values))
    return shares, undefined


def level_shares(amount: Resources, formula: Formula, level: Sequence[Claimant]) -> list[FairShare]:
    """The fair shares of the queues of one level, in their order: of most orders of a map, where that matters."""
    columns = _columns(amount, formula, level)
    return [FairShare(Resources(*(column.value[i] for column in columns))) for i in range(len(level))]


def _columns(amount: Resources, formula: Formula, level: Sequence[Claimant]) -> list[OverMapOrders[tuple[float, ...]]]:
    """The division of each resource."""
    return [shares_over_map_orders(amount[r], formula, [c.claim(r) for c in level]) for r in range(len(RESOURCES))]


def depend_on_usage(total: Resources, claimants: Iterable[Claimant], shares: Mapping[str, Resources]) -> bool:
    """Whether past usage, within the capacity, can change any of the ``shares``, which were made without.

    It can where queues of one parent and one priority want more than their quotas, and what is left cannot satisfy all.
    """
    for parent, level in by_parent(claimants).items():
        amount = total if parent == "" else shares.get(parent)
        if amount is not None and any(_is_short(amount[r], r, level, shares) for r in range(len(RESOURCES))):
            return True
    return False


def _is_short(amount: float, r: int, level: Sequence[Claimant], shares: Mapping[str, Resources]) -> bool:
    """Whether several queues of one priority, the highest first, share out what does not satisfy them."""
    wanted = {c.name: c.request[r] if c.limit[r] == UNLIMITED else min(c.limit[r], c.request[r]) for c in level}
    granted = {c.name: min(amount if c.quota[r] == UNLIMITED else c.quota[r], wanted[c.name]) for c in level}
    left = amount - sum(granted.values())
    for priority in sorted({claimant.priority for claimant in level}, reverse=True):
        names = [
            c.name for c in level if c.priority == priority and c.weight[r] > 0 and granted[c.name] < wanted[c.name]
        ]
        if left > 0 and len(names) > 1 and any(shares[name][r] < wanted[name] for name in names):
            return True
        left -= sum(shares[name][r] - granted[name] for name in names)
    return False


def accounts(total: Resources, formula: Formula, level: Sequence[Claimant]) -> tuple[Account, ...]:
    """The derivation of one level's division, for each resource."""
    found = tuple(Account() for _ in RESOURCES)
    for r, account in enumerate(found):
        divide(total[r], formula, [c.claim(r) for c in level], account)
    return found
