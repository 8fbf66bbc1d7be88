"""Objects next to the units of a repository: a dump, jobs in a folder of their own. They count where their quotas are.

A kustomization, or a folder that Argo CD or Flux applies, is for one cluster. Objects outside of all of these can
belong to any: work goes to the units that have its queue, or to all if none has it.
Tested in ``tests/unit/input/units/test_beside.py``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.model.json import inside
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest

Objects: TypeAlias = Mapping[ObjectKey, Manifest]
"""The objects of one unit."""
_QUEUES: Final = ("Queue", "Quota", "QuotaTree", "Cohort")
"""How the kinds end that divide a cluster, or lead to those that do."""
_NAMED: Final = (("spec", "queueName"), ("spec", "queue"), ("status", "admission", "clusterQueue"))
"""The fields in which work names its queue."""

_NODE: Final = ("", "Node")
_LIMIT: Final = ("", "ResourceQuota")
_IN_COHORTS: Final = ("ClusterQueue", "Cohort")
_NAMED_BY_OTHERS: Final = ("ResourceFlavor", "WorkloadPriorityClass", "Topology", "AdmissionCheck")
"""Kinds whose objects change nothing unless another object names them."""


def is_queue(key: ObjectKey, schedulers: KnownSchedulers) -> bool:
    """Whether an object is a queue or a quota of a scheduler."""
    return schedulers.is_judged(key.group) and key.kind.endswith(_QUEUES)


def has_queues(objects: Objects, schedulers: KnownSchedulers) -> bool:
    """Whether one of the objects is a queue or a quota."""
    return any(is_queue(key, schedulers) for key in objects)


def belonging(units: Sequence[Objects], schedulers: KnownSchedulers) -> Callable[[Manifest, int], bool]:
    """Whether an object next to the units belongs to the one with a number."""
    names = [{(key.namespace, key.name) for key in objects if is_queue(key, schedulers)} for objects in units]
    known = set().union(*names) if names else set()

    def belongs(manifest: Manifest, number: int) -> bool:
        space = manifest.key.namespace
        asked = {at for name in _queue_names(manifest, schedulers) for at in ((space, name), ("", name))} & known
        return not asked or not asked.isdisjoint(names[number])

    return belongs


def counting(objects: Objects, schedulers: KnownSchedulers) -> Callable[[Manifest], bool]:
    """Whether an answer about ``objects`` can rest on one more: on a queue, a node, what is in a namespace of theirs.

    Work counts if it names one of their queues, a cohort and a queue in one if they share it, another queue if it is of
    the scheduler of one of theirs. What they name themselves and lack is a gap of its own. Nodes next to theirs, and
    pods on them, are of another cluster: who lists nodes lists all. Objects of another scheduler alone decide nothing,
    and a name of one of its queues is not one of theirs. Its pods that wait count in ResourceQuotas alone.
    """
    asked_of, decides = _asked_of(objects, schedulers), _deciding(objects, schedulers)
    groups = {key.group for key in objects if is_queue(key, schedulers)}
    nodes = {key.name for key in objects if key[:2] == _NODE}
    cohorts = {name for each in objects.values() for name in _cohorts(each)}
    spaces = {key.namespace for key in objects if key.namespace}
    names = {(key.namespace, key.name) for key in objects if is_queue(key, schedulers)}

    def counts(manifest: Manifest) -> bool:
        key = manifest.key
        if not decides(manifest):
            return False
        if key.kind in _IN_COHORTS:
            return not cohorts.isdisjoint(_cohorts(manifest))
        if is_queue(key, schedulers):
            return not groups or key.group in groups
        if key[:2] == _NODE:
            return not nodes
        if key.kind == "Namespace":
            return key.name in spaces
        if nodes and (at := inside(manifest.data, "spec", "nodeName")):
            return at in nodes
        if any(True for _ in _queue_names(manifest, schedulers)):
            asked = _queue_names(manifest, asked_of)
            return any(not names.isdisjoint({("", name), (key.namespace, name)}) for name in asked)
        return not key.namespace or key.namespace in spaces

    return counts


def _deciding(objects: Objects, schedulers: KnownSchedulers) -> Callable[[Manifest], bool]:
    """Whether one more object can decide anything, wherever it is."""
    asked_of = _asked_of(objects, schedulers)
    known = schedulers if any(True for _ in asked_of) else asked_of
    others = {each.scheduler for each in known} - {each.scheduler for each in asked_of} - {""}
    limited = any(key[:2] == _LIMIT for key in objects)

    def decides(manifest: Manifest) -> bool:
        key = manifest.key
        if key.kind in _NAMED_BY_OTHERS or not schedulers.decides(key.group, key.kind):
            return False
        if key.kind == "PriorityClass":
            return manifest.data.get("globalDefault") is True
        if _is_foreign(key.group, asked_of, known):
            return False
        return limited or inside(manifest.data, "spec", "schedulerName") not in others or _is_placed(manifest)

    return decides


def _asked_of(objects: Objects, schedulers: KnownSchedulers) -> KnownSchedulers:
    """The schedulers that have a queue among the objects."""
    return KnownSchedulers(
        each
        for each in schedulers
        if any(key.group in each.namespaced and key.kind.endswith(_QUEUES) for key in objects)
    )


def _is_placed(manifest: Manifest) -> bool:
    return bool(inside(manifest.data, "spec", "nodeName"))


def _is_foreign(group: str, asked_of: KnownSchedulers, schedulers: KnownSchedulers) -> bool:
    """Whether a group is of other schedulers than those that are asked."""

    def owned(known: KnownSchedulers) -> bool:
        return known.is_judged(group) or known.has_one(group)

    return owned(schedulers) and not owned(asked_of)


def _cohorts(manifest: Manifest) -> Iterator[str]:
    """The cohorts that an object is, is in, or is below."""
    if manifest.key.kind not in _IN_COHORTS:
        return
    if manifest.key.kind == "Cohort":
        yield manifest.key.name
    for field in ("cohortName", "cohort", "parentName"):
        value = inside(manifest.data, "spec", field)
        if isinstance(value, str) and value:
            yield value


def _queue_names(manifest: Manifest, schedulers: KnownSchedulers) -> Iterator[str]:
    """The names of queues that an object gives: in labels of a scheduler's domain, or in fields."""
    data = manifest.data
    labels = inside(data, "metadata", "labels")
    for label, value in labels.items() if isinstance(labels, dict) else ():
        domain = label.partition("/")[0]
        if isinstance(value, str) and any(domain.endswith(own) for own in schedulers.spared.domains):
            yield value
    for path in _NAMED:
        value = inside(data, *path)
        if isinstance(value, str):
            yield value
