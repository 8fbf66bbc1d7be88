"""The pods behind an object: those that it owns, by ownerReferences, at any depth."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest

_POD = ("", "Pod")
_REPLACING = frozenset({"DaemonSet", "ReplicaSet", "StatefulSet", "ReplicationController", "Node"})
"""Controllers that make a pod again whenever it ends."""


class PodOwners:
    """The ownership among the objects of one input. Owners of one name with different UIDs are different objects."""

    def __init__(self, manifests: Mapping[ObjectKey, Manifest]) -> None:
        self._manifests = manifests
        self._children: dict[ObjectKey, list[ObjectKey]] = defaultdict(list)
        self._controllers: dict[ObjectKey, ObjectKey] = {}
        for key in sorted(manifests):
            for owner, uid, controls in owner_references(manifests[key].data, key.namespace):
                if self._is_owner(owner, uid):
                    self._children[owner].append(key)
                    if controls:
                        self._controllers.setdefault(key, owner)

    def pods(self, key: ObjectKey) -> tuple[ObjectKey, ...]:
        """The pods of an object, sorted; for a pod, the pod itself."""
        return tuple(sorted(k for k in self._below(key) if (k.group, k.kind) == _POD))

    def root(self, key: ObjectKey) -> ObjectKey:
        """The outermost controller of an object that the input has; the object itself if it has none."""
        seen = {key}
        while (owner := self._controllers.get(key)) is not None and owner not in seen:
            key = owner
            seen.add(key)
        return key

    def makers(self) -> Iterator[ObjectKey]:
        """The objects that own others, in the input or not."""
        return iter(sorted(self._children))

    def _is_owner(self, owner: ObjectKey, uid: str) -> bool:
        manifest = self._manifests.get(owner)
        if manifest is None:
            return True
        metadata = manifest.data.get("metadata")
        known = metadata.get("uid") if isinstance(metadata, dict) else None
        return not uid or not known or uid == known

    def _below(self, key: ObjectKey) -> Iterable[ObjectKey]:
        seen, waiting = {key}, [key]
        while waiting:
            for child in self._children.get(waiting.pop(), ()):
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
        return seen


def owner_references(data: JsonObject, namespace: str) -> Iterator[tuple[ObjectKey, str, bool]]:
    """Each owner of an object of the namespace, with its UID, and whether it is the controller.

    An owner that is in no namespace has the same key here. A malformed reference is skipped.
    """
    metadata = data.get("metadata")
    references: Json = metadata.get("ownerReferences") if isinstance(metadata, dict) else None
    for reference in references if isinstance(references, list) else ():
        if isinstance(reference, dict):
            group, _, _ = str(reference.get("apiVersion") or "").rpartition("/")
            kind, name, uid = (str(reference.get(field) or "") for field in ("kind", "name", "uid"))
            if kind and name:
                yield ObjectKey(group, kind, namespace, name), uid, reference.get("controller") is True


def is_made_again(pod: Manifest) -> bool:
    """Whether the controller of a pod makes it again whenever it ends."""
    return any(controls and owner.kind in _REPLACING for owner, _, controls in owner_references(pod.data, ""))
