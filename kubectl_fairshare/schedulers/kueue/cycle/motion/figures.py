"""The figures of ClusterQueues, as samples ask for them again and again: only what changed is read.

Decides nothing: it reads the figures that changed.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Iterable, Iterator, Mapping

from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.schedulers.kueue.cycle.motion.roster import Roster
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.replay import NO_FIGURES, SampledQueue

_Amounts = Mapping[PoolResource, int]


def total_held(holders: Iterable[Holder]) -> dict[PoolResource, int]:
    """What workloads hold together."""
    found: dict[PoolResource, int] = {}
    for holder in holders:
        for pair, amount in holder.usage.items():
            found[pair] = found.get(pair, 0) + amount
    return found


class FollowedFigures:
    """Knows what was read last: the forest with its quotas, and the ledger with what is held."""

    def __init__(self) -> None:
        self._forest: Forest | None = None
        self._ledger: Ledger | None = None
        self._names: dict[int, str] = {}
        self._entitled: dict[str, _Amounts] = {}

    def changes(self, roster: Roster) -> dict[str, SampledQueue]:
        """The figures of the ClusterQueues that may have changed since the last call; at first those of all."""
        state = roster.state
        gone = self._follow_forest(state)
        before, self._ledger = self._ledger, state.ledger
        names = {*self._read_again(state.ledger, before), *roster.touched}
        roster.touched.clear()
        return {**gone, **{name: self._figures(roster, name) for name in sorted(names)}}

    def _follow_forest(self, state: State) -> dict[str, SampledQueue]:
        """Reads the quotas if they are others now; returns those that are gone."""
        forest = state.forest
        if forest is self._forest:
            return {}
        before, self._forest, self._ledger = self._entitled, forest, None
        self._names = {node: name for name, node in sorted(forest.queue_ids.items())}
        self._entitled = {name: _nominal(forest, node) for node, name in self._names.items()}
        return dict.fromkeys(before.keys() - self._entitled.keys(), NO_FIGURES)

    def _read_again(self, ledger: Ledger, before: Ledger | None) -> Iterator[str]:
        nodes: Iterable[int] = self._names if before is None else ledger.changed_since(before)
        return (self._names[node] for node in nodes if node in self._names)

    def _figures(self, roster: Roster, name: str) -> SampledQueue:
        """A queue that is not in the forest, because its tree is a cycle, holds nothing."""
        state, line = roster.state, roster.lines.get(name)
        waiting = 0 if line is None else line.count
        node = state.forest.queue_ids.get(name)
        if node is None:
            return SampledQueue({}, {}, waiting)
        return SampledQueue(_held(state.ledger, node), self._entitled[name], waiting, _share(state, node))


def _nominal(forest: Forest, node: int) -> _Amounts:
    return {(f, r): quota.nominal for (f, r), quota in forest.nodes[node].quotas.items()}


def _held(ledger: Ledger, node: int) -> _Amounts:
    return {(f, r): amount for (f, r), amount in ledger.usages(node).items()}


def _share(state: State, node: int) -> float | None:
    """The weighted share as a fraction; None without fair sharing and for weight 0."""
    if not state.fair:
        return None
    share = state.ledger.share(node)
    return None if share.rank else share.value / 1000
