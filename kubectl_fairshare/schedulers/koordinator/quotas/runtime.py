"""The runtime quota: from the top down, each quota divides what it has among its children.

Source: koordinator v1.8.0, ``refreshRuntimeNoLock``, ``getScaledMinQuota``, ``RuntimeQuotaCalculator``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.koordinator.laws import Partition, QuotaClaim, partition, scaled_min
from kubectl_fairshare.schedulers.koordinator.model.amounts import NOTHING, Amounts, exact, total_of, unit, whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, Gates
from kubectl_fairshare.schedulers.koordinator.quotas.sums import QuotaSums
from kubectl_fairshare.schedulers.koordinator.quotas.trees import QuotaTree
from kubectl_fairshare.schedulers.koordinator.release import Rounding


@dataclass(frozen=True, slots=True)
class RuntimeQuotas:
    """The runtime of each quota; one that is missing has none, and is not limited.

    ``least`` are the scaled minima. ``partitions`` are the divisions by parent and resource. ``paths`` are the quotas
    on the path to one without ``is-parent``; ``computed`` are all that get a runtime.
    """

    runtime: Mapping[str, Amounts]
    least: Mapping[str, Amounts]
    partitions: Mapping[tuple[str, str], Partition] = field(default_factory=dict)
    paths: frozenset[str] = field(default=frozenset())
    computed: frozenset[str] = field(default=frozenset())


@dataclass(frozen=True, slots=True)
class RuntimeRules:
    """The settings that the division depends on."""

    arguments: Arguments
    gates: Gates
    rounding: Rounding


@dataclass(frozen=True, slots=True)
class DividedBefore:
    """A division of the same tree by the same rules, from which claims are kept that nothing has changed."""

    sums: Mapping[str, QuotaSums]
    total: Amounts
    runtimes: RuntimeQuotas


def runtime_quotas(
    tree: QuotaTree,
    sums: Mapping[str, QuotaSums],
    total: Amounts,
    asked: Collection[str],
    rules: RuntimeRules,
    before: DividedBefore | None = None,
) -> RuntimeQuotas:
    """The runtime of every quota on the path to one without ``is-parent``, or to one of ``asked``.

    No quota has one if runtime quotas are off. ``total`` is what the root divides.
    """
    paths, computed = _paths(tree, asked, before) if rules.arguments.uses_runtime else (frozenset(), frozenset())
    if before is not None and before.runtimes.computed != computed:
        before = None
    runtime: dict[str, Amounts] = {}
    least = {name: NOTHING if name in tree.orphans else quota.min for name, quota in tree.quotas.items()}
    for name in SPECIAL:
        if name in least:
            least[name] = NOTHING
    partitions: dict[tuple[str, str], Partition] = {}
    for parent in tree.order:
        if parent != ROOT and parent not in computed:
            continue
        children = tree.children.get(parent, ())
        if parent in tree.orphans or not any(child in computed for child in children):
            continue
        held = total if parent == ROOT else runtime[parent]
        if before is not None and held == (before.total if parent == ROOT else before.runtimes.runtime[parent]):
            least.update((child, before.runtimes.least[child]) for child in children)
        elif rules.arguments.scales_min:
            least.update(_scaled({child: tree.quotas[child].min for child in children}, held, computed))
        _divide(tree, parent, held, _Siblings(tree, sums, least, computed, rules, before), runtime, partitions)
    return RuntimeQuotas(runtime, least, partitions, paths, computed)


def _paths(
    tree: QuotaTree, asked: Collection[str], before: DividedBefore | None
) -> tuple[frozenset[str], frozenset[str]]:
    """The quotas on the path to one without ``is-parent``; and with them those on the path to one of ``asked``."""
    if before is None:
        paths = _on_paths(tree, (name for name, quota in tree.quotas.items() if not quota.is_parent))
    else:
        paths = before.runtimes.paths
    return paths, paths | _on_paths(tree, asked)


def _on_paths(tree: QuotaTree, ends: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in ends:
        if name in tree.quotas and name not in SPECIAL and name not in tree.orphans:
            for each in (name, *tree.ancestors(name)):
                if each == ROOT or each in found:
                    break
                found.add(each)
    return frozenset(found)


def _scaled(mins: Mapping[str, Amounts], total: Amounts, computed: Collection[str]) -> Mapping[str, Amounts]:
    """The min of the computed children where the sum of all minima is above the total; only what it lists is scaled."""
    sum_of_min = total_of(mins.values())
    short = [r for r, amount in total.items() if amount < sum_of_min.get(r, 0)]
    if not short:
        return {}
    units = {r: (whole(r, total[r]), whole(r, sum_of_min.get(r, 0))) for r in short}
    scaled: dict[tuple[str, int], int] = {}
    for r, (held, together) in units.items():
        for amount in {own.get(r, 0) for own in mins.values()}:
            scaled[r, amount] = exact(r, scaled_min(held, whole(r, amount), together))
    shared = ((child, own) for child, own in mins.items() if child in computed)
    return {child: {**own, **{r: scaled[r, own.get(r, 0)] for r in short}} for child, own in shared}


@dataclass(frozen=True, slots=True)
class _Siblings:
    """Who takes part in a division, and with what."""

    tree: QuotaTree
    sums: Mapping[str, QuotaSums]
    least: Mapping[str, Amounts]
    computed: Collection[str]
    rules: RuntimeRules
    before: DividedBefore | None = None

    def unmoved(self, members: Iterable[str]) -> frozenset[str]:
        """The quotas whose claims are what they were before."""
        if (before := self.before) is None:
            return frozenset()
        known, least = before.sums, before.runtimes.least
        return frozenset(n for n in members if known[n] is self.sums[n] and least[n] == self.least[n])

    def claims(
        self,
        members: Sequence[str],
        unmoved: Collection[str],
        resource: str,
        keys: Sequence[str],
        old: Partition | None,
    ) -> list[QuotaClaim]:
        """The claims of all that take part, in the order of ``members``; unmoved ones are as in ``old``."""
        known = {} if old is None else {claim.name: claim for claim in old.claims}
        found: list[QuotaClaim] = []
        for name in members:
            if name in unmoved:
                if name in known:
                    found.append(known[name])
            elif self.takes_part(name, resource, keys):
                found.append(self.claim(name, resource, known.get(name)))
        return found

    def division(self, parent: str, resource: str) -> Partition | None:
        """The division of a resource before."""
        return None if self.before is None else self.before.runtimes.partitions.get((parent, resource))

    def of(self, parent: str, keys: Collection[str]) -> list[str]:
        """The quotas that divide: the children, and below root the default and the system quota that request."""
        found = list(self.tree.children.get(parent, ()))
        if parent == ROOT:
            special = [name for name in SPECIAL if name in self.tree.quotas]
            found += [name for name in special if any(self.sums[name].limit_request.get(key) for key in keys)]
        return sorted(found)

    def takes_part(self, name: str, resource: str, keys: Iterable[str]) -> bool:
        """Whether a quota takes part in a resource: one of its max, or it requests, or its min was scaled."""
        quota = self.tree.quotas[name]
        if resource in quota.max and name not in SPECIAL:
            return True
        moved = name not in SPECIAL and self.least[name] != quota.min
        return moved or any(self.sums[name].limit_request.get(key) for key in keys)

    def claim(self, name: str, resource: str, old: QuotaClaim | None) -> QuotaClaim:
        """What a quota claims of a resource; its weight, and the request if no sum moved, are those of ``old``."""
        quota, sums = self.tree.quotas[name], self.sums[name]
        is_same = self.before is not None and self.before.sums[name] is sums
        has_guarantee = sums.guaranteed and name not in SPECIAL
        return QuotaClaim(
            name,
            old.weight if old else whole(resource, quota.shared_weight.get(resource, 0)),
            old.request if old and is_same else whole(resource, sums.limit_request.get(resource, 0)),
            max(
                whole(resource, self.least[name].get(resource, 0)),
                whole(resource, sums.guaranteed.get(resource, 0)) if has_guarantee else 0,
            ),
            quota.lends and not self.rules.gates.guarantees_use,
        )


def _divide(
    tree: QuotaTree,
    parent: str,
    held: Amounts,
    siblings: _Siblings,
    runtime: dict[str, Amounts],
    partitions: dict[tuple[str, str], Partition],
) -> None:
    """Divides what a parent holds, resource by resource."""
    keys = division_keys(tree, parent)
    members = siblings.of(parent, keys)
    unmoved = siblings.unmoved(members)
    shares: dict[str, dict[str, int]] = {name: {} for name in members}
    for resource in keys:
        claims = siblings.claims(members, unmoved, resource, keys, old := siblings.division(parent, resource))
        total = whole(resource, held.get(resource, 0))
        if old is not None and old.total == total and old.claims == claims:
            result = old
        else:
            result = partition(total, claims, siblings.rules.rounding)
        partitions[parent, resource] = result
        one = unit(resource)
        for claim, share in zip(claims, result.shares, strict=True):
            shares[claim.name][resource] = share * one
    runtime.update((name, shares[name]) for name in members if name in siblings.computed)


def division_keys(tree: QuotaTree, parent: str) -> Sequence[str]:
    """The resources that a parent divides, sorted: those of its max; root divides all that a max lists."""
    if parent != ROOT:
        return sorted(tree.quotas[parent].max)
    return sorted({r for name, quota in tree.quotas.items() if name not in (ROOT, *SPECIAL) for r in quota.max})
