"""Objects that others name and that the input lacks: taken as existing, unless the input is complete.

Decides nothing: what a partial input lacks is taken as existing.
Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.jobs.context import NAMESPACE_NAME
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import AdmissionCheck, ResourceFlavor, cluster_key
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.topology import Topology


def with_presumed_namespaces(snapshot: Snapshot) -> Snapshot:
    """The snapshot with the namespaces of its workloads; a presumed namespace has only its name.

    An input without any Namespace is a partial one, whatever was said of it.
    """
    if snapshot.namespaces and snapshot.complete:
        return snapshot
    named = {w.key.namespace for w in snapshot.part(KueueState).pending} - snapshot.namespaces.keys()
    names = {name for name in named if namespace_key(name) not in snapshot.absent}
    namespaces = {**snapshot.namespaces, **{name: {NAMESPACE_NAME: name} for name in sorted(names)}}
    return _with(replace(snapshot, namespaces=namespaces), (namespace_key(name) for name in names))


def namespace_key(name: str) -> ObjectKey:
    """The key of a Namespace."""
    return ObjectKey("", "Namespace", "", name)


def with_presumed_references(snapshot: Snapshot) -> Snapshot:
    """The snapshot with the ResourceFlavors, Topologies and AdmissionChecks that ClusterQueues name.

    A flavor that is presumed has neither labels nor taints, a check is active and of no
    known controller, a topology has levels that are not known.
    """
    if snapshot.complete:
        return snapshot
    state = snapshot.part(KueueState)
    queues = state.cluster_queues.values()
    flavors = {f for q in queues for g in q.groups for f in g.flavors} - state.flavors.keys()
    checks = {c.name for q in queues for c in q.checks} - state.checks.keys()
    topologies = {f.topology for f in state.flavors.values() if f.topology is not None} - state.topologies.keys()
    flavors = {name for name in flavors if cluster_key("ResourceFlavor", name) not in snapshot.absent}
    checks = {name for name in checks if cluster_key("AdmissionCheck", name) not in snapshot.absent}
    topologies = {name for name in topologies if cluster_key("Topology", name) not in snapshot.absent}
    if not (flavors or checks or topologies):
        return snapshot
    kueue = replace(
        state,
        flavors={**state.flavors, **{name: ResourceFlavor(name, {}, (), ()) for name in sorted(flavors)}},
        checks={**state.checks, **{name: AdmissionCheck(name, "", active=True) for name in sorted(checks)}},
        topologies={**state.topologies, **{name: Topology(name, ()) for name in sorted(topologies)}},
    )
    named = (("ResourceFlavor", flavors), ("AdmissionCheck", checks), ("Topology", topologies))
    return _with(snapshot.with_part(kueue), (cluster_key(kind, name) for kind, names in named for name in names))


def _with(snapshot: Snapshot, presumed: Iterable[ObjectKey]) -> Snapshot:
    return replace(snapshot, presumed=snapshot.presumed.union(presumed))
