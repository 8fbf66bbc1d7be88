"""What each quota requests and uses: its own pods, and what comes up from its children.

Source: koordinator v1.8.0, ``recursiveUpdateGroupTreeWithDeltaRequest`` and its neighbours.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.model.values import ComparedInPart, Value, field
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


class PodSums(Value, frozen=True):
    """The amounts of a quota's own pods, in the resources that its max lists.

    ``firm_request`` and ``firm_used`` are those of pods that are not preemptible.
    """

    request: Amounts = field(default_factory=dict)
    used: Amounts = field(default_factory=dict)
    firm_request: Amounts = field(default_factory=dict)
    firm_used: Amounts = field(default_factory=dict)


class QuotaSums(ComparedInPart, Value, frozen=True):
    """The amounts of one quota. ``limit_request`` is what it asks of its parent.

    ``allocated`` and ``guaranteed`` are empty without the gate that guarantees use. Children of one parent whose
    ``likeness`` is equal pass on the same, and claim the same.
    """

    UNCOMPARED = ("likeness",)
    own: PodSums
    child_request: Amounts = field(default_factory=dict)
    request: Amounts = field(default_factory=dict)
    limit_request: Amounts = field(default_factory=dict)
    used: Amounts = field(default_factory=dict)
    firm_used: Amounts = field(default_factory=dict)
    firm_request: Amounts = field(default_factory=dict)
    allocated: Amounts = field(default_factory=dict)
    guaranteed: Amounts = field(default_factory=dict)
    likeness: Hashable = ()


class AlikeQuotas(ComparedInPart, Value, frozen=True):
    """How many children of one parent pass on and claim the same, with one of them and its sums."""

    UNCOMPARED = ("claims",)
    quota: QuotaGroup
    sums: QuotaSums
    number: int
    claims: dict[str, QuotaClaim | None] = field(default_factory=dict)
    """What one of them claims of each resource with a min that is not scaled, once that was asked."""


_Listed = tuple[Amounts, Mapping[str, int]]
"""Sums by resource, and how many children list each."""
_NONE: Final[_Listed] = ({}, {})


class Siblings:
    """The children of one parent: those that are alike, by their likeness, and what comes up from them all.

    Each amount that comes up is kept with the number of children that list its resource: where none does, it goes.
    """

    def __init__(self, before: "Siblings | None" = None) -> None:
        self.alike: dict[Hashable, AlikeQuotas] = dict(before.alike) if before else {}
        self._rising: dict[str, _Listed] = dict(before._rising) if before else {}

    def exchange(self, tree: QuotaTree, quota: QuotaGroup, old: QuotaSums | None, new: QuotaSums) -> None:
        """Counts a child among those that are now like it, and no longer among those that it was like before."""
        if old is not None:
            left = self.alike.pop(old.likeness)
            if left.number > 1:
                self.alike[old.likeness] = AlikeQuotas(left.quota, left.sums, left.number - 1)
        known = self.alike.get(new.likeness)
        self.alike[new.likeness] = AlikeQuotas(quota, new, 1 if known is None else known.number + 1)
        gone = {} if old is None else _rising(tree, quota.name, old)
        for kind, amounts in _rising(tree, quota.name, new).items():
            if (before := gone.get(kind, NOTHING)) != amounts:
                self._rising[kind] = _exchanged(self._rising.get(kind, _NONE), before, amounts)

    def rising(self, kind: str) -> Amounts:
        """What comes up from all children, of one kind."""
        return self._rising.get(kind, _NONE)[0]


def _exchanged(sums: _Listed, old: Amounts, new: Amounts) -> _Listed:
    """The sums of some children after one of them has changed."""
    totals, numbers = dict(sums[0]), dict(sums[1])
    for amounts, sign in ((old, -1), (new, 1)):
        for resource, value in amounts.items():
            totals[resource] = totals.get(resource, 0) + sign * value
            numbers[resource] = numbers.get(resource, 0) + sign
            if not numbers[resource]:
                del totals[resource], numbers[resource]
    return totals, numbers


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


_NO_CHILDREN: Final = Siblings()


class TreeSums(ComparedInPart, Value, frozen=True):
    """The sums of every quota of a tree, ``of`` its name; ``below`` are the children by parent."""

    UNCOMPARED = ("below",)
    of: Mapping[str, QuotaSums]
    below: Mapping[str, Siblings]


class _Alike(NamedTuple):
    """Pods of one quota that count alike: what each is charged with, and their number."""

    charged: Amounts
    firm: bool
    placed: bool
    number: int


def pod_sums(quotas: Mapping[str, Amounts], pods: Iterable[tuple[str, Pod]]) -> dict[str, PodSums]:
    """The sums of each quota's own pods; ``quotas`` maps names to max, ``pods`` come with their quotas' names.

    Pods of one shape share their amounts, so they are counted, and few are added up.
    """
    numbers: dict[tuple[str, int, bool, bool], int] = {}
    charged: dict[int, Amounts] = {}
    for name, pod in pods:
        if name and not pod.ignored:
            key = (name, id(pod.charged), pod.preemptible, bool(pod.node))
            numbers[key] = numbers.get(key, 0) + 1
            charged[id(pod.charged)] = pod.charged
    alike: dict[str, list[_Alike]] = {}
    for (name, identity, preemptible, placed), number in numbers.items():
        alike.setdefault(name, []).append(_Alike(charged[identity], not preemptible, placed, number))
    return {name: _own_sums(alike[name], most) if name in alike else PodSums() for name, most in quotas.items()}


def _own_sums(pods: Sequence[_Alike], most: Amounts) -> PodSums:
    return PodSums(
        _charged(pods, most),
        _charged([each for each in pods if each.placed], most),
        _charged([each for each in pods if each.firm], most),
        _charged([each for each in pods if each.firm and each.placed], most),
    )


def _charged(pods: Iterable[_Alike], keys: Amounts) -> Amounts:
    """The sum in these resources; a pod that requests 0 of all of them adds none of them."""
    found: dict[str, int] = {}
    for each in pods:
        charged = masked(each.charged, keys)
        for resource, value in charged.items() if any(charged.values()) else ():
            found[resource] = found.get(resource, 0) + value * each.number
    return found


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
        found[name] = sums = _risen(tree, quota, own[name], below.get(name, _NO_CHILDREN), gates)
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


def _risen(tree: QuotaTree, quota: QuotaGroup, own: PodSums, below: Siblings, gates: Gates) -> QuotaSums:
    """The sums of one quota from its own pods and what comes up from its children."""
    child_request = plus(own.request, below.rising("request"))
    lends = quota.lends and not gates.guarantees_use
    request = child_request if lends else raised(child_request, quota.min)
    limit_request = capped(request, quota.max)
    used = plus(own.used, below.rising("used"))
    firm_used = plus(own.firm_used, below.rising("firm_used"))
    firm_request = plus(own.firm_request, below.rising("firm_request"))
    allocated: Amounts = NOTHING
    guaranteed: Amounts = NOTHING
    if gates.guarantees_use:
        allocated = plus(masked(own.used, tree.resources), below.rising("guaranteed"))
        guaranteed = raised(allocated, quota.min)
    claimed = (limit_request, used, firm_used, firm_request, guaranteed)
    likeness = (tree.sort[quota.name], *map(fingerprint, claimed))
    return QuotaSums(
        own,
        child_request,
        request,
        limit_request,
        used,
        firm_used,
        firm_request,
        allocated,
        guaranteed,
        likeness,
    )
