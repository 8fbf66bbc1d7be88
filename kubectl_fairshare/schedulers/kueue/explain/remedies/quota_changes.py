"""Changes of quotas and limits of a tree, and the remedy that they are.

Tested in ``tests/property/test_remedies.py``.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.explain.decision import Limit, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import Decided
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.derivation import quota_place
from kubectl_fairshare.schedulers.kueue.tree.state import State


class LimitChange(NamedTuple):
    """``more`` of one figure of a node, less where it is negative."""

    node: int
    pair: FlavorResource
    kind: Limit
    more: int


def with_changes(state: State, changes: Iterable[LimitChange]) -> State:
    """The state after the changes."""
    for each in changes:
        state = state.with_quota(each.node, each.pair, _larger(state.forest.quota(each.node, each.pair), each))
    return state


def remedy_of(state: State, changes: Sequence[LimitChange], decided: Decided, *, reclaims: bool = False) -> Remedy:
    """The remedy of making all of the changes."""
    first, *others = (_told(state, each) for each in changes)
    return replace(
        first,
        outcome=decided.outcome,
        victims=len(decided.leaving),
        leaving=decided.leaving,
        doubted=decided.doubted,
        also=tuple(others),
        reclaims=reclaims,
    )


def _told(state: State, change: LimitChange) -> Remedy:
    this, before = state.forest.nodes[change.node], _figure(state.forest.quota(change.node, change.pair), change.kind)
    return Remedy(
        RemedyKind(str(change.kind)),
        before,
        before + change.more,
        Outcome.ADMITTED,
        0,
        pair=change.pair,
        object=None if this.spec is None else this.spec.key,
        place=quota_place(this, change.pair, str(change.kind)),
    )


def _figure(quota: Quota, kind: Limit) -> int:
    found = {
        Limit.NOMINAL: quota.nominal,
        Limit.BORROWING_LIMIT: quota.borrowing_limit,
        Limit.LENDING_LIMIT: quota.lending_limit,
    }[kind]
    return found or 0


def _larger(quota: Quota, change: LimitChange) -> Quota:
    kind = change.kind
    value = _figure(quota, kind) + change.more
    if kind is Limit.NOMINAL:
        return replace(quota, nominal=value)
    if kind is Limit.BORROWING_LIMIT:
        return replace(quota, borrowing_limit=value)
    return replace(quota, lending_limit=value)
