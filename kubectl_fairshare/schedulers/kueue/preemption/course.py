"""The course of an earlier search, for a later one to follow as far as it would go the same way.

The searches for one workload differ in the flavor-resource that is short and in what the asker adds, yet
mostly take away the same workloads in the same order. The order in which queues surface depends on the
asker in two ways only: through the candidates, and through the shares on the asker's own path. So while
a search has taken all it looked at, from queues that have nothing but the root in common with the asker,
the next one need not walk: it checks for each step that these two would not have led it elsewhere.
"""

from typing import NamedTuple

from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger, Share


class Passage(NamedTuple):
    """One step: a target, the share of its side below the root before it left, and the ledger without it.

    ``looked_at`` are the queues whose candidates were looked at for the first time on the way there,
    ``ties`` what was noted.
    """

    target: Target
    before: Share
    left: Ledger
    looked_at: tuple[int, ...]
    ties: tuple[tuple[int, ...], ...]


class Course:
    """The steps of one search from its beginning, for as long as others may follow."""

    __slots__ = ("entitled", "passages", "short")

    def __init__(self, short: frozenset[FlavorResource], entitled: bool) -> None:
        self.short = short
        self.entitled = entitled
        self.passages: list[Passage] = []
