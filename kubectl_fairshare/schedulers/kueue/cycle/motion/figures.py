"""What ClusterQueues hold and are entitled to, as samples ask for it again and again: only what changed is read.

Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State

_Amounts = Mapping[PoolResource, int]


class FollowedFigures:
    """The figures of all ClusterQueues, by name. A queue whose figures stay has the same object as before."""

    def __init__(self) -> None:
        self._forest: Forest | None = None
        self._names: dict[int, str] = {}
        self._entitled: dict[str, _Amounts] = {}
        self._ledger: Ledger | None = None
        self._used: dict[str, _Amounts] = {}
        self._shares: dict[str, float | None] = {}

    def _follow(self, state: State) -> None:
        """Reads what has changed since the last call."""
        if state.forest is not self._forest:
            self._forest, self._ledger = state.forest, None
            self._used, self._shares = {}, {}
            self._names = {node: name for name, node in sorted(state.forest.queue_ids.items())}
            self._entitled = {name: _nominal(state.forest, node) for node, name in self._names.items()}
        if state.ledger is not self._ledger:
            before, self._ledger = self._ledger, state.ledger
            nodes = self._names if before is None else state.ledger.changed_since(before)
            changed = [(self._names[node], node) for node in nodes if node in self._names]
            self._used = {**self._used, **{name: _held(state.ledger, node) for name, node in changed}}
            self._shares = {**self._shares, **{name: _share(state, node) for name, node in changed}}

    def entitled(self, state: State) -> Mapping[str, _Amounts]:
        """The nominal quota of each ClusterQueue."""
        self._follow(state)
        return self._entitled

    def used(self, state: State) -> Mapping[str, _Amounts]:
        """What each ClusterQueue holds."""
        self._follow(state)
        return self._used

    def shares(self, state: State) -> Mapping[str, float | None]:
        """The weighted share of each ClusterQueue as a fraction; None without fair sharing and for weight 0."""
        self._follow(state)
        return self._shares


def _nominal(forest: Forest, node: int) -> _Amounts:
    return {(f, r): quota.nominal for (f, r), quota in forest.nodes[node].quotas.items()}


def _held(ledger: Ledger, node: int) -> _Amounts:
    return {(f, r): amount for (f, r), amount in ledger.usages(node).items()}


def _share(state: State, node: int) -> float | None:
    if not state.fair:
        return None
    share = state.ledger.share(node)
    return None if share.rank else share.value / 1000
