"""Whether the state changed after the cluster last recorded something about a workload.

Tested in ``tests/unit/cli/test_why_states.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.jobs.record import Record, is_workload, record_of
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.why.verdict import Moved


def newer_than(state: State, cluster_queue: str, itself: ObjectKey, after: int) -> Moved | None:
    """The last time that another workload of the same tree came or went, if that is not before ``after``.

    ``after`` is in nanoseconds since the epoch. Servers record whole seconds, so the order within a second is unknown.
    """
    queue = state.forest.queue_ids.get(cluster_queue)
    if queue is None:
        return None
    nodes = state.forest.nodes
    tree = {nodes[n].name for n in state.forest.queues_below(state.forest.root(queue))}
    moves = (move for move in _moves(state, tree) if move.workload != itself and move.moment >= after)
    return max(moves, key=lambda m: (m.moment, m.workload), default=None)


def _moves(state: State, tree: set[str]) -> Iterator[Moved]:
    for holder in state.kueue.holders:
        if holder.cluster_queue in tree:
            yield Moved(holder.key, holder.reserved, "QuotaReserved")
    waiting = {w.key: state.cluster_queue_of(w) for w in state.kueue.pending}
    for key, manifest in state.snapshot.manifests.items():
        if is_workload(key):
            record = record_of(manifest)
            if waiting.get(key, record.cluster_queue) in tree:
                yield from _departures(key, record)


def _departures(key: ObjectKey, record: Record) -> Iterator[Moved]:
    """When a workload released its quota: it finished, or was evicted and has left."""
    finished, reserved, evicted = (record.condition(kind) for kind in ("Finished", "QuotaReserved", "Evicted"))
    if finished is not None and finished.holds and finished.moment is not None:
        yield Moved(key, finished.moment, "Finished")
    elif evicted is not None and reserved is not None and not reserved.holds and reserved.moment is not None:
        yield Moved(key, reserved.moment, "Evicted")
