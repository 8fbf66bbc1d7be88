"""KAI-Scheduler's part of the snapshot, from its own objects, Pods, Nodes and PriorityClasses.

Objects that need no defaults are read as they are; other code reports what a webhook or a schema would reject.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from kubectl_fairshare.answers.missing_objects import missing_objects
from kubectl_fairshare.api.durations import nanoseconds as span
from kubectl_fairshare.input.chains import MAX_LEVELS, deepest, too_long
from kubectl_fairshare.input.parts import Material
from kubectl_fairshare.jobs.context import SYSTEM_CLASSES
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.pod_check import check_placing
from kubectl_fairshare.jobs.pod_classes import MissingClass, missing_classes
from kubectl_fairshare.jobs.pod_surroundings import RUNTIME_CLASS, Surroundings, surroundings, unreadable
from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.errors import FIX_THE_FIELD, FairshareError, Problem, misread
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.quantity import milli, native, units
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.jobs.claims import claim_of, with_claims
from kubectl_fairshare.schedulers.kai.jobs.gpus import MIG_PREFIX, WHOLE_NAMES, mig_size, whole
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, QUEUE_GROUP, RUNTIMES, SLICE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import (
    NODE_POOL_LABEL,
    BindRequest,
    Deserved,
    KaiState,
    MaxAllowed,
    Node,
    Pod,
    PodGroup,
    PriorityClasses,
    Queue,
    Resources,
    SubGroup,
)
from kubectl_fairshare.schedulers.kai.reading.chart import made_by_chart
from kubectl_fairshare.schedulers.kai.reading.config import KaiConfig, config_of, kind_defaults
from kubectl_fairshare.schedulers.kai.reading.shards import shard_of
from kubectl_fairshare.schedulers.kai.reading.unknown import unknown_places

T = TypeVar("T")
_QUEUE_PRIORITY: Final = 100
_UNKNOWN_GPU_MEMORY: Final = 100
_BYTES_FROM: Final = 1 << 20
_PRESSURES: Final = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")
_ANNOTATION: Final = "kai.scheduler/"
_NAME_IT: Final = "write `metadata.name`"
_WRONG: Final = (AttributeError, TypeError, ValueError)


def kai_state(material: Material, problems: list[Problem]) -> KaiState:
    """The state; unreadable objects are added to ``problems`` and left out."""
    reader = _ObjectReader(material.by_kind, problems)
    made = made_by_chart(material.by_kind)
    config = next(iter(reader.read(CONFIG_GROUP, "Config", config_of)), made.config or KaiConfig())
    label, named = config.pool_label, () if config.defaults is None else (config.defaults,)
    queues = reader.read(QUEUE_GROUP, "Queue", lambda m: queue_of(m, label))
    by_name = {queue.name: queue for queue in queues}
    problems.extend(
        too_long({q.name: q.parent or None for q in queues}, ObjectKey(QUEUE_GROUP, "Queue", "", ""), "parentQueue")
    )
    devices = reader.read(SLICE_GROUP, "ResourceSlice", _devices)
    claims = reader.read(SLICE_GROUP, "ResourceClaim", claim_of)
    classes = reader.read(SLICE_GROUP, "DeviceClass", lambda m: root_of(m).at("spec", "extendedResourceName").text())
    around = surroundings(material.manifests, material.pods)
    bound = {pod: chosen for pod, chosen in reader.read(QUEUE_GROUP, "BindRequest", _binding) if chosen.node}
    return KaiState(
        queues=by_name,
        pod_groups=tuple(reader.read(QUEUE_GROUP, "PodGroup", lambda m: pod_group_of(m, label))),
        pods=tuple(with_claims(reader.read("", "Pod", lambda m: _pod(m, bound, config, around)), claims)),
        claims=tuple(claims),
        nodes=tuple(_with_devices(reader.read("", "Node", lambda m: node_of(m, label)), devices)),
        shards=(*reader.read(CONFIG_GROUP, "SchedulingShard", shard_of), *made.shards),
        priorities=_priorities(reader.read("scheduling.k8s.io", "PriorityClass", _priority_class)),
        defaults=next(iter(reader.read("", "ConfigMap", kind_defaults, named)), {}),
        defaults_in=config.defaults,
        pool_label=label,
        queue_label=config.queue_label,
        config_maps=frozenset(reader.read("", "ConfigMap", lambda m: (m.key.namespace, m.key.name))),
        runtimes={m.key: root_of(m) for kind, alike in material.by_kind.items() if kind in RUNTIMES for m in alike},
        around=around,
        classes=missing_objects(Absence(), _runtime_classes(material)),
        device_resources=frozenset(classes) - {""},
        settings=config.unmodelled,
        unknown=unknown_places(material.by_kind),
        admission=config.admission,
        scheduler=config.scheduler,
        elsewhere=made.elsewhere,
        release=made.release,
    )


def _runtime_classes(material: Material) -> Iterator[MissingClass]:
    """The RuntimeClasses that the input lacks and pods name; KAI takes priorities from PodGroups."""
    pods = missing_classes(material.by_kind.get(("", "Pod"), ()), material.pods)
    return (each for each in pods if each.key[:2] == RUNTIME_CLASS)


class _ObjectReader:
    """Objects by kind; an unreadable one becomes a problem."""

    def __init__(self, manifests: ByKind, problems: list[Problem]) -> None:
        self._problems = problems
        self._manifests = manifests

    def read(
        self, group: str, kind: str, reader: Callable[[Manifest], T], keys: Collection[ObjectKey] | None = None
    ) -> list[T]:
        """The result of ``reader`` for each object of a kind, or for those among them with one of the ``keys``."""
        found = []
        for manifest in self._manifests.get((group, kind), ()):
            if keys is not None and manifest.key not in keys:
                continue
            try:
                found.append(read_object(manifest, reader))
            except FairshareError as error:
                self._problems.extend(error.problems)
        return found


def read_object(manifest: Manifest, reader: Callable[[Manifest], T]) -> T:
    """The result of ``reader``. Raises ``FairshareError`` for an object with a field that it cannot read."""
    try:
        return reader(manifest)
    except _WRONG as error:
        text = f"{manifest.key} cannot be read: {misread(error)}"
        raise FairshareError(Problem(text, Place(manifest.key), FIX_THE_FIELD)) from error


def _labels(root: Field) -> Mapping[str, str]:
    return root.at("metadata", "labels").texts()


def _created(root: Field) -> int:
    return root.at("metadata", "creationTimestamp").moment() or 0


def queue_of(manifest: Manifest, pool_label: str = NODE_POOL_LABEL) -> Queue:
    """A Queue; missing amounts are 0. Memory is in millions of bytes; every negative amount of it is unlimited."""
    root = root_of(manifest)
    if not manifest.key.name:
        raise FairshareError(Problem("a Queue without a name is not read", root.at("metadata", "name").place, _NAME_IT))
    spec = root.at("spec")
    resources = spec.at("resources")
    return Queue(
        name=manifest.key.name,
        parent=spec.at("parentQueue").text(),
        priority=_priority(spec.at("priority")),
        created=_created(root),
        quota=Deserved(_bounds(resources, "quota")),
        limit=MaxAllowed(_bounds(resources, "limit")),
        weight=Resources(*(_number(resources.at(name, "overQuotaWeight")) for name in Resources._fields)),
        display_name=spec.at("displayName").text(),
        pool=_labels(root).get(pool_label),
        preempt_min_runtime=_span(spec.at("preemptMinRuntime")),
        reclaim_min_runtime=_span(spec.at("reclaimMinRuntime")),
        stated=resources.value is not None,
        key=manifest.key,
    )


def _bounds(resources: Field, name: str) -> Resources:
    cpu, memory, gpu = (_number(resources.at(resource, name)) for resource in Resources._fields)
    return Resources(cpu, max(-1.0, memory * 1_000_000), gpu)


def _number(field: Field) -> float:
    value = 0.0 if field.value is None else field.value
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise ValueError(f"`{'.'.join(map(str, field.path))}` must be a number")
    return float(value)


def _priority(field: Field) -> int:
    """A queue's priority, with 64 bits. Raises ``FairshareError`` unless it is a whole number."""
    value = field.value
    return value if isinstance(value, int) and not isinstance(value, bool) else field.integer(_QUEUE_PRIORITY)


