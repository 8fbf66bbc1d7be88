"""The runtime quota: from the top down, each quota divides what it has among its children.

Source: koordinator v1.8.0, ``refreshRuntimeNoLock``, ``getScaledMinQuota``, ``RuntimeQuotaCalculator``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.koordinator.laws import Partition, QuotaClaim, partition, scaled_min
from kubectl_fairshare.schedulers.koordinator.model.amounts import NOTHING, Amounts, exact, total_of, whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, Gates
from kubectl_fairshare.schedulers.koordinator.quotas.sums import QuotaSums
from kubectl_fairshare.schedulers.koordinator.quotas.trees import QuotaTree
from kubectl_fairshare.schedulers.koordinator.release import Rounding


@dataclass(frozen=True, slots=True)
class RuntimeQuotas:
    """The runtime of each quota; one that is missing has none, and is not limited.

    ``least`` are the scaled minima. ``partitions`` are the divisions by parent and resource.
    """

    runtime: Mapping[str, Amounts]
    least: Mapping[str, Amounts]
    partitions: Mapping[tuple[str, str], Partition] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuntimeRules:
    """The settings that the division depends on."""

    arguments: Arguments
    gates: Gates
    rounding: Rounding


def runtime_quotas(
    tree: QuotaTree, sums: Mapping[str, QuotaSums], total: Amounts, asked: Collection[str], rules: RuntimeRules
) -> RuntimeQuotas:
    """The runtime of every quota on the path to one without ``is-parent``, or to one of ``asked``.

    No quota has one if runtime quotas are off. ``total`` is what the root divides.
    """
    computed = _on_paths(tree, asked) if rules.arguments.uses_runtime else set()
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
        if rules.arguments.scales_min:
            sum_of_min = total_of(tree.quotas[child].min for child in children)
            for child in children:
                if child in computed:
                    least[child] = _scaled(tree.quotas[child].min, held, sum_of_min)
        _divide(tree, parent, held, _Siblings(tree, sums, least, computed, rules), runtime, partitions)
    return RuntimeQuotas(runtime, least, partitions)


def _on_paths(tree: QuotaTree, asked: Collection[str]) -> set[str]:
    found: set[str] = set()
    leaves = (name for name, quota in tree.quotas.items() if not quota.is_parent)
    for name in (*leaves, *asked):
        if name in tree.quotas and name not in SPECIAL and name not in tree.orphans:
            for each in (name, *tree.ancestors(name)):
                if each == ROOT or each in found:
                    break
                found.add(each)
    return found


def _scaled(own: Amounts, total: Amounts, sum_of_min: Amounts) -> Amounts:
    """A child's min where the sum of all minima is above the total; only what the total lists is scaled."""
    short = [r for r, amount in total.items() if amount < sum_of_min.get(r, 0)]
    if not short:
        return own
    scaled = {
        r: exact(r, scaled_min(whole(r, total[r]), whole(r, own.get(r, 0)), whole(r, sum_of_min.get(r, 0))))
        for r in short
    }
    return {**own, **scaled}


@dataclass(frozen=True, slots=True)
class _Siblings:
    """Who takes part in a division, and with what."""

    tree: QuotaTree
    sums: Mapping[str, QuotaSums]
    least: Mapping[str, Amounts]
    computed: Collection[str]
    rules: RuntimeRules

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

    def claim(self, name: str, resource: str) -> QuotaClaim:
        """What a quota claims of a resource."""
        quota, sums = self.tree.quotas[name], self.sums[name]
        guaranteed = sums.guaranteed.get(resource, 0) if name not in SPECIAL else 0
        return QuotaClaim(
            name,
            whole(resource, quota.shared_weight.get(resource, 0)),
            whole(resource, sums.limit_request.get(resource, 0)),
            max(whole(resource, self.least[name].get(resource, 0)), whole(resource, guaranteed)),
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
    for resource in keys:
        taking = [name for name in members if siblings.takes_part(name, resource, keys)]
        claims = [siblings.claim(name, resource) for name in taking]
        result = partition(whole(resource, held.get(resource, 0)), claims, siblings.rules.rounding)
        partitions[parent, resource] = result
        for name, share in zip(taking, result.shares, strict=True):
            if name in siblings.computed:
                runtime[name] = {**runtime.get(name, NOTHING), resource: exact(resource, share)}
    for name in members:
        if name in siblings.computed:
            runtime.setdefault(name, NOTHING)


def division_keys(tree: QuotaTree, parent: str) -> Sequence[str]:
    """The resources that a parent divides, sorted: those of its max; root divides all that a max lists."""
    if parent != ROOT:
        return sorted(tree.quotas[parent].max)
    return sorted({r for name, quota in tree.quotas.items() if name not in (ROOT, *SPECIAL) for r in quota.max})
