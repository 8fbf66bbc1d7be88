"""Smaller requests with which a job gets in: one resource of one container, in all its equal pods that wait.

Each way to get in has its own size: the largest that is admitted as things are, and a larger one after evictions.
Tested in ``tests/unit/schedulers/kai/explain/test_smaller.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.limits import is_outside_limits
from kubectl_fairshare.jobs.pod_surroundings import completed_spec
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.quantity import QuantityError, nano, native
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import smallest
from kubectl_fairshare.schedulers.kai.explain.alternatives import Alternative, Helped, largest_sizes
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Plan, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.jobs.gpus import FRACTION, MEMORY, WHOLE_NAMES
from kubectl_fairshare.schedulers.kai.jobs.pods import resized
from kubectl_fairshare.schedulers.kai.model.objects import GpuKind, Phase, Pod
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session

_NANO: Final = 10**9
_IN_PARTS: Final = {"cpu": 10**6, FRACTION: 10**7}
"""Nano-units in the smallest amount that counts: a thousandth of a core, a hundredth of a GPU; otherwise one."""
_NAMED: Final = 4
"""Pods that a remedy names."""
_SHARES: Final = 4
"""Into how many pods what is idle on a node is divided, to guess a size."""


class _Size(NamedTuple):
    """An amount that equal pods request, in a container or in an annotation (``container`` is None)."""

    name: str
    container: int | None
    amount: int
    pods: tuple[Pod, ...]


def smaller_requests(session: Session, found: Plan, helped: Helped) -> Iterator[Remedy]:
    """For each request that can be smaller the largest with which the job gets in; its other requests stay."""
    for size in _sizes(found.job):
        if size.amount > 1:
            yield from _largest(session, found, size, helped)


def _largest(session: Session, found: Plan, size: _Size, helped: Helped) -> Iterator[Remedy]:
    def tried(amount: int) -> Remedy | None:
        return helped(_trial(session, found.job, size, amount))

    low = _least(session, size)
    return iter(()) if low is None else largest_sizes(size.amount - 1, tried, _guesses(found, size), low=low)


def _least(session: Session, size: _Size) -> int | None:
    """The smallest amount that LimitRanges of the namespace take; None if they take none below the pod's own."""
    pod, around = size.pods[0], session.state.around
    namespace = pod.key.namespace
    limits = around.context.limit_ranges.get(namespace)
    if not limits or size.container is None:
        return 1

    def is_taken(amount: int) -> bool:
        spec = completed_spec(_with_amount(pod.raw, size, amount)["spec"], namespace, around)
        return not is_outside_limits(spec, limits)

    return smallest(1, size.amount - 1, is_taken)


def _sizes(job: Job) -> Iterator[_Size]:
    """What the pods that wait request, by kinds of equal pods; not of pods with devices, or slices of GPUs."""
    kinds: dict[tuple[object, ...], list[Pod]] = {}
    for task in job.tasks:
        pod = task.pod
        if task.phase is Phase.PENDING and not pod.claims and pod.gpu.kind is not GpuKind.MIG:
            kinds.setdefault((pod.sub_group, pod.request, pod.gpu, *sorted(_amounts(pod).items())), []).append(pod)
    for pods in kinds.values():
        for name, (container, amount) in sorted(_amounts(pods[0]).items()):
            yield _Size(name, container, amount, tuple(pods))


def _amounts(pod: Pod) -> dict[str, tuple[int | None, int]]:
    """Each request by its name, with the container that asks for most of it."""
    found: dict[str, tuple[int | None, int]] = {}
    for number, container in enumerate((pod.raw.get("spec") or {}).get("containers") or ()):
        for name, value in ((container.get("resources") or {}).get("requests") or {}).items():
            amount = _units(name, value)
            if name in ("cpu", "memory", *WHOLE_NAMES) and amount > found.get(name, (0, 0))[1]:
                found[name] = number, amount
    name = {GpuKind.FRACTION: FRACTION, GpuKind.MEMORY: MEMORY}.get(pod.gpu.kind)
    if name is not None and name in ((pod.raw.get("metadata") or {}).get("annotations") or {}):
        found = {other: size for other, size in found.items() if other not in WHOLE_NAMES}
        found[name] = None, round(pod.gpu.portion * 100) if name == FRACTION else pod.gpu.memory
    return found