def _span(field: Field) -> int | None:
    text = field.text()
    return span(text) if text else None


def pod_group_of(manifest: Manifest, pool_label: str = NODE_POOL_LABEL) -> PodGroup:
    """A PodGroup."""
    root = root_of(manifest)
    spec, annotations = root.at("spec"), root.at("metadata", "annotations").texts()
    conditions = root.at("status", "schedulingConditions").entries()
    sub_groups = tuple(_sub_group(entry) for entry in spec.at("subGroups").entries())
    if deepest({one.name: (one.parent or "").lower() or None for one in sub_groups}) is not None:
        raise ValueError(f"sub-groups have more than {MAX_LEVELS} levels")
    return PodGroup(
        key=manifest.key,
        queue=spec.at("queue").text(),
        created=_created(root),
        min_member=_integer(spec.at("minMember")),
        min_sub_group=_integer(spec.at("minSubGroup")),
        sub_groups=sub_groups,
        priority_class=spec.at("priorityClassName").text(),
        preemptible={"preemptible": True, "non-preemptible": False}.get(spec.at("preemptibility").text()),
        preemption_delay=_span(spec.at("preemptionDelay")) or 0,
        last_start=_moment(annotations.get(f"{_ANNOTATION}last-start-timestamp")),
        last_eviction=_moment(annotations.get(f"{_ANNOTATION}last-eviction-timestamp")),
        pool=_labels(root).get(pool_label),
        backoff=_integer(spec.at("schedulingBackoff")),
        condition_pool=max(conditions, key=_transition).at("nodePool").text() if conditions else None,
        raw=manifest.data,
    )


