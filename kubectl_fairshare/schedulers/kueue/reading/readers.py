"""Kueue's objects as typed values, without values that cannot be compared or sorted.

The fast readers trust what a server has stored, but a person may have changed a dump. Each function raises
``MisreadError`` if a name is not text, or if a number that is compared or added is not whole.

Tested in ``tests/unit/schedulers/kueue/reading/test_exact_amounts.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.json import Json, inside
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import LabelSelector
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Cohort, LocalQueue, ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.reading import holders, typed
from kubectl_fairshare.schedulers.kueue.reading.typed import MisreadError
from kubectl_fairshare.schedulers.kueue.reading.workload_fields import WorkloadFields


def cluster_queue(manifest: Manifest) -> ClusterQueue:
    """A ClusterQueue."""
    data = manifest.passing_data
    found = typed.cluster_queue(data)
    _texts("`cohortName`", (found.cohort or "",))
    _check_groups(inside(data, "spec", "resourceGroups"))
    for check in found.checks:
        _texts("`admissionChecks`", (check.name, *check.on_flavors))
    _selector(found.namespace_selector)
    if found.preemption.max_priority_threshold is not None:
        _whole("`maxPriorityThreshold`", (found.preemption.max_priority_threshold,))
    return found


@once_for_equal
def _check_groups(written: Json) -> None:
    groups, quotas, _ = typed.resource_groups(written)
    for group in groups:
        _texts("`resourceGroups`", (*group.covered, *group.flavors))
    _pairs(quotas)
    if any(FlavorResource(f, r) not in quotas for g in groups for f in g.flavors for r in g.covered):
        raise MisreadError("`resourceGroups`: not every flavor has every covered resource")


def cohort(manifest: Manifest) -> Cohort:
    """A Cohort."""
    found = typed.cohort(manifest.passing_data)
    _texts("`parentName`", (found.parent or "",))
    _pairs(found.quotas)
    return found


def local_queue(manifest: Manifest) -> LocalQueue:
    """A LocalQueue."""
    found = typed.local_queue(manifest.passing_data)
    _texts("`clusterQueue`", (found.cluster_queue or "",))
    return found


def resource_flavor(manifest: Manifest) -> ResourceFlavor:
    """A ResourceFlavor."""
    found = typed.resource_flavor(manifest.data)
    _texts("`nodeLabels`", (*found.node_labels, *found.node_labels.values()))
    for taint in found.node_taints:
        _texts("`nodeTaints`", (taint.key, taint.value, taint.effect))
    for toleration in found.tolerations:
        _texts("`tolerations`", (toleration.key, toleration.operator, toleration.value, toleration.effect))
    _texts("`topologyName`", (found.topology or "",))
    return found


def workload(
    key: ObjectKey, fields: WorkloadFields, *, reclaims: bool = True, clamped: bool = True
) -> Holder | holders.Stage:
    """A workload that holds quota; for another workload its stage: see ``holders.read``."""
    found = holders.read(key, fields, reclaims=reclaims, clamped=clamped)
    if isinstance(found, holders.Stage):
        return found
    names = (found.cluster_queue, found.local_queue, found.uid)
    if not (names[0].__class__ is names[1].__class__ is names[2].__class__ is str):
        _texts("the name of a queue, or the uid,", names)
    if found.priority.__class__ is not int:
        _whole("`priority` or `count`", (found.priority,))
    return found


def priority(manifest: Manifest) -> tuple[str, int]:
    """The name and value of a WorkloadPriorityClass."""
    value = manifest.data.get("value")
    if not isinstance(value, int) or isinstance(value, bool):
        raise MisreadError("`value` must be a whole number")
    return manifest.key.name, value


def _selector(selector: LabelSelector | None) -> None:
    for requirement in selector.requirements if selector is not None else ():
        _texts("`namespaceSelector`", (requirement.key, requirement.operator, *requirement.values))


def _pairs(pairs: Iterable[FlavorResource]) -> None:
    for flavor, resource in pairs:
        if flavor.__class__ is not str or resource.__class__ is not str:
            raise MisreadError("the name of a flavor or a resource must be text")


def _texts(what: str, values: Iterable[Json]) -> None:
    for value in values:
        if value.__class__ is not str:
            raise MisreadError(f"{what} must be text")


def _whole(what: str, values: Iterable[Json]) -> None:
    for value in values:
        if value.__class__ is not int:
            raise MisreadError(f"{what} must be a whole number")
