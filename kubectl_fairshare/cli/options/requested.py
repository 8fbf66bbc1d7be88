"""The workload that options describe: ``--queue``, ``--request`` and their companions."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER, ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, is_held
from kubectl_fairshare.schedulers.kai.model.objects import DEFAULT_SCHEDULER as KAI_SCHEDULER
from kubectl_fairshare.schedulers.kueue.jobs import Context
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState

NAME: Final = "requested"
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_MOST: Final = (1 << 31) - 1
_RESOURCE: Final = re.compile(r"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?", re.ASCII)
_FORM: Final = "write `--request cpu=4,nvidia.com/gpu=8`"


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options as they were given. ``count`` and ``min_count`` are pods, ``request`` is per pod."""

    queue: str | None = None
    request: tuple[str, ...] = ()
    count: int | None = None
    min_count: int | None = None
    priority: int | None = None
    priority_class: str | None = None
    node_selector: tuple[str, ...] = ()
    toleration: tuple[str, ...] = ()

    def given(self) -> list[str]:
        """The options that describe a workload, as the user writes them."""
        found = {
            "--queue": self.queue,
            "--request": self.request,
            "--count": self.count,
            "--min-count": self.min_count,
            "--priority": self.priority,
            "--priority-class": self.priority_class,
            "--node-selector": self.node_selector,
            "--toleration": self.toleration,
        }
        return [option for option, value in found.items() if value is not None and value != ()]


