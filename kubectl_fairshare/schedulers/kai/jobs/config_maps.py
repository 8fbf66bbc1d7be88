"""The ConfigMaps without which KAI leaves a pod waiting: those that it mounts or reads, unless they are optional.

Source: KAI-Scheduler v0.17, predicate ConfigMap; "kai solver" in ``docs/laws.md``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model.json import JsonObject

_EVERYWHERE: Final = frozenset({"kube-root-ca.crt", "openshift-service-ca.crt"})
"""ConfigMaps that a cluster makes in each namespace."""
_SHARED_GPU: Final = "runai/shared-gpu-configmap"


def required_config_maps(pod: JsonObject) -> frozenset[str]:
    """The names of the ConfigMaps that the pod needs, without those that its cluster or KAI makes."""
    spec, metadata = pod.get("spec") or {}, pod.get("metadata") or {}
    containers = [*(spec.get("initContainers") or ()), *(spec.get("containers") or ())]
    shared = (metadata.get("annotations") or {}).get(_SHARED_GPU)
    found = [*_mounted(spec, containers), *(one for container in containers for one in _environment(container))]
    names = {str(one.get("name")) for one in found if one.get("name") and not one.get("optional")}
    return frozenset(name for name in names - _EVERYWHERE if not shared or not name.startswith(str(shared)))


def _mounted(spec: JsonObject, containers: list[JsonObject]) -> Iterator[JsonObject]:
    """The ConfigMaps of volumes that some container mounts."""
    mounts = {mount.get("name") for container in containers for mount in container.get("volumeMounts") or ()}
    for volume in spec.get("volumes") or ():
        if volume.get("name") in mounts:
            yield volume.get("configMap") or {}
            for source in (volume.get("projected") or {}).get("sources") or ():
                yield source.get("configMap") or {}


def _environment(container: JsonObject) -> Iterator[JsonObject]:
    for variable in container.get("env") or ():
        yield (variable.get("valueFrom") or {}).get("configMapKeyRef") or {}
    for source in container.get("envFrom") or ():
        yield source.get("configMapRef") or {}
