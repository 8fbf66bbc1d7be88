"""What goes with a deleted object: the objects that it owns, those in a namespace, and the pods on a node.

Source: Kubernetes, "Garbage collection": an object goes once all its owners are gone, and the pods of a deleted Node.
Tested in ``tests/unit/input/test_overlay.py``.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TypedDict

from kubectl_fairshare.jobs.pod_owners import owner_references
from kubectl_fairshare.model.json import Json, mapping
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest


class _OwnedMetadata(TypedDict, total=False):
    uid: Json
    ownerReferences: Json


class _PlacedSpec(TypedDict, total=False):
    nodeName: Json


class _Owned(TypedDict, total=False):
    """The fields that say what an object needs: the others of ten thousand objects are not decoded."""

    metadata: _OwnedMetadata
    spec: _PlacedSpec


def going_with(deleted: Collection[ObjectKey], manifests: Iterable[Manifest]) -> tuple[ObjectKey, ...]:
    """The keys of objects that go with those ``deleted``, sorted. Owners outside of the input count as there."""
    namespaces, nodes = ({key.name for key in deleted if key[:2] == ("", kind)} for kind in ("Namespace", "Node"))
    uids: dict[ObjectKey, str] = {}
    owned: dict[ObjectKey, set[int]] = {}
    dependents: defaultdict[ObjectKey, list[tuple[ObjectKey, int, str]]] = defaultdict(list)
    gone = set(deleted)
    for manifest in manifests if deleted else ():
        key, fields = manifest.key, manifest.passing_fields(_Owned)
        metadata = mapping(fields, "metadata")
        uids[key] = _text(metadata.get("uid"))
        if key.namespace in namespaces or (nodes and _node(key, fields) in nodes):
            gone.add(key)
        owned[key] = set()
        for number, (owner, uid, _) in enumerate(owner_references(fields, key.namespace)):
            owned[key].add(number)
            for namespace in {key.namespace, ""}:
                dependents[owner._replace(namespace=namespace)].append((key, number, uid))
    waiting = [*gone]
    while waiting:
        owner = waiting.pop()
        for key, number, uid in dependents[owner]:
            known = uids.get(owner)
            if not uid or not known or uid == known:
                owned[key].discard(number)
                if not owned[key] and key not in gone:
                    gone.add(key)
                    waiting.append(key)
    return tuple(sorted(gone.difference(deleted)))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _node(key: ObjectKey, fields: dict[str, Json]) -> str:
    """The node of a pod."""
    return _text(mapping(fields, "spec").get("nodeName")) if key[:2] == ("", "Pod") else ""
