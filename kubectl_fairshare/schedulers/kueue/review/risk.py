"""Running workloads with what they hold and who may preempt them.

Tested in ``tests/unit/schedulers/kueue/preemption/test_exposures.py``.
"""

from typing import TypedDict

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Exposure, Exposures
from kubectl_fairshare.model.json import Json, rows
from kubectl_fairshare.schedulers.kueue.explain.preemptors.takers import left_below, takers
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of


class _CountedAssignment(TypedDict, total=False):
    count: Json


class _CountedAdmission(TypedDict, total=False):
    podSetAssignments: list[_CountedAssignment]


class _CountedStatus(TypedDict, total=False):
    admission: _CountedAdmission


class _CountedWorkload(TypedDict, total=False):
    """The fields that say how many pods there are: the others of ten thousand workloads are not decoded."""

    status: _CountedStatus


def exposures(state: State, numbers: PreemptorNumbers) -> Exposures:
    """Every workload that holds quota, sorted by key."""
    holders = sorted(state.kueue.holders, key=lambda holder: holder.key)
    of, doubt, _ = takers(state, numbers, holders)
    return Exposures([_exposure(state, holder, of[holder.key]) for holder in holders], doubt)


def _exposure(state: State, holder: Holder, takers: Preemptors) -> Exposure:
    pairs = frozenset(pair for pair, amount in holder.usage.items() if amount > 0)
    queue = state.forest.queue_ids.get(holder.cluster_queue)
    borrows = queue is not None and state.is_active(queue) and not state.ledger.is_within(queue, pairs)
    holds = tuple(amount_of(pair, holder.usage[pair]) for pair in sorted(pairs))
    below = tuple(amount_of(pair, less) for pair, less in left_below(state, holder)) if borrows else ()
    pods = _pods(state, holder)
    return Exposure(holder.key, holder.cluster_queue, holder.priority, holds, borrows, takers, pods, below)


def _pods(state: State, holder: Holder) -> int:
    """How many pods its admission counts; 1 where that is not known."""
    manifest = state.snapshot.manifests.get(holder.key)
    data = {} if manifest is None else manifest.passing_fields(_CountedWorkload)
    assigned = rows(data, "status", "admission", "podSetAssignments")
    counts = (each.get("count") for each in assigned)
    return sum(count for count in counts if isinstance(count, int)) or 1
