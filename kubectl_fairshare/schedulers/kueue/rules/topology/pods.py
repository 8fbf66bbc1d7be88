"""Pods that a topology does not see."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.model.json import mapping, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_TELLING = tuple(
    f"{GROUP}/podset-{name}"
    for name in ("required-topology", "preferred-topology", "unconstrained-topology", "slice-required-topology")
)
_LAYERS = f"{GROUP}/podset-slice-required-topology-constraints"
_QUEUE = f"{GROUP}/queue-name"


@warning_rule("K201")
def unmanaged_pod_with_topology(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Pod that Kueue does not manage and whose annotation makes it invisible to placement."""
    if not given.configuration.topology:
        return
    for pod in given.manifests("Pod"):
        annotations = mapping(pod.data, "metadata", "annotations")
        name = next((each for each in (*_TELLING, _LAYERS) if each in annotations), None)
        owned = bool(rows(pod.data, "metadata", "ownerReferences"))
        managed = given.context.manages_namespace(pod.key.namespace)
        queued = owned or _QUEUE in mapping(pod.data, "metadata", "labels")
        queued = queued or pod.key.namespace in given.context.default_queues
        if name is not None and not (managed and queued):
            why = "has no queue" if managed else "is in a namespace that Kueue does not manage"
            yield Finding(
                Place(pod.key, ("metadata", "annotations", name)),
                f"Pod `{pod.key.namespace}/{pod.key.name}` {why}: Kueue counts neither its quota nor the room that it "
                "takes of a Node",
                Remedy("remove the annotation: then Kueue sees the room that it takes"),
            )