class _Reader:
    """Reads options; what is wrong with any of them is collected and told at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def wrong(self, option: str, message: str, remedy: str) -> None:
        """Notes what is wrong with an option."""
        self.problems.append(Problem(message, option, remedy))


def requested(wishes: Wishes, namespace: str, snapshot: Snapshot) -> Manifest:
    """A Workload made of options. Raises ``UsageError`` with everything that is wrong with them."""
    reader = _Reader()
    queue = _queue(reader, wishes.queue or "", namespace, snapshot)
    count = 1 if wishes.count is None else wishes.count
    _check_counts(reader, count, wishes.min_count)
    pod_set: dict[str, Json] = {"name": "main", "count": count, "template": {"spec": _pod(reader, wishes)}}
    if wishes.min_count is not None:
        pod_set["minCount"] = wishes.min_count
    priority = _priority(reader, wishes, snapshot.part(Context))
    if reader.problems:
        raise UsageError(*reader.problems)
    key = ObjectKey(GROUP, "Workload", queue[0], _free_name(queue[0], snapshot))
    spec: dict[str, Json] = {"queueName": queue[1], "priority": priority, "podSets": [pod_set]}
    metadata = {"namespace": key.namespace, "name": key.name}
    data = {"apiVersion": f"{GROUP}/v1beta2", "kind": "Workload", "metadata": metadata, "spec": spec}
    return Manifest(key, "v1beta2", data, Origin("", 0))


def requested_pod(wishes: Wishes, namespace: str, snapshot: Snapshot) -> Manifest:
    """A Pod made of options. Raises ``UsageError`` with everything that is wrong with them."""
    reader = _Reader()
    for option, value in (("--queue", wishes.queue), ("--count", wishes.count), ("--min-count", wishes.min_count)):
        if value is not None:
            reader.wrong(option, "belongs to Kueue", "ElasticQuotas admit pods one by one, by their namespace")
    priority = _priority(reader, wishes, snapshot.part(Context))
    spec: dict[str, Json] = {**_pod(reader, wishes), "schedulerName": _scheduler(snapshot)}
    _check_names(reader, wishes.request)
    if reader.problems:
        raise UsageError(*reader.problems)
    if wishes.priority_class is not None and wishes.priority_class in snapshot.part(Context).priority_classes:
        spec["priorityClassName"] = wishes.priority_class
    elif wishes.priority is not None or wishes.priority_class is not None:
        spec["priority"] = priority
    key = ObjectKey("", "Pod", namespace, _free_name(namespace, snapshot, "", "Pod"))
    data = {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": namespace, "name": key.name}, "spec": spec}
    return Manifest(key, "v1", data, Origin("", 0))


def requested_kai_job(wishes: Wishes, namespace: str, snapshot: Snapshot) -> Manifest:
    """A Job made of options, of which all pods start together. Raises ``UsageError`` with all that is wrong."""
    reader = _Reader()
    count = 1 if wishes.count is None else wishes.count
    _check_counts(reader, count, wishes.min_count)
    if wishes.queue is None:
        reader.wrong("--queue", "KAI's jobs belong to a queue", "name it: `--queue QUEUE`")
    if wishes.priority is not None:
        reader.wrong("--priority", "KAI takes priorities from PriorityClasses", "name one: `--priority-class train`")
    pod = _pod(reader, wishes)
    if reader.problems:
        raise UsageError(*reader.problems)
    if wishes.priority_class is not None:
        pod["priorityClassName"] = wishes.priority_class
    key = ObjectKey("batch", "Job", namespace, _free_name(namespace, snapshot, "batch", "Job"))
    minimum = count if wishes.min_count is None else wishes.min_count
    metadata = {
        "namespace": namespace,
        "name": key.name,
        "labels": {"kai.scheduler/queue": wishes.queue},
        "annotations": {"kai.scheduler/batch-min-member": str(minimum)},
    }
    spec = {"parallelism": count, "template": {"spec": {**pod, "schedulerName": KAI_SCHEDULER}}}
    data = {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}
    return Manifest(key, "v1", data, Origin("", 0))


def _scheduler(snapshot: Snapshot) -> str:
    """The scheduler that most waiting or placed pods of namespaces with a quota name."""
    quotas = snapshot.part(ElasticQuotaState).quotas
    names = Counter(pod.scheduler for pod in snapshot.part(ElasticQuotaState).pods if pod.namespace in quotas)
    profiles = snapshot.part(ElasticQuotaState).profiles
    if profiles:
        return profiles[0]
    return min(names, key=lambda name: (-names[name], name), default=DEFAULT_SCHEDULER)


def _free_name(namespace: str, snapshot: Snapshot, group: str = GROUP, kind: str = "Workload") -> str:
    """A name that no object of the kind has in the namespace."""
    name, number = NAME, 1
    while ObjectKey(group, kind, namespace, name) in snapshot.manifests:
        number += 1
        name = f"{NAME}-{number}"
    return name


def _queue(reader: _Reader, text: str, namespace: str, snapshot: Snapshot) -> tuple[str, str]:
    """Namespace and name of the LocalQueue; a bare name is one of the ``--namespace``."""
    first, slash, rest = text.partition("/")
    key = (first, rest) if slash else (namespace, first)
    if not key[0] or not key[1] or "/" in key[1]:
        reader.wrong("--queue", f"`{text}` names no LocalQueue", "write it as `NAMESPACE/LOCALQUEUE`")
    elif key not in snapshot.part(KueueState).local_queues:
        reader.wrong("--queue", f"no LocalQueue `{key[0]}/{key[1]}` in the input", _nearest(key, snapshot))
    return key


def _nearest(key: tuple[str, str], snapshot: Snapshot) -> str:
    """What the user may have meant: a LocalQueue of the ClusterQueue with that name, or one of a similar name."""
    known = snapshot.part(KueueState).local_queues
    leading = [f"{n}/{q}" for (n, q), queue in sorted(known.items()) if queue.cluster_queue == key[1]]
    if key[1] in snapshot.part(KueueState).cluster_queues and leading:
        return f"`{key[1]}` is a ClusterQueue; LocalQueues that lead to it: {_listed(leading)}"
    names = [f"{n}/{q}" for n, q in sorted(known)]
    near = get_close_matches(f"{key[0]}/{key[1]}", names, n=3) or [n for n in names if n.endswith(f"/{key[1]}")]
    if near:
        return f"did you mean {_listed(near)}?"
    return f"known are {_listed(names)}" if names else "the input holds no LocalQueue"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _check_counts(reader: _Reader, count: int, least: int | None) -> None:
    if not 0 <= count <= _MOST:
        reader.wrong("--count", f"`{count}` is out of range", f"pods are counted from 0 to {_MOST}")
    elif least is not None and not 0 < least <= count:
        reader.wrong(
            "--min-count",
            f"`{least}` is out of range, the count being `{count}`",
            "give at least 1 and at most the count",
        )


def _priority(reader: _Reader, wishes: Wishes, context: Context) -> int:
    if wishes.priority is not None and wishes.priority_class is not None:
        reader.wrong("--priority", "excludes `--priority-class`", "give one of the two")
    if wishes.priority is not None:
        if not -_MOST - 1 <= wishes.priority <= _MOST:
            reader.wrong(
                "--priority", f"`{wishes.priority}` is out of range", "a priority is a whole number of 32 bits"
            )
        return wishes.priority
    if wishes.priority_class is None:
        return context.default_priority or 0
    classes: Mapping[str, int] = {**context.priority_classes, **context.workload_priorities}
    if wishes.priority_class not in classes:
        known = ", ".join(f"`{name}`" for name in sorted(classes))
        reader.wrong(
            "--priority-class", f"no priority class `{wishes.priority_class}` in the input", f"known are {known}"
        )
        return 0
    return classes[wishes.priority_class]


def _pod(reader: _Reader, wishes: Wishes) -> dict[str, Json]:
    container = {"name": "main", "resources": {"requests": _requests(reader, wishes.request)}}
    return {
        "containers": [container],
        "nodeSelector": _selector(reader, wishes.node_selector),
        "tolerations": [_toleration(reader, text) for text in wishes.toleration],
    }


def _parts(texts: Sequence[str]) -> list[str]:
    return [part.strip() for text in texts for part in text.split(",")]


def _requests(reader: _Reader, texts: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in _parts(texts):
        name, _, value = part.partition("=")
        if not value or _RESOURCE.fullmatch(name) is None:
            reader.wrong("--request", f"`{part}` is no request", _FORM)
        elif name in found:
            reader.wrong("--request", f"`{name}` is named twice", _FORM)
        else:
            _check_amount(reader, name, value)
            found[name] = value
    return found


def _check_names(reader: _Reader, texts: Sequence[str]) -> None:
    """Notes names that no API server takes from a container, and that the scheduler would drop."""
    for part in _parts(texts):
        name = part.partition("=")[0]
        if name == PODS or (_RESOURCE.fullmatch(name) is not None and not is_held(name)):
            remedy = "write it with its domain: `nvidia.com/gpu=1`; or `cpu`, `memory`, `ephemeral-storage`"
            reader.wrong("--request", f"`{name}` is nothing that a container may request", remedy)


def _check_amount(reader: _Reader, name: str, value: str) -> None:
    try:
        amount = quantity.nano(value)
    except quantity.QuantityError:
        reader.wrong("--request", f"`{value}` of `{name}` is no quantity", "write it like `500m`, `2` or `4Gi`")
        return
    if amount < 0:
        reader.wrong("--request", f"`{value}` of `{name}` is negative", "ask for 0 or more")


def _selector(reader: _Reader, texts: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in _parts(texts):
        key, equals, value = part.partition("=")
        if not key or not equals:
            reader.wrong("--node-selector", f"`{part}` is no label", "write `--node-selector KEY=VALUE`")
        elif found.setdefault(key, value) != value:
            reader.wrong("--node-selector", f"`{key}` is named twice", "a node has one value of a label")
    return found


def _toleration(reader: _Reader, text: str) -> dict[str, str]:
    """``key=value:Effect``, ``key:Effect``, ``key=value`` or ``key``: without value any, without effect all."""
    named, colon, effect = text.partition(":")
    key, equals, value = named.partition("=")
    if not key or (colon and effect not in _EFFECTS):
        remedy = "write `KEY=VALUE:EFFECT`, `KEY:EFFECT` or `KEY`; effects are " + ", ".join(f"`{e}`" for e in _EFFECTS)
        reader.wrong("--toleration", f"`{text}` is no toleration", remedy)
    toleration = {"key": key, "operator": "Equal" if equals else "Exists"}
    if equals:
        toleration["value"] = value
    return {**toleration, "effect": effect} if effect else toleration
