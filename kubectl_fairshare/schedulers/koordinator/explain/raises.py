"""Higher amounts of quotas, as the webhook accepts them.

Tested in ``tests/unit/schedulers/koordinator/test_raises.py``. Source: koordinator v1.8.0, ``checkMinQuotaSum``
and its neighbours in ``pkg/webhook/elasticquota``.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, exact, total_of, whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.state import State

Raises = Mapping[str, QuotaGroup]


def wider(group: QuotaGroup, least: Amounts, most: Amounts) -> QuotaGroup:
    """The quota with at least these amounts; max is raised only where it is listed."""
    return replace(
        group,
        min={**group.min, **{r: max(v, group.min.get(r, 0)) for r, v in least.items()}},
        max={r: max(v, most.get(r, 0)) for r, v in group.max.items()},
    )


def accepted_raise(state: State, quota: str, raised: Raises) -> Raises | None:
    """The raises of quotas from ``quota`` up, with those of the min above that they need; None if they are rejected.

    If the parents are written first, each write is accepted. A quota that is forced, or the root of a tree, is written
    whatever the min of others; every min above must list its resources.
    """
    tree, changed = state.figures(quota).tree, dict(raised)
    for name in (quota, *tree.ancestors(quota)):
        if name == ROOT or name not in changed:
            continue
        free = changed[name].forced or changed[name].is_root
        group = changed[name] if free else _above(changed[name], _children(state, name, {}))
        changed[name] = group
        if any(value > group.max.get(r, -1) for r, value in group.min.items()):
            return None
        if group.parent == ROOT:
            continue
        if group.parent not in state.source.quotas:
            return None
        parent = changed.get(group.parent, state.quotas[group.parent])
        if not parent.is_parent:
            return None
        needed = dict.fromkeys(group.min, 0) if free else _children(state, group.parent, changed)
        above = _above(parent, needed)
        if above is not parent:
            changed[group.parent] = above
    return changed


def _children(state: State, name: str, changed: Raises) -> Amounts:
    """The sum of the min below a quota."""
    children = state.figures(name).tree.children.get(name, ())
    return total_of(changed.get(each, state.quotas[each]).min for each in children)


def _above(group: QuotaGroup, needed: Amounts) -> QuotaGroup:
    """The quota with a min that lists these amounts and is not below them."""
    missing = {r: value for r, value in needed.items() if r not in group.min or value > group.min[r]}
    return wider(group, missing, missing) if missing else group


def one_less(state: State, raised: Raises) -> Iterator[Raises]:
    """The raises, each time with one amount as it was; none of a single amount."""
    for name, group in raised.items():
        before = state.quotas[name]
        lists = ((before.min, group.min, "min"), (before.max, group.max, "max"))
        for old, new, kind in lists:
            for resource in sorted(r for r, value in new.items() if old.get(r) != value):
                kept = {r: v for r, v in {**new, resource: old.get(resource)}.items() if v is not None}
                less = replace(group, min=kept) if kind == "min" else replace(group, max=kept)
                fewer = {**raised, name: less} if less != before else {n: g for n, g in raised.items() if n != name}
                if fewer:
                    yield fewer


class RaisedAmount(NamedTuple):
    """An amount that is raised, in inner units; ``kind`` is ``min`` or ``max``.

    ``least`` is what it was, or 1 if it was not listed.
    """

    quota: str
    kind: str
    resource: str
    least: int
    after: int


def raised_amounts(state: State, raised: Raises) -> Iterator[RaisedAmount]:
    """Each amount that is raised, in the order of the quotas, min before max."""
    for name, group in raised.items():
        known = state.quotas[name]
        for kind, old, new in (("min", known.min, group.min), ("max", known.max, group.max)):
            for resource in sorted(r for r, value in new.items() if old.get(r) != value):
                least = whole(resource, old[resource]) if resource in old else 1
                yield RaisedAmount(name, kind, resource, least, whole(resource, new[resource]))


def with_amount(raised: Raises, amount: RaisedAmount, value: int) -> Raises:
    """The raises with another value of one amount."""
    group = raised[amount.quota]
    least, most = group.min, group.max
    if amount.kind == "min":
        least = {**least, amount.resource: exact(amount.resource, value)}
    else:
        most = {**most, amount.resource: exact(amount.resource, value)}
    return {**raised, amount.quota: replace(group, min=least, max=most)}
