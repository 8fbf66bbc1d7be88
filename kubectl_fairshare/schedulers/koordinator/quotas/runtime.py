"""The runtime quota: from the top down, each quota divides what it has among its children.

A quota's runtime is divided when it is read, and only on its path. Siblings that claim the same are one claim.
Counter-example to dividing among leaves: a total of 12 is divided, ``lab`` requests 4, and ``org`` with a max of 6 has
two children that request 8 each. Among three leaves of equal weight each gets 4; here ``org`` gets 6, and each child 3.
Source:
https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/core/group_quota_manager.go,
``refreshRuntimeNoLock``; ``core/scale_minquota_when_over_root_res.go``, ``getScaledMinQuota``;
``core/runtime_quota_calculator.go``, ``redistribution``.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.values import ComparedInPart, Value, field
from kubectl_fairshare.schedulers.koordinator.laws import (
    Partition,
    QuotaClaim,
    first_part,
    is_eager,
    is_sated_at_once,
    partition,
    scaled_min,
    surplus_shares,
)
from kubectl_fairshare.schedulers.koordinator.model.amounts import NOTHING, Amounts, exact, unit, whole, wrapped
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, Gates, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.contest import ENDLESS, Contest
from kubectl_fairshare.schedulers.koordinator.quotas.sums import AlikeQuotas, Claim, Siblings, TreeSums
from kubectl_fairshare.schedulers.koordinator.quotas.trees import QuotaTree, on_paths
from kubectl_fairshare.schedulers.koordinator.release import Rounding

_Shares = Mapping[str, Mapping[Hashable, int]]
"""What those children get of each resource that want a part of the surplus, in inner units, by their likeness."""

_NO_CHILDREN: Final = Siblings()
_SEVERAL: Final = 4
"""As many children of one parent are asked about before what all of them get is found at once."""


class RuntimeRules(Value, frozen=True):
    """The settings that the division depends on."""

    arguments: Arguments
    gates: Gates
    rounding: Rounding


def runtime_quotas(
    tree: QuotaTree,
    sums: TreeSums,
    total: Amounts,
    asked: Iterable[str],
    rules: RuntimeRules,
    more: frozenset[str] = frozenset(),
) -> "RuntimeQuotas":
    """The runtime of the quotas, of ``more``, and of those on the paths to ``asked``: a pod asks for its quota's."""
    if away := [name for name in asked if name not in tree.paths]:
        more |= on_paths(tree.quotas, tree.orphans, away) - tree.paths
    return RuntimeQuotas(tree, sums, total, more, rules)


