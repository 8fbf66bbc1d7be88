"""Engines: each decides as one real scheduler does, as pure functions over a snapshot."""

from kubectl_fairshare.engines.kueue.engine import KueueEngine
from kubectl_fairshare.model.snapshot import Snapshot


def for_snapshot(snapshot: Snapshot) -> KueueEngine:
    """The engine for the scheduler whose objects the snapshot holds: Kueue's, so far the only one."""
    del snapshot
    return KueueEngine()
