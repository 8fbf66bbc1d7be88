"""The runtime quota: from the top down, each quota divides what it has among its children.

A quota's runtime is divided when it is read, and only on its path. Siblings that claim the same are one claim.
Source: koordinator v1.8.0, ``refreshRuntimeNoLock``, ``getScaledMinQuota``, ``RuntimeQuotaCalculator``.
"""

from collections.abc import Hashable, Iterable, Mapping

from kubectl_fairshare.model.values import ComparedInPart, Value, field
from kubectl_fairshare.schedulers.koordinator.laws import Partition, QuotaClaim, partition, scaled_min
from kubectl_fairshare.schedulers.koordinator.model.amounts import NOTHING, Amounts, exact, unit, whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, Gates, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.sums import AlikeQuotas, TreeSums
from kubectl_fairshare.schedulers.koordinator.quotas.trees import QuotaTree, on_paths
from kubectl_fairshare.schedulers.koordinator.release import Rounding

_Shares = Mapping[str, Mapping[Hashable, int]]
"""What children get of each resource, in inner units, by their likeness."""


class RuntimeRules(Value, frozen=True):
    """The settings that the division depends on."""

    arguments: Arguments
    gates: Gates
    rounding: Rounding


def runtime_quotas(
    tree: QuotaTree, sums: TreeSums, total: Amounts, asked: Iterable[str], rules: RuntimeRules
) -> "RuntimeQuotas":
    """The runtime of the quotas, also on the paths to those of ``asked``: a pod asks for the runtime of its quota."""
    away = [name for name in asked if name not in tree.paths]
    more = on_paths(tree.quotas, tree.orphans, away) - tree.paths if away else frozenset()
    return RuntimeQuotas(tree, sums, total, more, rules)


class RuntimeQuotas(ComparedInPart, Value, frozen=True):
    """The runtime of each quota on the path to one without ``is-parent``, and of ``more`` quotas.

    No quota has one if runtime quotas are off, and an orphan has none. ``total`` is what the root divides.
    """

    UNCOMPARED = ("_shares", "_shortages")
    tree: QuotaTree
    sums: TreeSums
    total: Amounts
    more: frozenset[str]
    rules: RuntimeRules
    _shares: dict[str, _Shares] = field(default_factory=dict)
    _shortages: dict[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether a quota has a runtime."""
        return self.rules.arguments.uses_runtime and (name in self.tree.paths or name in self.more)

    def of(self, name: str) -> Amounts | None:
        """The runtime of a quota; None without one, and then nothing is limited."""
        if not self.has(name):
            return None
        parent = self.tree.quotas[name].parent
        undivided = []
        for above in self.tree.ancestors(name):
            if above in self._shares:
                break
            undivided.append(above)
        for above in reversed(undivided):
            self._shares[above] = self._divided(above)
        key = self.sums.of[name].likeness
        return {r: shares[key] * unit(r) for r, shares in self._shares[parent].items() if key in shares}

    def least(self, name: str) -> Amounts:
        """The min of a quota; scaled where its siblings' minima are more than what their parent has."""
        quota = self.tree.quotas[name]
        if name in SPECIAL or name in self.tree.orphans:
            return NOTHING
        return self._scaled(quota) if self.has(name) else quota.min

    def partition(self, parent: str, resource: str) -> Partition | None:
        """The division of a resource among the children, each with its own claim, by name; None if there is none."""
        children = self.tree.children.get(parent, ())
        if resource not in division_keys(self.tree, parent) or not any(map(self.has, children)):
            return None
        claims = self._claims(parent, resource)
        found = [claims[name] for name in SPECIAL if name in claims]
        for name in children:
            claim = claims.get(self.sums.of[name].likeness)
            found += [] if claim is None else [claim._replace(name=name, number=1)]
        return self._parted(parent, resource, sorted(found))

    def _held(self, parent: str) -> Amounts:
        """What a parent divides."""
        return self.total if parent == ROOT else self.of(parent) or NOTHING

    def _scaled(self, quota: QuotaGroup) -> Amounts:
        """The min; only what the parent has is scaled, in the resources in which it has less than all minima."""
        short = self._short(quota.parent)
        if not short:
            return quota.min
        least = quota.min
        scaled = {r: scaled_min(held, whole(r, least.get(r, 0)), minima) for r, (held, minima) in short.items()}
        return {**least, **{r: exact(r, amount) for r, amount in scaled.items()}}

    def _short(self, parent: str) -> Mapping[str, tuple[int, int]]:
        """The resources of which a parent has less than all minima of its children: what it has, and their sum."""
        if not self.rules.arguments.scales_min:
            return {}
        if parent not in self._shortages:
            minima = self.tree.minima.get(parent, NOTHING)
            self._shortages[parent] = {
                r: (whole(r, amount), whole(r, minima.get(r, 0)))
                for r, amount in self._held(parent).items()
                if amount < minima.get(r, 0)
            }
        return self._shortages[parent]

    def _divided(self, parent: str) -> "_Shares":
        """What each child gets, in inner units."""
        found = {}
        for resource in division_keys(self.tree, parent):
            claims = self._claims(parent, resource)
            found[resource] = dict(zip(claims, self._parted(parent, resource, [*claims.values()]).shares, strict=True))
        return found

    def _parted(self, parent: str, resource: str, claims: list[QuotaClaim]) -> Partition:
        return partition(whole(resource, self._held(parent).get(resource, 0)), claims, self.rules.rounding)

    def _claims(self, parent: str, resource: str) -> dict[Hashable, QuotaClaim]:
        """The claims of all that take part: the children, and below root the default and the system quota."""
        keys, gates = division_keys(self.tree, parent), self.rules.gates
        found: dict[Hashable, QuotaClaim] = {}
        siblings, scaled = self.sums.below.get(parent), self._short(parent)
        for key, each in siblings.alike.items() if siblings else ():
            if scaled:
                claim = _claim(each, self.least(each.quota.name), resource, keys, gates)
            elif resource in each.claims:
                claim = each.claims[resource]
            else:
                claim = each.claims[resource] = _claim(each, each.quota.min, resource, keys, gates)
            if claim is not None and claim.name not in SPECIAL:
                found[key] = claim
        for name in SPECIAL if parent == ROOT else ():
            if name in self.tree.quotas:
                alone = AlikeQuotas(self.tree.quotas[name], self.sums.of[name], 1)
                claim = _claim(alone, NOTHING, resource, keys, gates)
                found |= {} if claim is None else {name: claim}
        return found


def _claim(each: AlikeQuotas, least: Amounts, resource: str, keys: tuple[str, ...], gates: Gates) -> QuotaClaim | None:
    """What a quota claims of a resource.

    It takes part in a resource of its max, or if it requests any, or if its min was scaled; else it claims nothing.
    """
    quota, sums = each.quota, each.sums
    special = quota.name in SPECIAL
    listed = not special and (resource in quota.max or least != quota.min)
    if not listed and not any(sums.limit_request.get(key) for key in keys):
        return None
    guaranteed = 0 if special else whole(resource, sums.guaranteed.get(resource, 0))
    return QuotaClaim(
        quota.name,
        whole(resource, quota.shared_weight.get(resource, 0)),
        whole(resource, sums.limit_request.get(resource, 0)),
        max(whole(resource, least.get(resource, 0)), guaranteed),
        quota.lends and not gates.guarantees_use,
        each.number,
    )


def division_keys(tree: QuotaTree, parent: str) -> tuple[str, ...]:
    """The resources that a parent divides, sorted: those of its max; root divides all that a max lists."""
    return tree.divided if parent == ROOT else tuple(sorted(tree.quotas[parent].max))