def _transition(condition: Field) -> int:
    """The number of a scheduling condition; the last condition is the first with the highest number."""
    number = whole(condition.at("transitionID").text())
    return -1 if number is None else number


def _sub_group(entry: Field) -> SubGroup:
    parent = entry.at("parent").value
    members, groups = _integer(entry.at("minMember")), _integer(entry.at("minSubGroup"))
    return SubGroup(entry.at("name").text(), None if parent is None else entry.at("parent").text(), members, groups)


def _integer(field: Field) -> int | None:
    return None if field.value is None else field.integer(0)


def _moment(text: str | None) -> int | None:
    """A moment in an annotation of KAI; None if it is malformed."""
    try:
        return nanoseconds(text) if text else None
    except ValueError:
        return None


def _pod(
    manifest: Manifest, bound: Mapping[tuple[str, str], BindRequest], config: KaiConfig, around: Surroundings
) -> Pod:
    """A pod whose fields all have the right types: a session reads more of it later."""
    complete = None if manifest.stored else around
    try:
        pod = pod_of(
            manifest.key,
            manifest.data,
            bound,
            config.scheduler,
            complete=complete,
            runtime=config.admission.runtime,
        )
        check_placing(root_of(manifest).at("spec"))
        root_of(manifest).at("metadata", "deletionTimestamp").moment()
    except _WRONG as error:
        raise unreadable(manifest.key, manifest.data, error) from None
    return pod


def _binding(manifest: Manifest) -> tuple[tuple[str, str], BindRequest]:
    """The pod of a BindRequest, and what it has chosen: no node after its final failure."""
    root = root_of(manifest)
    spec, status = root.at("spec"), root.at("status")
    pod = (manifest.key.namespace, spec.at("podName").text())
    limit = spec.at("backoffLimit")
    failed = status.at("phase").text() == "Failed"
    if failed and (limit.value is None or status.at("failedAttempts").integer(0) >= limit.integer(0)):
        return pod, BindRequest("")
    groups = tuple(group.text() for group in spec.at("selectedGPUGroups").entries())
    return pod, BindRequest(spec.at("selectedNode").text(), groups)