class RuntimeQuotas(ComparedInPart, Value, frozen=True):
    """The runtime of each quota on the path to one without ``is-parent``, and of ``more`` quotas.

    No quota has one if runtime quotas are off, and an orphan has none. ``total`` is what the root divides.
    """

    UNCOMPARED = ("_known", "_asked", "_shares", "_shortages")
    tree: QuotaTree
    sums: TreeSums
    total: Amounts
    more: frozenset[str]
    rules: RuntimeRules
    _known: dict[str, Amounts] = field(default_factory=dict)
    _asked: dict[str, int] = field(default_factory=dict)
    _shares: dict[str, _Shares] = field(default_factory=dict)
    _shortages: dict[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether a quota has a runtime."""
        return self.rules.arguments.uses_runtime and (name in self.tree.paths or name in self.more)

    def of(self, name: str) -> Amounts | None:
        """The runtime of a quota; None without one, and then nothing is limited."""
        if not self.has(name):
            return None
        unknown = [name] if name not in self._known else []
        for above in self.tree.ancestors(name) if unknown else ():
            if above == ROOT or above in self._known:
                break
            unknown.append(above)
        for each in reversed(unknown):
            self._known[each] = self._runtime(each)
        return self._known[name]

    def _runtime(self, name: str) -> Amounts:
        """The runtime of a quota whose parent's is known."""
        parent, key = self.tree.quotas[name].parent, self.sums.of[name].likeness
        self._asked[parent] = self._asked.get(parent, 0) + 1
        # One question is answered by following one claim; once several are asked, dividing among all is cheaper.
        if self._asked[parent] == _SEVERAL:
            self._shares[parent] = self._divided(parent)
        shares = ((r, self._share(parent, key, r)) for r in division_keys(self.tree, parent))
        return {resource: share * unit(resource) for resource, share in shares if share is not None}

    def _share(self, parent: str, key: Hashable, resource: str) -> int | None:
        """What each child of a likeness gets, in inner units; None if it takes no part."""
        each = self.sums.below[parent].alike(key)
        claim = None if each is None else self._claimant(parent, resource)(each)
        if claim is None or not is_eager(claim):
            return None if claim is None else first_part(claim)
        if parent in self._shares:
            return self._shares[parent][resource][key]
        contest = self._contest(parent, resource)
        left, weight = self._left(parent, resource, contest), wrapped(contest.weight)
        if is_sated_at_once(claim, left, weight, self.rules.rounding):
            return claim.request
        return min(claim.request, self._end(parent, resource, key, claim, contest))

    def _end(self, parent: str, resource: str, key: Hashable, claim: QuotaClaim, contest: Contest) -> int:
        """What a quota gets that requests without end; one that requests less gets the same up to its request.

        Its request decides nothing before it is reached: then no round has gone otherwise. So all requests of a quota
        share one division, as long as its parent has the same.
        """
        siblings = self.sums.below[parent]
        special = tuple(self._special_claims(resource)) if parent == ROOT else ()
        held = whole(resource, self._held(parent).get(resource, 0))
        left = held - contest.first
        asking = claim._replace(name="", request=ENDLESS)
        terms = (resource, self._terms(parent), held, asking, special)
        return siblings.known_end(terms, key, lambda: contest.end(key, left, self.rules.rounding))

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
                # Strictly, and exactly: the sum of min may equal what there is.
                if amount < minima.get(r, 0)
            }
        return self._shortages[parent]

    def _divided(self, parent: str) -> "_Shares":
        """What each child gets that wants a part of the surplus, in inner units; all others get their first part."""
        return {resource: self._surplus(parent, resource) for resource in division_keys(self.tree, parent)}

    def _surplus(self, parent: str, resource: str) -> Mapping[Hashable, int]:
        contest = self._contest(parent, resource)
        left = self._left(parent, resource, contest)
        shares, _ = surplus_shares(left, [*contest.eager.values()], self.rules.rounding)
        return dict(zip(contest.eager, shares, strict=True))

    def _left(self, parent: str, resource: str, contest: Contest) -> int:
        """The surplus: what a parent has, in inner units, without all first parts."""
        return whole(resource, self._held(parent).get(resource, 0)) - contest.first

    def _terms(self, parent: str) -> Hashable:
        """What claims below a parent rest on, besides the quotas and their sums."""
        return tuple(self._short(parent).items()), self.more

    def _contest(self, parent: str, resource: str) -> Contest:
        siblings = self.sums.below.get(parent, _NO_CHILDREN)
        terms = self._terms(parent)
        contest = siblings.contest(resource, terms, self._claimant(parent, resource))
        if parent != ROOT:
            return contest
        return contest.exchanged((key, None, claim) for key, claim in self._special_claims(resource))

    def _parted(self, parent: str, resource: str, claims: list[QuotaClaim]) -> Partition:
        return partition(whole(resource, self._held(parent).get(resource, 0)), claims, self.rules.rounding)

    def _claims(self, parent: str, resource: str) -> dict[Hashable, QuotaClaim]:
        """The claims of all that take part: the children, and below root the default and the system quota."""
        alike = self.sums.below.get(parent, _NO_CHILDREN).all_alike()
        claimed = self._claimant(parent, resource)
        found = {key: claim for key, each in alike.items() if (claim := claimed(each))}
        return found | (dict(self._special_claims(resource)) if parent == ROOT else {})

    def _claimant(self, parent: str, resource: str) -> Claim:
        """What each of several equal children claims of a resource; None if they take no part."""
        keys, gates, short = division_keys(self.tree, parent), self.rules.gates, self._short(parent)

        def plain(each: AlikeQuotas) -> QuotaClaim | None:
            if resource not in each.claims:
                each.claims[resource] = _claim(each, each.quota.min, resource, keys, gates)
            return each.claims[resource]

        def scaled(each: AlikeQuotas) -> QuotaClaim | None:
            claim, quota = plain(each), each.quota
            if not self.has(quota.name if claim is None else claim.name):
                return claim
            if claim is None or resource not in quota.max:
                return _claim(each, self._scaled(quota), resource, keys, gates)
            if resource not in short:
                return claim
            held, minima = short[resource]
            least = wrapped(scaled_min(held, whole(resource, quota.min.get(resource, 0)), minima))
            guaranteed = whole(resource, each.sums.guaranteed.get(resource, 0)) if each.sums.guaranteed else 0
            return QuotaClaim(
                claim.name, claim.weight, claim.request, max(least, guaranteed), claim.lends, claim.number
            )

        return scaled if short else plain

    def _special_claims(self, resource: str) -> Iterator[tuple[Hashable, QuotaClaim]]:
        """What the default and the system quota claim below root; they have no min."""
        for name in SPECIAL:
            if name in self.tree.quotas:
                alone = AlikeQuotas(self.tree.quotas[name], self.sums.of[name], 1)
                claim = _claim(alone, NOTHING, resource, self.tree.divided, self.rules.gates)
                if claim is not None:
                    yield name, claim


def _claim(each: AlikeQuotas, least: Amounts, resource: str, keys: tuple[str, ...], gates: Gates) -> QuotaClaim | None:
    """What a quota claims of a resource.

    It takes part in a resource of its max, or if it requests any, or if its min was scaled; else it claims nothing.
    """
    quota, sums = each.quota, each.sums
    special = quota.name in SPECIAL
    listed = not special and (resource in quota.max or least != quota.min)
    if not listed and not any(sums.limit_request.get(key) for key in keys):
        return None
    guaranteed = whole(resource, sums.guaranteed.get(resource, 0))
    return QuotaClaim(
        quota.name,
        whole(resource, quota.shared_weight.get(resource, 0)),
        whole(resource, sums.limit_request.get(resource, 0)),
        # What is guaranteed is never below what pods hold, so a scaled min does not take it away.
        max(whole(resource, least.get(resource, 0)), guaranteed),
        # With that gate each quota is treated as if it did not lend.
        quota.lends and not gates.guarantees_use,
        each.number,
    )


def division_keys(tree: QuotaTree, parent: str) -> tuple[str, ...]:
    """The resources that a parent divides, sorted: those of its max; root divides all that a max lists."""
    return tree.divided if parent == ROOT else tuple(sorted(tree.quotas[parent].max))
