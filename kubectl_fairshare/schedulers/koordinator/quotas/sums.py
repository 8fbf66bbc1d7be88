"""What each quota requests and uses: its own pods, and what comes up from its children.

Source: koordinator v1.8.0, ``recursiveUpdateGroupTreeWithDeltaRequest`` and its neighbours.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Final

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.koordinator.model.amounts import (
    NOTHING,
    Amounts,
    capped,
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


NO_SUMS: Final[Mapping[str, QuotaSums]] = MappingProxyType({})


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


def quota_sums(
    tree: QuotaTree, own: Mapping[str, PodSums], gates: Gates, before: Mapping[str, QuotaSums] = NO_SUMS
) -> dict[str, QuotaSums]:
    """The sums of every quota of a tree, from the leaves up; an orphan, and all below one, request nothing above.

    ``before`` are sums of the same tree: those of a quota are kept if no pods at it or below it have changed.
    """
    moved = {name for name in tree.quotas if name not in before or before[name].own is not own[name]}
    for name in tuple(moved):
        moved.update(tree.ancestors(name))
    rising: dict[str, dict[str, Amounts]] = {}
    keys = {resource for quota in tree.quotas.values() for resource in quota.max}
    found: dict[str, QuotaSums] = {}
    for name in reversed(tree.order):
        quota, is_moved = tree.quotas[name], name in moved
        sums = _risen(quota, own[name], rising.get(name, {}), keys, gates) if is_moved else before[name]
        found[name] = sums
        parent = quota.parent
        if name == ROOT or parent not in tree.quotas or parent not in moved:
            continue
        above = rising.setdefault(parent, {})
        request = NOTHING if name in tree.orphans else sums.limit_request
        guaranteed = sums.guaranteed if gates.guarantees_use else NOTHING
        for kind, amounts in (
            ("used", sums.used),
            ("firm_used", sums.firm_used),
            ("firm_request", sums.firm_request),
            ("request", request),
            ("guaranteed", guaranteed),
        ):
            if amounts:
                above[kind] = plus(above[kind], amounts) if kind in above else amounts
    return found


def _risen(
    quota: QuotaGroup, own: PodSums, below: Mapping[str, Amounts], keys: Collection[str], gates: Gates
) -> QuotaSums:
    """The sums of one quota from its own pods and what comes up from its children; ``keys`` are of its whole tree."""
    child_request = plus(own.request, below.get("request", NOTHING))
    lends = quota.lends and not gates.guarantees_use
    request = child_request if lends else raised(child_request, quota.min)
    allocated: Amounts = NOTHING
    guaranteed: Amounts = NOTHING
    if gates.guarantees_use:
        allocated = plus(masked(own.used, keys), below.get("guaranteed", NOTHING))
        guaranteed = raised(allocated, quota.min)
    return QuotaSums(
        own,
        child_request,
        request,
        capped(request, quota.max),
        plus(own.used, below.get("used", NOTHING)),
        plus(own.firm_used, below.get("firm_used", NOTHING)),
        plus(own.firm_request, below.get("firm_request", NOTHING)),
        allocated,
        guaranteed,
    )
