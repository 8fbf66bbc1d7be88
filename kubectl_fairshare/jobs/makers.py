"""Which objects make pods, whatever their kind: by the fields that describe pods."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.manifest import Manifest

_ITSELF: Final = frozenset({"Pod", "PodGroup", "Workload"})
_FIELDS: Final = frozenset(
    {"components", "containers", "driver", "jobTemplate", "podSets", "podTemplate", "runtimeRef", "template"}
)
_CORE: Final = frozenset({"PodTemplate", "ReplicationController"})
"""The kinds of Kubernetes' core group that make pods."""
_OTHERS: Final = (
    *("apiextensions.k8s.io", "argoproj.io", "cluster.x-k8s.io", "external-secrets.io", "karpenter.sh", "kyverno.io"),
    *("machine.openshift.io", "templates.gatekeeper.sh"),
)
"""API groups whose objects have templates of other things."""
_DEEPEST: Final = 8


def jobs_among(manifests: Sequence[Manifest]) -> tuple[list[Manifest], list[Manifest]]:
    """The objects that make pods, and the others next to them; where none makes pods, all and nothing."""
    jobs = [manifest for manifest in manifests if makes_pods(manifest)]
    return (jobs, [m for m in manifests if not makes_pods(m)]) if jobs else (list(manifests), [])


def makes_pods(manifest: Manifest) -> bool:
    """Whether an object is a pod, a workload, or has a field that describes pods."""
    if manifest.key.kind in _ITSELF:
        return True
    if manifest.key.kind == "DaemonSet":  # no scheduler here queues them
        return False
    if not manifest.key.group and manifest.key.kind not in _CORE:
        return False
    return manifest.key.group not in _OTHERS and _describes_pods(manifest.data.get("spec"), 0)


def _describes_pods(value: Json, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    if isinstance(value, dict):
        return not _FIELDS.isdisjoint(value) or any(_describes_pods(each, depth + 1) for each in value.values())
    return isinstance(value, list) and any(_describes_pods(each, depth + 1) for each in value)