def node_of(manifest: Manifest, pool_label: str = NODE_POOL_LABEL) -> Node:
    """A node."""
    root = root_of(manifest)
    labels = _labels(root)
    root.at("status", "allocatable").resources(native=True)  # all are amounts
    written = root.at("status", "allocatable").mapping()
    allocatable = {name: native(value) for name, value in written.items()}
    return Node(
        name=manifest.key.name,
        allocatable=Resources(
            float(milli(allocatable.get("cpu", 0))), float(units(allocatable.get("memory", 0))), _gpus(allocatable)
        ),
        gpu_memory=_gpu_memory(labels.get("nvidia.com/gpu.memory")),
        unready=_unready(root),
        pool=labels.get(pool_label),
        labels=frozenset(labels),
        key=manifest.key,
        raw=manifest.data,
    )


def _devices(manifest: Manifest) -> tuple[str, int]:
    """The node of a ResourceSlice, and its GPUs: all its devices, if the name of the driver contains "gpu"."""
    spec = root_of(manifest).at("spec")
    gpus = "gpu" in spec.at("driver").text().lower() and not spec.at("allNodes").flag()
    return spec.at("nodeName").text(), len(spec.at("devices").entries()) if gpus else 0


def _with_devices(nodes: Iterable[Node], devices: Iterable[tuple[str, int]]) -> Iterator[Node]:
    """The nodes with their GPUs from ResourceSlices."""
    counts: dict[str, int] = {}
    for name, count in devices:
        counts[name] = counts.get(name, 0) + count
    for node in nodes:
        count, there = counts.get(node.name, 0), node.allocatable
        yield replace(node, allocatable=there._replace(gpu=there.gpu + count), devices=count) if count else node


def _gpus(allocatable: Mapping[str, Json]) -> float:
    """All GPUs; other vendors' ``…/gpu`` replace the usual ones, and count in thousandths."""
    found = float(sum(units(allocatable.get(name, 0)) for name in WHOLE_NAMES))
    for name in sorted(allocatable):
        vendor = "/" in name and "kubernetes.io/" not in name and name not in WHOLE_NAMES
        if vendor and name.endswith("gpu") and units(allocatable[name]):
            found = float(milli(allocatable[name]))
    slices = (name for name in sorted(allocatable) if name.startswith(MIG_PREFIX))
    return found + sum(float((mig_size(name) or 0) * units(allocatable[name])) for name in slices)


def _gpu_memory(text: str | None) -> int:
    """MiB of each GPU, cut to hundreds; a label value of at least a million is in bytes."""
    value = whole(text or "")
    if value is None:
        return _UNKNOWN_GPU_MEMORY
    mib = value if value < _BYTES_FROM else value >> 20
    return mib - mib % 100 if mib >= 0 else mib + -mib % 100


def _unready(root: Field) -> str | None:
    if root.at("spec", "unschedulable").flag():
        return "unschedulable"
    for condition in root.at("status", "conditions").entries():
        kind, status = condition.at("type").text(), condition.at("status").text()
        if (kind == "Ready" and status != "True") or (kind in _PRESSURES and status != "False"):
            return kind
    return None


def _priority_class(manifest: Manifest) -> tuple[str, int, bool]:
    """Name and value of a PriorityClass, and whether it is the global default."""
    root = root_of(manifest)
    return manifest.key.name, root.at("value").integer(0), root.at("globalDefault").flag()


def _priorities(classes: Iterable[tuple[str, int, bool]]) -> PriorityClasses:
    found = [*((name, value, False) for name, value in SYSTEM_CLASSES.items()), *classes]
    default = next((value for _, value, is_default in found if is_default), None)
    values = {name: value for name, value, _ in found}
    if default is None:
        return PriorityClasses(values)
    return PriorityClasses(values, default, min((value, name) for name, value, is_default in found if is_default)[1])
