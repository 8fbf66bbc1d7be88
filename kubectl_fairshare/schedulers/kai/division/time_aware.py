"""The weight of past usage in a round of the division: KAI's own formula with k, or the proposal's.

Both apply to one round. W' is the queue's weight as a part of the weights of all queues with open requests. U' is its
past usage as a part of the whole cluster's capacity.
Why a queue without open requests does not count in W': its weight would take a part from the rest that no job wants.
Source: https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins/proportion/resource_division,
design "time-based fair share"; "kai division" in ``docs/laws.md``.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.fairness import proposed_weights, weights_less_usage
from kubectl_fairshare.schedulers.kai.model.objects import Shard, TimeAware


class Formula(NamedTuple):
    """The formula in use; the proposal's formula has no ``k``."""

    k: float
    kind: TimeAware = TimeAware.KAI

    def parts(self, weights: Sequence[float], usages: Sequence[float]) -> list[float]:
        """The part of each queue, none below 0; a round gives by part ÷ sum of parts."""
        if self.kind is TimeAware.PROPOSAL:
            return proposed_weights(weights, usages)
        return weights_less_usage(weights, usages, self.k)


def formula_of(shard: Shard) -> Formula:
    """The formula that a shard divides by."""
    return Formula(shard.k, shard.time_aware)
