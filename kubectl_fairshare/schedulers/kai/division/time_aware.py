"""How past usage counts in a round of the division: KAI's own formula with k, or the proposal's.

Both are asked one round at a time, with W' the queue's weight as a part of the weights of all that still want
something, and U' what it used as a part of the whole cluster's capacity.
Source: KAI-Scheduler, design "time-based fair share"; "kai division" in ``docs/laws.md``.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.schedulers.kai.model.objects import Shard, TimeAware

_SAME: Final = 1e-9


class Formula(NamedTuple):
    """The formula in use; ``k`` plays no part in the proposal's."""

    k: float
    kind: TimeAware = TimeAware.KAI

    def parts(self, weights: Sequence[float], usages: Sequence[float]) -> list[float]:
        """The part of each queue, none below 0; a round gives by part ÷ sum of parts."""
        if self.kind is TimeAware.PROPOSAL:
            return _proposed(weights, usages)
        return [max(0.0, weight + self.k * (weight - usage)) for weight, usage in zip(weights, usages, strict=True)]


def formula_of(shard: Shard) -> Formula:
    """The formula that a shard divides by."""
    return Formula(shard.k, shard.time_aware)


def _proposed(weights: Sequence[float], usages: Sequence[float]) -> list[float]:
    """``max(W' − U', 0)``; where that leaves nothing of any queue, the weights of those that used exactly theirs.

    For 0 ÷ 0 the proposal says nothing. KAI's formula, of which this is the limit for large k, keeps W' there.
    """
    left = [max(weight - usage, 0.0) for weight, usage in zip(weights, usages, strict=True)]
    if any(left):
        return left
    return [
        weight if math.isclose(weight, usage, rel_tol=_SAME) else 0.0
        for weight, usage in zip(weights, usages, strict=True)
    ]
