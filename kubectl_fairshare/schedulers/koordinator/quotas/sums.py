"""What each quota requests and uses: its own pods, and what comes up from its children.

Counter-example to summing up requests of pods: ``org`` has a max of 4 and children that request 3 and 3; it requests 4
of its parent, not 6. A quota that does not lend and has a min of 5 requests 5 while no pod is there.
Source:
https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/core/group_quota_manager.go,
``recursiveUpdateGroupTreeWithDeltaRequest`` and ``updateGroupDeltaUsedNoLock``; ``core/quota_info.go``,
``getLimitRequestNoLock``.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.model.values import ComparedInPart, Value, field, replace
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
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, Pod, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.model.overlay import overlaid
from kubectl_fairshare.schedulers.koordinator.quotas.contest import Contest
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

    def idles(self, resource: str) -> bool:
        """Whether they request nothing and lend all: then they get nothing, whatever their min is scaled to."""
        lends = self.quota.lends and not self.sums.guaranteed
        return lends and not self.sums.limit_request.get(resource) and self.quota.min.get(resource, 0) >= 0


_Listed = tuple[Amounts, Mapping[str, int]]
"""Sums by resource, and how many children list each."""
_NONE: Final[_Listed] = ({}, {})


Claim = Callable[[AlikeQuotas], QuotaClaim | None]
"""What one of several equal quotas claims of a resource; None where they take no part."""


_FEW: Final = 16
_KEPT: Final = 32
_ENDS: Final = 256


class Siblings:
    """The children of one parent: those that are equal, by their likeness, and what comes up from them all.

    Each amount that comes up is kept with the number of children that list its resource: where none does, it goes.
    Siblings that are made from others share ``_whole`` with them, and what is known of it; ``_near`` is what differs.
    """

    def __init__(self, before: "Siblings | None" = None) -> None:
        self._whole: dict[Hashable, AlikeQuotas] = before._whole if before else {}
        self._near: dict[Hashable, AlikeQuotas | None] = dict(before._near) if before else {}
        self._contests: dict[Hashable, Contest] = before._contests if before else {}
        self._ends: dict[Hashable, tuple[int, object]] = before._ends if before else {}
        self._active: dict[str, list[tuple[Hashable, AlikeQuotas]]] = before._active if before else {}
        self._rising: dict[str, _Listed] = dict(before._rising) if before else {}

    def alike(self, likeness: Hashable) -> AlikeQuotas | None:
        """The children of one likeness; None without one."""
        return self._near[likeness] if likeness in self._near else self._whole.get(likeness)

    def all_alike(self) -> dict[Hashable, AlikeQuotas]:
        """The children by their likeness."""
        return {key: each for key, each in {**self._whole, **self._near}.items() if each is not None}

    def contest(self, resource: str, terms: Hashable, claim: Claim) -> Contest:
        """The contest for a resource; ``claim`` is the same wherever ``terms`` are equal."""
        found = self._contests.get((resource, terms))
        if found is None:
            found = Contest.of((key, claim(each)) for key, each in self._of_some_request(resource))
            if len(self._contests) >= _KEPT:
                self._contests.clear()
            self._contests[resource, terms] = found
        if not self._near:
            return found
        changes = ((key, self._whole.get(key), each) for key, each in self._near.items())
        return found.exchanged((key, _claimed(claim, old), _claimed(claim, new)) for key, old, new in changes)

    def known_end(self, terms: Hashable, key: Hashable, find: Callable[[], int]) -> int:
        """What children of a likeness get at most; found once for equal ``terms`` and equal other siblings."""
        others = {other: each for other, each in self._near.items() if other != key}
        # Without one of this likeness, others are left: which, the near ones say, unless it is not among them.
        own = None if key in self._near else key
        mark = (terms, own, frozenset((other, id(each)) for other, each in others.items()))
        if mark not in self._ends:
            if len(self._ends) >= _ENDS:
                self._ends.clear()
            self._ends[mark] = find(), others  # which live on, so that no other sibling gets their identities
        return self._ends[mark][0]

    def _of_some_request(self, resource: str) -> list[tuple[Hashable, AlikeQuotas]]:
        """The whole ones but those that lend all, and so get nothing at first and want nothing."""
        if resource not in self._active:
            self._active[resource] = [(key, each) for key, each in self._whole.items() if not each.idles(resource)]
        return self._active[resource]

    def exchange(self, tree: QuotaTree, quota: QuotaGroup, old: QuotaSums | None, new: QuotaSums) -> None:
        """Counts a child among those that are now like it, and no longer among those that it was like before.

        The default and the system quota are no children.
        """
        if quota.name not in SPECIAL:
            self._count(quota, old, new)
        gone = {} if old is None else _rising(tree, quota.name, old)
        for kind, amounts in _rising(tree, quota.name, new).items():
            if (before := gone.get(kind, NOTHING)) != amounts:
                self._rising[kind] = _exchanged(self._rising.get(kind, _NONE), before, amounts)

    def _count(self, quota: QuotaGroup, old: QuotaSums | None, new: QuotaSums) -> None:
        left = None if old is None else self.alike(old.likeness)
        if old is not None and left is not None:
            self._put(old.likeness, AlikeQuotas(left.quota, left.sums, left.number - 1) if left.number > 1 else None)
        known = self.alike(new.likeness)
        self._put(new.likeness, AlikeQuotas(quota, new, 1 if known is None else known.number + 1))

    def _put(self, likeness: Hashable, each: AlikeQuotas | None) -> None:
        if each is None and likeness not in self._whole:
            self._near.pop(likeness, None)
        else:
            self._near[likeness] = each

    def settle(self) -> None:
        """Makes what differs part of what is shared with those that are made from these, once it is much."""
        if len(self._near) > _FEW:
            self._whole, self._near = self.all_alike(), {}
            self._contests, self._active, self._ends = {}, {}, {}

    def rising(self, kind: str) -> Amounts:
        """What comes up from all children, of one kind."""
        return self._rising.get(kind, _NONE)[0]


def _claimed(claim: Claim, each: AlikeQuotas | None) -> QuotaClaim | None:
    return None if each is None else claim(each)


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
    """What comes up from one child, by kind; an orphan uses of what is above, but requests nothing there.

    Source: ``recursiveUpdateGroupTreeWithDeltaRequest`` ends where a parent has no calculator,
    ``updateGroupDeltaUsedNoLock`` does not.
    """
    orphan = name in tree.orphans
    return {
        "used": sums.used,
        "firm_used": sums.firm_used,
        "firm_request": NOTHING if orphan else sums.firm_request,
        "request": NOTHING if orphan else sums.limit_request,
        "guaranteed": sums.guaranteed,
    }


_NO_CHILDREN: Final = Siblings()


class TreeSums(ComparedInPart, Value, frozen=True):
    """The sums of every quota of a tree, ``of`` its name; ``below`` are the children by parent."""

    UNCOMPARED = ("below",)
    of: Mapping[str, QuotaSums]
    below: Mapping[str, Siblings]


class _Alike(NamedTuple):
    """Pods of one quota that count the same: what each is charged with, and their number."""

    charge: Amounts
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
            # By identity: pods of one template share one mapping, and comparing thousands of equal ones would cost
            # more.
            key = (name, id(pod.charge), pod.preemptible, bool(pod.node))
            numbers[key] = numbers.get(key, 0) + 1
            charged[id(pod.charge)] = pod.charge
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
        charged = masked(each.charge, keys)
        # The scheduler leaves a pod out whose request is 0 in all of them; otherwise a listed 0 would stay in the sums.
        for resource, value in charged.items() if any(charged.values()) else ():
            found[resource] = found.get(resource, 0) + value * each.number
    return found


def with_one_more(sums: PodSums, pod: Pod, most: Amounts) -> PodSums:
    """The sums of a quota's own pods with one pod more; ``most`` is its max."""
    charged = masked(pod.charge, most)
    if pod.ignored or not any(charged.values()):
        return sums
    firm = not pod.preemptible
    return PodSums(
        plus(sums.request, charged),
        plus(sums.used, charged) if pod.node else sums.used,
        plus(sums.firm_request, charged) if firm else sums.firm_request,
        plus(sums.firm_used, charged) if firm and pod.node else sums.firm_used,
    )


