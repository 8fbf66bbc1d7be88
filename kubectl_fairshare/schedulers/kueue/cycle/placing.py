"""The snapshot of a question: the workload is added to the others, or replaces its own old version."""

from collections.abc import Iterable
from dataclasses import replace

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kueue.gaps import NAME_LABEL
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


def with_presumed_namespaces(snapshot: Snapshot) -> tuple[Snapshot, bool]:
    """The snapshot with the namespaces of its workloads, and whether these had to be assumed.

    An input without a Namespace is a partial export: the namespaces of its workloads are assumed to exist, with the
    one label that every namespace has. An input with one Namespace is taken to have all of them.
    """
    if snapshot.namespaces:
        return snapshot, False
    names = sorted({w.key.namespace for w in snapshot.part(KueueState).pending})
    return replace(snapshot, namespaces={name: {NAME_LABEL: name} for name in names}), bool(names)


def with_only_pending(snapshot: Snapshot, keys: Iterable[ObjectKey]) -> Snapshot:
    """The snapshot in which only the workloads of ``keys`` are pending."""
    kept = frozenset(keys)
    pending = tuple(w for w in snapshot.part(KueueState).pending if w.key in kept)
    return snapshot.with_part(replace(snapshot.part(KueueState), pending=pending))
