"""The largest amount with which a job gets in, and the least change of bounds that does the same.

Tested in ``tests/unit/schedulers/kai/explain/test_smaller.py``.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.kai.explain.alternatives import Alternative
from kubectl_fairshare.schedulers.kai.explain.decision import Remedy

Helped = Callable[[Alternative], Remedy | None]
"""What a change comes to; None if it does not help."""
_Tried = Callable[[int], Remedy | None]
_EACH: Final = 8
"""So many amounts are tried one by one: among others the search expects that a smaller one helps, too."""


def largest_sizes(high: int, tried: _Tried, guesses: Iterable[int] = ()) -> Iterator[Remedy]:
    """The remedy of the largest size from 1 to ``high`` without evictions, and that of a larger one with evictions."""
    known = cache(tried)
    now = _largest(1, high, lambda size: is_admitted(known(size)), guesses)
    after = _largest(now + 1, high, lambda size: known(size) is not None, guesses)
    for size in (now, after):
        remedy = known(size) if size else None
        if remedy is not None:
            yield remedy


def _largest(low: int, high: int, holds: Callable[[int], bool], guesses: Iterable[int]) -> int:
    if high - low < _EACH:
        return next((size for size in range(high, low - 1, -1) if holds(size)), 0)
    return largest(low, high, holds, guesses) or 0


def is_admitted(remedy: Remedy | None) -> bool:
    """Whether the change admits the job without evictions."""
    return remedy is not None and remedy.outcome is Outcome.ADMITTED


def is_as_good(remedy: Remedy | None, other: Remedy) -> bool:
    """Whether a change helps, and takes the pods of no more jobs than another one."""
    return remedy is not None and remedy.victims + remedy.moved <= other.victims + other.moved
