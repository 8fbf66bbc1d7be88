"""What Kueue does when a policy changes and a simulation does not play.

Decides nothing: what is not played when a policy changes.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Iterable, Iterator

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.gaps import queue_deletion
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State


def changed_gaps(before: State, after: State, holders: Iterable[Holder]) -> Iterator[Gap]:
    """What Kueue does when a policy changes and a simulation does not play; ``holders`` run while it changes."""
    old, new = before.kueue, after.kueue
    if old.configuration != new.configuration:
        yield Gap("ConfigurationOverTime", (), touches=True)
    if _ground(old) != _ground(new):
        yield Gap("NodesOverTime", (), touches=True)
    both = sorted(old.cluster_queues.keys() & new.cluster_queues.keys())
    scopes = [n for n in both if old.cluster_queues[n].admission_scope != new.cluster_queues[n].admission_scope]
    if scopes and after.past is not None:
        places = tuple(Place(new.cluster_queues[n].key, ("spec", "admissionScope")) for n in scopes)
        yield Gap("AdmissionScopeOverTime", places, touches=True)
    yield from map(queue_deletion, sorted({h.cluster_queue for h in holders}.difference(new.cluster_queues)))


def _ground(kueue: KueueState) -> tuple[object, ...]:
    """What decides about room on nodes next to the workloads; nothing where no topology places pods."""
    if all(flavor.topology is None for flavor in kueue.flavors.values()):
        return ()
    return kueue.nodes, kueue.occupied, kueue.pods_given, kueue.topologies
