"""What each quota requests and uses: its own pods, and what comes up from its children.

Source: koordinator v1.8.0, ``recursiveUpdateGroupTreeWithDeltaRequest`` and its neighbours.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import field
from typing import Final

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.koordinator.laws import QuotaClaim
from kubectl_fairshare.schedulers.koordinator.model.amounts import (
    NOTHING,
    Amounts,
    capped,
    fingerprint,
    masked,
    plus,
    raised,
)
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, Pod, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.trees import QuotaTree


@dataclass(frozen=True, slots=True)
class PodSums:
    """The amounts of a quota's own pods, in the resources that its max lists.

    ``firm_request`` and ``firm_used`` are those of pods that are not preemptible.
    """

    request: Amounts = field(default_factory=dict)
    used: Amounts = field(default_factory=dict)
    firm_request: Amounts = field(default_factory=dict)
    firm_used: Amounts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QuotaSums:
    """The amounts of one quota. ``limit_request`` is what it asks of its parent.

    ``allocated`` and ``guaranteed`` are empty without the gate that guarantees use.
    """

    own: PodSums
    child_request: Amounts = field(default_factory=dict)
    request: Amounts = field(default_factory=dict)
    limit_request: Amounts = field(default_factory=dict)
    used: Amounts = field(default_factory=dict)
    firm_used: Amounts = field(default_factory=dict)
    firm_request: Amounts = field(default_factory=dict)
    allocated: Amounts = field(default_factory=dict)
    guaranteed: Amounts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AlikeQuotas:
    """How many children of one parent pass on and claim the same, with one of them and its sums."""

    quota: QuotaGroup
    sums: QuotaSums
    number: int
    claims: dict[str, QuotaClaim | None] = field(default_factory=dict, compare=False, repr=False)
    """What one of them claims of each resource with a min that is not scaled, once that was asked."""


class Siblings:
    """The children of one parent: those that are alike, by their likeness, and what comes up from them all.

    Each amount that comes up is kept with the number of children that list its resource: where none does, it goes.
    """

    def __init__(self, before: "Siblings | None" = None) -> None:
        self.alike: dict[Hashable, AlikeQuotas] = dict(before.alike) if before else {}
        self._rising: dict[str, dict[str, tuple[int, int]]] = {}
        if before:
            self._rising = {kind: dict(amounts) for kind, amounts in before._rising.items()}

    def exchange(self, tree: QuotaTree, quota: QuotaGroup, old: QuotaSums | None, new: QuotaSums) -> None:
        """Counts a child among those that are now like it, and no longer among those that it was like before."""
        if old is not None:
            was = likeness(tree, quota.name, old)
            left = self.alike.pop(was)
            if left.number > 1:
                self.alike[was] = AlikeQuotas(left.quota, left.sums, left.number - 1)
            self._raise(_rising(tree, quota.name, old), -1)
        key = likeness(tree, quota.name, new)
        known = self.alike.get(key)
        self.alike[key] = AlikeQuotas(quota, new, 1 if known is None else known.number + 1)
        self._raise(_rising(tree, quota.name, new), 1)

    def _raise(self, rising: Mapping[str, Amounts], sign: int) -> None:
        for kind, amounts in rising.items():
            sums = self._rising.setdefault(kind, {})
            for resource, value in amounts.items():
                total, number = sums.pop(resource, (0, 0))
                if number + sign:
                    sums[resource] = (total + sign * value, number + sign)

    def rising(self, kind: str) -> Amounts:
        """What comes up from all children, of one kind."""
        return {resource: total for resource, (total, _) in self._rising.get(kind, {}).items()}


def _rising(tree: QuotaTree, name: str, sums: QuotaSums) -> dict[str, Amounts]:
    """What comes up from one child, by kind; an orphan requests nothing above."""
    request = NOTHING if name in tree.orphans else sums.limit_request
    return {
        "used": sums.used,
        "firm_used": sums.firm_used,
        "firm_request": sums.firm_request,
        "request": request,
        "guaranteed": sums.guaranteed,
    }


def likeness(tree: QuotaTree, name: str, sums: QuotaSums) -> Hashable:
    """A value for each child: children of one parent with equal ones pass on the same, and claim the same."""
    return (tree.sort[name], *map(fingerprint, _rising(tree, name, sums).values()))


_NO_CHILDREN: Final = Siblings()


@dataclass(frozen=True, slots=True)
class TreeSums:
    """The sums of every quota of a tree, ``of`` its name; ``below`` are the children by parent."""

    of: Mapping[str, QuotaSums]
    below: Mapping[str, Siblings] = field(compare=False)


class _Pile:
    """Requests of pods, counted: pods of one shape share their amounts, so that few are added up."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[Amounts, int]] = {}

    def add(self, amounts: Amounts) -> None:
        """Adds the amounts of one pod."""
        key = id(amounts)
        self._counts[key] = (amounts, self._counts[key][1] + 1 if key in self._counts else 1)

    def sum(self, keys: Amounts) -> Amounts:
        """The sum in these resources; a pod that requests 0 of all of them adds none of them."""
        found: dict[str, int] = {}
        for amounts, number in self._counts.values():
            charged = masked(amounts, keys)
            for resource, value in charged.items() if any(charged.values()) else ():
                found[resource] = found.get(resource, 0) + value * number
        return found