def with_one_placed(sums: PodSums, pod: Pod, most: Amounts) -> PodSums:
    """The sums of a quota's own pods after one of them has got a node; ``most`` is its max."""
    charged = masked(pod.charge, most)
    if pod.ignored or not any(charged.values()):
        return sums
    firm = sums.firm_used if pod.preemptible else plus(sums.firm_used, charged)
    return replace(sums, used=plus(sums.used, charged), firm_used=firm)


def quota_sums(
    tree: QuotaTree,
    own: Mapping[str, PodSums],
    gates: Gates,
    before: TreeSums | None = None,
    touched: Collection[str] = (),
) -> TreeSums:
    """The sums of every quota of a tree, from the leaves up; an orphan, and all below one, request nothing above.

    ``before`` are sums of the same tree: those of a quota are kept if neither it nor one below it was ``touched``.
    """
    known, beneath = (before.of, before.below) if before is not None else ({}, {})
    found: dict[str, QuotaSums] = {}
    below: dict[str, Siblings] = {}
    moved = tree.order if before is None else _moved(tree, touched)
    for name in sorted(moved, key=tree.rank.__getitem__, reverse=True):
        quota = tree.quotas[name]
        children = below.get(name) or beneath.get(name, _NO_CHILDREN)
        found[name] = sums = _risen(tree, quota, own[name], children, gates)
        parent = quota.parent
        if name == ROOT or parent not in tree.quotas:
            continue
        if parent not in below:
            below[parent] = Siblings(beneath.get(parent))
        below[parent].exchange(tree, quota, known.get(name), sums)
    for siblings in below.values():
        siblings.settle()
    return TreeSums(overlaid(known, found), overlaid(beneath, below))


def _moved(tree: QuotaTree, touched: Collection[str]) -> set[str]:
    """The quotas of a tree that were touched, and all above them."""
    moved = {name for name in touched if name in tree.quotas}
    for name in tuple(moved):
        moved.update(tree.ancestors(name))
    return moved


def _risen(tree: QuotaTree, quota: QuotaGroup, own: PodSums, below: Siblings, gates: Gates) -> QuotaSums:
    """The sums of one quota from its own pods and what comes up from its children."""
    child_request = plus(own.request, below.rising("request"))
    lends = quota.lends and not gates.guarantees_use
    # A quota that does not lend asks for its min, so that its parent keeps it for it.
    request = child_request if lends else raised(child_request, quota.min)
    # Only where max lists the resource: others rise without a bound.
    limit_request = capped(request, quota.max)
    # What is used rises uncapped: pods that run are there whatever max says.
    used = plus(own.used, below.rising("used"))
    firm_used = plus(own.firm_used, below.rising("firm_used"))
    firm_request = plus(own.firm_request, below.rising("firm_request"))
    allocated: Amounts = NOTHING
    guaranteed: Amounts = NOTHING
    if gates.guarantees_use:
        risen = NOTHING if quota.name in tree.orphans else below.rising("guaranteed")
        allocated = plus(masked(own.used, tree.divided), risen)
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
