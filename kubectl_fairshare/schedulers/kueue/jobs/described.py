"""The Workload that options describe: ``--queue``, ``--request`` and their companions."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import likely, some_of
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.described import (
    POD_COUNT,
    WishReader,
    check_counts,
    comma_separated,
    free_name,
    pod_spec,
    priority_of,
)
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.question import Wishes

_ADD: Final = "add one with `--overlay FILE`, and name it as `NAMESPACE/LOCALQUEUE`"


def described_workload(wishes: Wishes, namespace: str, snapshot: Snapshot, context: Context) -> Manifest:
    """A Workload made from options. Raises ``UsageError`` with every mistake in them."""
    reader = WishReader()
    queue = _queue(reader, wishes.queue or "", namespace, snapshot)
    if any(part.partition("=")[0] == POD_COUNT for part in comma_separated(wishes.request)):
        reader.wrong("--request", f"a pod cannot request `{POD_COUNT}`", "write how many there are as `--count`")
    count = 1 if wishes.count is None else wishes.count
    check_counts(reader, count, wishes.min_count)
    pod_set: dict[str, Json] = {"name": "main", "count": count, "template": {"spec": pod_spec(reader, wishes)}}
    if wishes.min_count is not None:
        pod_set["minCount"] = wishes.min_count
    classes = {**context.priority_classes, **context.workload_priorities}
    priority = priority_of(reader, wishes, context.default_priority, classes)
    reader.check()
    key = ObjectKey(GROUP, "Workload", queue[0], free_name(queue[0], snapshot, GROUP, "Workload"))
    spec: dict[str, Json] = {"queueName": queue[1], "priority": priority, "podSets": [pod_set]}
    metadata = {"namespace": key.namespace, "name": key.name}
    data = {"apiVersion": f"{GROUP}/v1beta2", "kind": "Workload", "metadata": metadata, "spec": spec}
    return Manifest(key, "v1beta2", data, Origin("", 0))


def _queue(reader: WishReader, text: str, namespace: str, snapshot: Snapshot) -> tuple[str, str]:
    """Namespace and name of the LocalQueue; a bare name is in the ``--namespace``."""
    first, slash, rest = text.partition("/")
    key = (first, rest) if slash else (namespace, first)
    if not key[0] or not key[1] or "/" in key[1]:
        reader.wrong("--queue", f"`{text}` is not the name of a LocalQueue", "write it as `NAMESPACE/LOCALQUEUE`")
    elif key not in snapshot.part(KueueState).local_queues:
        reader.absent("--queue", f"the input has no LocalQueue `{key[0]}/{key[1]}`", _nearest(key, snapshot))
    return key


def _nearest(key: tuple[str, str], snapshot: Snapshot) -> str:
    """The likely LocalQueues: those of the ClusterQueue with that name, or of similar names; else how to add one."""
    known = snapshot.part(KueueState).local_queues
    leading = [f"{n}/{q}" for (n, q), queue in sorted(known.items()) if queue.cluster_queue == key[1]]
    if key[1] in snapshot.part(KueueState).cluster_queues:
        are = f"LocalQueues that point to it: {_shown(leading)}" if leading else f"no LocalQueue points to it: {_ADD}"
        return f"`{key[1]}` is a ClusterQueue; {are}"
    names = [f"{n}/{q}" for n, q in sorted(known)]
    near = likely(f"{key[0]}/{key[1]}", names) or [n for n in names if n.endswith(f"/{key[1]}")]
    if near:
        return f"did you mean {_shown(near)}?"
    return f"known are {some_of([f'`{name}`' for name in names], 5)}" if names else f"it has none at all: {_ADD}"


def _shown(names: Sequence[str]) -> str:
    return some_of([f"`{name}`" for name in names], 5)
