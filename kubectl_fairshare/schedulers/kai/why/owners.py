"""Which PodGroups stand behind an object: that of a pod, and those of all that a job owns.

Source: KAI-Scheduler v0.17, documentation of the pod grouper: a PodGroup names the outermost owner of its pods, and
each pod names its PodGroup in an annotation.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kai.model.objects import CONFIG_GROUP, QUEUE_GROUP, KaiState
from kubectl_fairshare.schedulers.subjects import Subjects

_KUBEFLOW: Final = ("JAXJob", "MPIJob", "Notebook", "PyTorchJob", "TFJob", "XGBoostJob")
KINDS: Final = frozenset(
    {
        (QUEUE_GROUP, "PodGroup"),
        ("", "Pod"),
        ("", "PodTemplate"),
        *(("batch", kind) for kind in ("Job", "CronJob")),
        *(("apps", kind) for kind in ("Deployment", "ReplicaSet", "StatefulSet")),
        *(("kubeflow.org", kind) for kind in _KUBEFLOW),
        *(("ray.io", kind) for kind in ("RayCluster", "RayJob", "RayService")),
        ("jobset.x-k8s.io", "JobSet"),
        ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
        ("sparkoperator.k8s.io", "SparkApplication"),
        ("serving.knative.dev", "Service"),
    }
)
"""Group and kind of what may be asked about: the kinds that KAI's pod grouper knows, and its own."""
_OTHERS: Final = ((QUEUE_GROUP, "Queue"), (CONFIG_GROUP, "SchedulingShard"))


class Owners:
    """Who owns whom among the objects of one input."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._manifests = snapshot.manifests
        self._state = snapshot.part(KaiState)

    @cached_property
    def _children(self) -> dict[ObjectKey, list[ObjectKey]]:
        """What each object owns, by the names in ownerReferences."""
        children: dict[ObjectKey, list[ObjectKey]] = defaultdict(list)
        for manifest in self._manifests.values():
            for owner in _owners(manifest):
                children[owner].append(manifest.key)
        return children

    @cached_property
    def _group_of(self) -> dict[ObjectKey, ObjectKey]:
        """The PodGroup of each pod that names one of the input."""
        groups = {group.name: group.key for group in self._state.pod_groups}
        return {pod.key: groups[pod.group] for pod in self._state.pods if pod.group in groups}

    @property
    def subjects(self) -> Subjects:
        """What names may mean; an owner that only others name counts as well."""
        keys = {key for key in (*self._manifests, *self._children) if (key.group, key.kind) in KINDS}
        return Subjects(tuple(sorted(keys)), KINDS, _OTHERS, self.groups)

    def groups(self, key: ObjectKey) -> tuple[ObjectKey, ...]:
        """The PodGroups behind an object, sorted."""
        if (key.group, key.kind) == (QUEUE_GROUP, "PodGroup"):
            return (key,)
        if key in self._group_of:
            return (self._group_of[key],)
        return tuple(sorted({group for below in self._below(key) for group in self._named(below)}))

    def _named(self, key: ObjectKey) -> Iterator[ObjectKey]:
        if (key.group, key.kind) == (QUEUE_GROUP, "PodGroup"):
            yield key
        elif key in self._group_of:
            yield self._group_of[key]

    def _below(self, key: ObjectKey) -> list[ObjectKey]:
        """All that an object owns, and what that owns; without recursion, as a circle may be written."""
        seen = dict.fromkeys(self._children.get(key, ()))
        waiting = list(seen)
        while waiting:
            for child in self._children.get(waiting.pop(), ()):
                if child not in seen:
                    seen[child] = None
                    waiting.append(child)
        return list(seen)


def _owners(manifest: Manifest) -> Iterator[ObjectKey]:
    """Who owns an object; an owner that says no kind or name is none."""
    for reference in root_of(manifest).at("metadata", "ownerReferences").entries():
        group, _, _ = reference.at("apiVersion").text().rpartition("/")
        kind, name = reference.at("kind").text(), reference.at("name").text()
        if kind and name:
            yield ObjectKey(group, kind, manifest.key.namespace, name)
