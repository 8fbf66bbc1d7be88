"""The snapshot of a question: the workload is added to the others, or replaces its own old version.

Decides nothing: it puts the workload of a question next to those that wait.
Tested in ``tests/unit/schedulers/kueue/words/screens/test_plan.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending


def with_pending(snapshot: Snapshot, workloads: Iterable[Pending], replaced: Iterable[ObjectKey] = ()) -> Snapshot:
    """The snapshot with ``workloads`` pending, without objects with the same keys and without ``replaced``."""
    added = tuple(workloads)
    gone = {*replaced, *(w.key for w in added)}
    state = snapshot.part(KueueState)
    pending = [w for w in state.pending if w.key not in gone]
    kueue = replace(
        state,
        holders=tuple(h for h in state.holders if h.key not in gone),
        pending=tuple(sorted([*pending, *added], key=lambda w: w.key)),
    )
    return snapshot.with_part(kueue)


def with_only_pending(snapshot: Snapshot, keys: Iterable[ObjectKey]) -> Snapshot:
    """The snapshot in which only the workloads of ``keys`` are pending."""
    kept = frozenset(keys)
    pending = tuple(w for w in snapshot.part(KueueState).pending if w.key in kept)
    return snapshot.with_part(replace(snapshot.part(KueueState), pending=pending))
