"""The Pod of the options ``--request``, ``--queue`` and the like."""

from collections import Counter
from collections.abc import Sequence

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.described import WishReader, free_name, pod_spec, priority_of
from kubectl_fairshare.schedulers.koordinator.model.amounts import amounts_of, whole
from kubectl_fairshare.schedulers.koordinator.model.names import ASSUMED, QUOTA_NAME
from kubectl_fairshare.schedulers.koordinator.model.objects import DEFAULT_SCHEDULER, KoordinatorState
from kubectl_fairshare.schedulers.question import Wishes


def described_pod(wishes: Wishes, namespace: str, snapshot: Snapshot, context: PodContext) -> Manifest:
    """A Pod made from options; ``--queue`` is its quota. Raises ``UsageError`` with all their mistakes."""
    reader, state = WishReader(), snapshot.part(KoordinatorState)
    for option, value in (("--count", wishes.count), ("--min-count", wishes.min_count)):
        if value is not None:
            reader.wrong(option, "does not describe a pod", "Koordinator's quotas admit pods one by one")
    if wishes.queue is not None and wishes.queue not in {*state.quotas, *ASSUMED}:
        names = sorted(state.quotas)
        remedy = did_you_mean(likely(wishes.queue, names, 1)) or f"the quotas are {quoted(names)}"
        reader.absent("--queue", f"no quota is called `{wishes.queue}`", remedy)
    priority = priority_of(reader, wishes, context.default_priority, context.priority_classes)
    spec: dict[str, Json] = {**pod_spec(reader, wishes), "schedulerName": usual_scheduler(state)}
    reader.check()
    if wishes.priority_class is not None:
        spec["priorityClassName"] = wishes.priority_class
    elif wishes.priority is not None:
        spec["priority"] = priority
    key = ObjectKey("", "Pod", namespace, free_name(namespace, snapshot, "", "Pod"))
    labels = {} if wishes.queue is None else {QUOTA_NAME: wishes.queue}
    metadata: Json = {"namespace": namespace, "name": key.name, "labels": labels}
    return Manifest(key, "v1", {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}, Origin("", 0))


def usual_scheduler(state: KoordinatorState) -> str:
    """The scheduler of the input's profile with the plugin, otherwise of most pods that name a quota."""
    if state.profiles:
        return DEFAULT_SCHEDULER if DEFAULT_SCHEDULER in state.profiles else state.profiles[0]
    names = Counter(pod.scheduler for pod in state.pods if QUOTA_NAME in pod.labels)
    return min(names, key=lambda name: (-names[name], name), default=DEFAULT_SCHEDULER)


def described_size(texts: Sequence[str]) -> dict[str, int]:
    """The request of one pod in inner units: ``cpu=4``; empty without one. Raises ``UsageError`` for mistakes."""
    if not texts:
        return {}
    reader = WishReader()
    spec = pod_spec(reader, Wishes(request=tuple(texts)))
    reader.check()
    requests = spec["containers"][0]["resources"]["requests"]
    return {resource: whole(resource, nano) for resource, nano in amounts_of(requests).items()}
