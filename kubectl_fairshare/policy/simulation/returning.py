"""Whether jobs take turns at evicting each other without end: the same work runs again and again, at one distance.

A play of which nothing but that is left would go on until it is broken off after thousands of evictions.
Tested in ``tests/unit/policy/forecast/test_endless_plays.py``.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from kubectl_fairshare.policy.simulation.work import WorkUnit

_ROUNDS: Final = 100
"""How often: a backoff that grows has come to its longest by then."""


class Returning:
    """What ran after each eviction since a job came or ended, and when."""

    def __init__(self) -> None:
        self._seen: dict[frozenset[tuple[str, int | None]], list[int]] = {}

    def forget(self) -> None:
        """Something comes, ends, or is stopped by other than a job: what follows may be another course."""
        self._seen.clear()

    def note(self, units: Mapping[str, WorkUnit], now: int) -> bool:
        """Notes what runs after evictions; returns whether that comes again without end.

        It does not while something runs on through all rounds that ends one day.
        """
        running = {name: unit for name, unit in units.items() if unit.since is not None}
        times = self._seen.setdefault(frozenset((name, unit.remaining) for name, unit in running.items()), [])
        times.append(now)
        last = times[-_ROUNDS:]
        if len(last) < _ROUNDS or len({later - before for before, later in pairwise(last)}) > 1:
            return False
        return all(each.remaining is None or each.since is None or each.since > last[0] for each in running.values())