class _Piles:
    """The pods of one quota, in four piles."""

    def __init__(self) -> None:
        self._piles = (_Pile(), _Pile(), _Pile(), _Pile())

    def add(self, pod: Pod) -> None:
        request, used, firm_request, firm_used = self._piles
        firm = not pod.preemptible
        request.add(pod.charged)
        if pod.node:
            used.add(pod.charged)
        if firm:
            firm_request.add(pod.charged)
        if firm and pod.node:
            firm_used.add(pod.charged)

    def sums(self, most: Amounts) -> PodSums:
        request, used, firm_request, firm_used = (pile.sum(most) for pile in self._piles)
        return PodSums(request, used, firm_request, firm_used)


def pod_sums(quotas: Mapping[str, Amounts], pods: Iterable[tuple[str, Pod]]) -> dict[str, PodSums]:
    """The sums of each quota's own pods; ``quotas`` maps names to max, ``pods`` come with their quotas' names."""
    piles: dict[str, _Piles] = {}
    for name, pod in pods:
        if name and not pod.ignored:
            piles.setdefault(name, _Piles()).add(pod)
    return {name: piles[name].sums(most) if name in piles else PodSums() for name, most in quotas.items()}


def quota_sums(tree: QuotaTree, own: Mapping[str, PodSums], gates: Gates, before: TreeSums | None = None) -> TreeSums:
    """The sums of every quota of a tree, from the leaves up; an orphan, and all below one, request nothing above.

    ``before`` are sums of the same tree: those of a quota are kept if no pods at it or below it have changed.
    """
    found = {} if before is None else dict(before.of)
    below = {} if before is None else dict(before.below)
    moved = tree.order if before is None else _moved(tree, own, before)
    copied: set[str] = set()
    for name in sorted(moved, key=tree.rank.__getitem__, reverse=True):
        quota, old = tree.quotas[name], found.get(name)
        found[name] = sums = _risen(quota, own[name], below.get(name, _NO_CHILDREN), tree.resources, gates)
        parent = quota.parent
        if name == ROOT or parent not in tree.quotas:
            continue
        if parent not in copied:
            copied.add(parent)
            below[parent] = Siblings(below.get(parent))
        below[parent].exchange(tree, quota, old, sums)
    return TreeSums(found, below)


def _moved(tree: QuotaTree, own: Mapping[str, PodSums], before: TreeSums) -> set[str]:
    """The quotas whose own pods are others than before, and all above them."""
    moved = {name for name, sums in before.of.items() if sums.own is not own[name]}
    for name in tuple(moved):
        moved.update(tree.ancestors(name))
    return moved


def _risen(quota: QuotaGroup, own: PodSums, below: Siblings, keys: Collection[str], gates: Gates) -> QuotaSums:
    """The sums of one quota from its own pods and what comes up from its children; ``keys`` are of its whole tree."""
    child_request = plus(own.request, below.rising("request"))
    lends = quota.lends and not gates.guarantees_use
    request = child_request if lends else raised(child_request, quota.min)
    allocated: Amounts = NOTHING
    guaranteed: Amounts = NOTHING
    if gates.guarantees_use:
        allocated = plus(masked(own.used, keys), below.rising("guaranteed"))
        guaranteed = raised(allocated, quota.min)
    return QuotaSums(
        own,
        child_request,
        request,
        capped(request, quota.max),
        plus(own.used, below.rising("used")),
        plus(own.firm_used, below.rising("firm_used")),
        plus(own.firm_request, below.rising("firm_request")),
        allocated,
        guaranteed,
    )
