"""The ConfigMaps without which KAI leaves a pod waiting: those that it mounts or reads, unless they are optional.

Source: KAI-Scheduler v0.17, predicate ConfigMap; "kai solver" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.model.json import Json, JsonObject, mappings

_EVERYWHERE: Final = frozenset({"kube-root-ca.crt", "openshift-service-ca.crt"})
"""ConfigMaps that a cluster makes in each namespace."""
_SHARED_GPU: Final = "runai/shared-gpu-configmap"


def required_config_maps(pod: JsonObject) -> frozenset[str]:
    """The names of the ConfigMaps that the pod needs, without those that its cluster or KAI makes."""
    spec, metadata = _mapping(pod.get("spec")), _mapping(pod.get("metadata"))
    containers = [*mappings(spec.get("initContainers")), *mappings(spec.get("containers"))]
    shared = _mapping(metadata.get("annotations")).get(_SHARED_GPU)
    found = [*_mounted(spec, containers), *(one for container in containers for one in _environment(container))]
    names = {str(one.get("name")) for one in found if one.get("name") and not one.get("optional")}
    return frozenset(name for name in names - _EVERYWHERE if not shared or not name.startswith(str(shared)))


def _mounted(spec: JsonObject, containers: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """The ConfigMaps of volumes that some container mounts."""
    mounts = {str(mount.get("name")) for each in containers for mount in mappings(each.get("volumeMounts"))}
    for volume in mappings(spec.get("volumes")):
        if volume.get("name") in mounts:
            yield _mapping(volume.get("configMap"))
            for source in mappings(_mapping(volume.get("projected")).get("sources")):
                yield _mapping(source.get("configMap"))


def _environment(container: JsonObject) -> Iterator[JsonObject]:
    for variable in mappings(container.get("env")):
        yield _mapping(_mapping(variable.get("valueFrom")).get("configMapKeyRef"))
    for source in mappings(container.get("envFrom")):
        yield _mapping(source.get("configMapRef"))


def _mapping(value: Json) -> JsonObject:
    """The value if it is a mapping; an API server stores no other type here."""
    return value if isinstance(value, dict) else {}
