"""The PodGroups behind an object: a pod's own, and those of everything that a job owns.

Source: KAI-Scheduler v0.17, documentation of the pod grouper: a PodGroup names the outermost owner of its pods, and
each pod names its PodGroup in an annotation.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.kinds import POD_MAKERS
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.subjects import Subjects

KINDS: Final = frozenset(
    {
        (QUEUE_GROUP, "PodGroup"),
        ("", "Pod"),
        ("", "PodTemplate"),
        *(each.name for each in POD_MAKERS if each.grouped),
        ("serving.knative.dev", "Service"),
    }
)
"""Group and kind of the objects that a question may name: those that KAI's pod grouper knows, and KAI's own."""
_OTHERS: Final = ((QUEUE_GROUP, "Queue"), (CONFIG_GROUP, "SchedulingShard"))


class Owners:
    """The ownership among the objects of one input."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._manifests = snapshot.manifests
        self._state = snapshot.part(KaiState)

    @cached_property
    def _children(self) -> dict[ObjectKey, list[ObjectKey]]:
        """The objects that each object owns, by their ownerReferences."""
        children: dict[ObjectKey, list[ObjectKey]] = defaultdict(list)
        for manifest in self._manifests.values():
            for owner in _owners(manifest):
                children[owner].append(manifest.key)
        return children

    @cached_property
    def _group_of(self) -> dict[ObjectKey, ObjectKey]:
        """The PodGroup of each pod, if it is in the input."""
        groups = {group.name: group.key for group in self._state.pod_groups}
        return {pod.key: groups[pod.group] for pod in self._state.pods if pod.group in groups}

    @property
    def subjects(self) -> Subjects:
        """The objects that a name can mean, including owners that only an ownerReference names."""
        keys = {key for key in (*self._manifests, *self._children) if (key.group, key.kind) in KINDS}
        return Subjects(tuple(sorted(keys)), KINDS, _OTHERS, self.groups)

    def groups(self, key: ObjectKey) -> tuple[ObjectKey, ...]:
        """The PodGroups behind an object, sorted."""
        if (key.group, key.kind) == (QUEUE_GROUP, "PodGroup"):
            return (key,)
        if key in self._group_of:
            return (self._group_of[key],)
        return tuple(sorted({group for below in self._below(key) for group in self._named_group(below)}))

    def _named_group(self, key: ObjectKey) -> Iterator[ObjectKey]:
        if (key.group, key.kind) == (QUEUE_GROUP, "PodGroup"):
            yield key
        elif key in self._group_of:
            yield self._group_of[key]

    def _below(self, key: ObjectKey) -> list[ObjectKey]:
        """All descendants of an object. Iterative, because references can form a circle."""
        seen = dict.fromkeys(self._children.get(key, ()))
        waiting = list(seen)
        while waiting:
            for child in self._children.get(waiting.pop(), ()):
                if child not in seen:
                    seen[child] = None
                    waiting.append(child)
        return list(seen)


def _owners(manifest: Manifest) -> Iterator[ObjectKey]:
    """The owners of an object; a reference without kind or name is skipped."""
    for reference in root_of(manifest).at("metadata", "ownerReferences").entries():
        group, _, _ = reference.at("apiVersion").text().rpartition("/")
        kind, name = reference.at("kind").text(), reference.at("name").text()
        if kind and name:
            yield ObjectKey(group, kind, manifest.key.namespace, name)
