"""The Pod of the options ``--request`` and the like.

Tested in ``tests/unit/schedulers/elasticquota/test_house.py``.
"""

from collections import Counter
from collections.abc import Sequence

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.described import (
    RESOURCE_NAME,
    WishReader,
    comma_separated,
    free_name,
    pod_spec,
    priority_of,
)
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER, ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, is_held
from kubectl_fairshare.schedulers.question import Wishes


def described_pod(wishes: Wishes, namespace: str, snapshot: Snapshot, context: PodContext) -> Manifest:
    """A Pod made from options. Raises ``UsageError`` with all their mistakes."""
    reader = WishReader()
    for option, value in (("--queue", wishes.queue), ("--count", wishes.count), ("--min-count", wishes.min_count)):
        if value is not None:
            reader.wrong(option, "does not describe a pod", "ElasticQuotas admit pods one by one: use `-n`")
    priority = priority_of(reader, wishes, context.default_priority, context.priority_classes)
    spec: dict[str, Json] = {
        **pod_spec(reader, wishes),
        "schedulerName": usual_scheduler(snapshot.part(ElasticQuotaState)),
    }
    _check_names(reader, wishes.request)
    reader.check()
    if wishes.priority_class is not None:
        spec["priorityClassName"] = wishes.priority_class
    elif wishes.priority is not None:
        spec["priority"] = priority
    key = ObjectKey("", "Pod", namespace, free_name(namespace, snapshot, "", "Pod"))
    data = {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": namespace, "name": key.name}, "spec": spec}
    return Manifest(key, "v1", data, Origin("", 0))


def usual_scheduler(state: ElasticQuotaState) -> str:
    """The input's first profile with the plugin, otherwise the scheduler of most pods in namespaces with a quota."""
    if state.profiles:
        return state.profiles[0]
    names = Counter(pod.scheduler for pod in state.pods if pod.namespace in state.quotas)
    return min(names, key=lambda name: (-names[name], name), default=DEFAULT_SCHEDULER)


def _check_names(reader: WishReader, texts: Sequence[str]) -> None:
    """Records names that no API server accepts in a container, and that the scheduler would ignore."""
    for part in comma_separated(texts):
        name = part.partition("=")[0]
        if name == PODS or (RESOURCE_NAME.fullmatch(name) is not None and not is_held(name)):
            remedy = "write it with its domain: `nvidia.com/gpu=1`; or `cpu`, `memory`, `ephemeral-storage`"
            reader.wrong("--request", f"a container cannot request `{name}`", remedy)
