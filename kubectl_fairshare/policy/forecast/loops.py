"""Who evicts whom in a play that was broken off, as jobs evict each other without end.

Why not from the first eviction on: a burst of arrivals may be the first ten of 10,000, and does not belong to the loop.
The last ones count, in which each pair comes again and again.
Tested in ``tests/unit/policy/forecast/test_endless_plays.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.model.phrases import some_of

_LAST: Final = 200
"""How many evictions are looked at: the thousands before it was broken off are all of the loop."""
_SHOWN: Final = 3


def loop_of(simulation: Simulation) -> Iterator[str]:
    """A sentence for each job for which others are evicted at the end, with the rules; the first by name."""
    every = sorted((e.at, each.job.key, e.by, e.rule) for each in simulation.jobs for e in each.evictions)
    victims: dict[str, dict[str, None]] = {}
    rules: dict[str, dict[str, None]] = {}
    for _, victim, by, rule in every[-_LAST:]:
        victims.setdefault(by, {})[victim] = None
        rules.setdefault(by, {})[rule] = None
    for by in sorted(victims)[:_SHOWN]:
        evicted = some_of(sorted(victims[by]), _SHOWN)
        yield f"{by or 'the scheduler'} evicts {evicted} ({', '.join(rules[by])})"