def _units(name: str, value: Json) -> int:
    try:
        return -(-nano(native(value)) // _IN_PARTS.get(name, _NANO))
    except QuantityError:
        return 0


def _guesses(found: Plan, size: _Size) -> set[int]:
    """Sizes at which room may end: what is idle on each node, and what bounds leave, for one pod or for several."""
    r = {"cpu": 0, "memory": 1}.get(size.name, 2)
    limits = [standing.queue.limit[r] - standing.allocated[r] for standing in found.chain]
    quotas = [standing.queue.quota[r] - standing.allocated[r] for standing in found.chain]
    left = [*(idle[r] for _, idle in found.room.by_node), *limits, *quotas]
    parts = {*range(1, _SHARES + 1), len(size.pods)}
    factor = 100 if size.name == FRACTION else 1
    return {int(amount * factor // part) for amount in left if amount > 0 for part in parts}


def _trial(session: Session, job: Job, size: _Size, amount: int) -> Alternative:
    changed = {pod.key: resized(pod, _with_amount(pod.raw, size, amount)) for pod in size.pods}
    state = replace(session.state, pods=tuple(changed.get(pod.key, pod) for pod in session.state.pods))
    then = " ".join(_where(size, job))
    before, after = (_as_written(size.name, value) for value in (size.amount, amount))
    change = NewValue("", size.name, before, after, Place(size.pods[0].key, _path(size)))
    return Alternative(RemedyKind.REQUEST, (change,), state, session.shard, job.name, then)


def _where(size: _Size, job: Job) -> Iterator[str]:
    """The container, if there are several, and the pods: by name where others request the same, else their number."""
    containers = (size.pods[0].raw.get("spec") or {}).get("containers") or ()
    if size.container is not None and len(containers) > 1:
        yield f"in container {containers[size.container].get('name')}"
    waiting = (task.pod for task in job.tasks if task.phase is Phase.PENDING)
    alike = sum(_amounts(pod).get(size.name, (None, 0))[1] == size.amount for pod in waiting)
    if alike > len(size.pods):
        yield f"in {some_of([pod.key.name for pod in size.pods], _NAMED)}, not in other pods"
    elif len(size.pods) > 1:
        yield f"in each of its {len(size.pods)} pods that wait"


def _as_written(name: str, amount: int) -> float:
    """The amount in KAI's unit: a fraction of a GPU, or a number of units."""
    return amount / 100 if name == FRACTION else float(amount)


def _path(size: _Size) -> tuple[str | int, ...]:
    if size.container is None:
        return "metadata", "annotations", size.name
    return "spec", "containers", size.container, "resources", "requests", size.name


def _with_amount(raw: JsonObject, size: _Size, amount: int) -> JsonObject:
    """The pod with the amount; a limit of the same GPUs, which the API server wants equal, follows."""
    if size.container is None:
        annotations = {**raw["metadata"]["annotations"], size.name: f"{_as_written(size.name, amount):g}"}
        return {**raw, "metadata": {**raw["metadata"], "annotations": annotations}}
    text = f"{amount}m" if size.name == "cpu" else str(amount)
    containers: Sequence[JsonObject] = raw["spec"]["containers"]
    changed = [_requesting(each, size.name, text) if n == size.container else each for n, each in enumerate(containers)]
    return {**raw, "spec": {**raw["spec"], "containers": changed}}


def _requesting(container: JsonObject, name: str, text: str) -> JsonObject:
    resources = container["resources"]
    changed = {**resources, "requests": {**resources["requests"], name: text}}
    if name in WHOLE_NAMES and name in (resources.get("limits") or {}):
        changed["limits"] = {**resources["limits"], name: text}
    return {**container, "resources": changed}
