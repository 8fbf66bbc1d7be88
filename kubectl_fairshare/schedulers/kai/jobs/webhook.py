"""What KAI's webhook for pods rejects, and the RuntimeClass that it gives to pods with parts of GPUs.

Only pods that name KAI's scheduler reach it. Source: KAI-Scheduler v0.17, its admission service.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.pod_surroundings import Surroundings
from kubectl_fairshare.model.json import Json, JsonObject, mappings
from kubectl_fairshare.model.quantity import QuantityError, nano
from kubectl_fairshare.schedulers.kai.jobs.gpus import DEVICES, FRACTION, MEMORY, MIG_PREFIX
from kubectl_fairshare.schedulers.kai.model.pod_admission import PodAdmission

_CONTAINER: Final = "gpu-fraction-container-name"
_MPS: Final = "mps"
_GPU: Final = "nvidia.com/gpu"
_VISIBLE: Final = "NVIDIA_VISIBLE_DEVICES"
_HIDDEN: Final = ("void", "none")
_WHOLE: Final = re.compile(r"[0-9]{1,64}", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,9})?", re.ASCII)
_BEYOND: Final = 1 << 64
_SYSTEM: Final = "kube-system"


def webhook_clause(pod: JsonObject, namespace: str, admission: PodAdmission, around: Surroundings) -> str | None:
    """The first reason why the webhook rejects a new pod, in a clause; None if it takes the pod, or never sees it.

    Raises one of ``WRONG_SHAPE`` for a field of another type.
    """
    metadata = pod.get("metadata") or {}
    labels, annotations = metadata.get("labels") or {}, metadata.get("annotations") or {}
    if not _is_seen(labels, namespace, admission, around):
        return None
    return next(_clauses(pod.get("spec") or {}, annotations, admission), None)


def shares_gpus(annotations: Mapping[str, Json]) -> bool:
    """Whether the annotations ask for parts of GPUs, valid or not."""
    return FRACTION in annotations or MEMORY in annotations


def with_runtime(spec: JsonObject, annotations: Mapping[str, Json], runtime: str, around: Surroundings) -> JsonObject:
    """The spec of a new pod with the RuntimeClass that the webhook sets, if the input has that."""
    known = runtime in around.context.overheads or runtime in around.placing
    if not known or spec.get("runtimeClassName") or not shares_gpus(annotations):
        return spec
    return {**spec, "runtimeClassName": runtime}


def _is_seen(labels: Mapping[str, Json], namespace: str, admission: PodAdmission, around: Surroundings) -> bool:
    """Whether the selectors of the webhook have the pod, as far as the input has its Namespace."""
    if namespace in (_SYSTEM, admission.home) or not admission.pods.items() <= labels.items():
        return False
    theirs = around.context.namespace_labels.get(namespace)
    if theirs is None:
        return True
    return admission.namespaces.items() <= theirs.items() and admission.queue_label in ("", *theirs)


def _clauses(spec: JsonObject, annotations: Mapping[str, Json], admission: PodAdmission) -> Iterator[str]:
    """The reasons in the order of the webhook: what it cannot complete, then what is not valid."""
    containers = [*mappings(spec.get("containers")), *mappings(spec.get("initContainers"))]
    shares = shares_gpus(annotations)
    named = annotations.get(_CONTAINER)
    if shares and named is not None and all(container.get("name") != named for container in containers):
        yield f"{_CONTAINER} names no container: `{_short(named)}`"
    if shares and admission.sharing is False:
        yield "it asks for a part of a GPU, and `admission.gpuSharing` of KAI's Config is not true"
    limited = any(_GPU in ((c.get("resources") or {}).get("limits") or {}) for c in containers)
    yield from _excluded(annotations, limited=limited)
    yield from _malformed(annotations)
    if admission.guards_devices:
        exempt = (containers[0].get("name") if named is None else named) if shares and containers else None
        yield from _visible(container for container in containers if container.get("name") != exempt)


def _excluded(annotations: Mapping[str, Json], *, limited: bool) -> Iterator[str]:
    """Annotations that exclude each other, or need another; ``limited``: a container has a limit of GPUs."""
    shares = shares_gpus(annotations)
    if not shares and annotations.get(_MPS) == "true":
        yield f"{_MPS} needs {FRACTION} or {MEMORY}"
    if FRACTION in annotations and limited:
        yield f"{FRACTION} and a limit of {_GPU} exclude each other"
    if MEMORY in annotations and (FRACTION in annotations or limited):
        yield f"{MEMORY} and {FRACTION if FRACTION in annotations else f'a limit of {_GPU}'} exclude each other"
    if DEVICES in annotations and not shares:
        yield f"{DEVICES} needs {FRACTION} or {MEMORY}"


def _malformed(annotations: Mapping[str, Json]) -> Iterator[str]:
    if MEMORY in annotations and not _is_positive(annotations[MEMORY]):
        yield f"{MEMORY} must be a whole number above 0, not `{_short(annotations[MEMORY])}`"
    if FRACTION in annotations and not _is_part(annotations[FRACTION]):
        yield f"{FRACTION} must be a number between 0 and 1, not `{_short(annotations[FRACTION])}`"
    if DEVICES in annotations and not _is_positive(annotations[DEVICES]):
        yield f"{DEVICES} must be a whole number above 0, not `{_short(annotations[DEVICES])}`"


def _is_positive(text: Json) -> bool:
    return isinstance(text, str) and _WHOLE.fullmatch(text) is not None and 0 < int(text) < _BEYOND


def _is_part(text: Json) -> bool:
    """Whether it is both a decimal number between 0 and 1 and a quantity."""
    if not isinstance(text, str) or _DECIMAL.fullmatch(text) is None or not 0 < float(text) < 1:
        return False
    try:
        nano(text)
    except QuantityError:
        return False
    return True


def _visible(containers: Iterator[JsonObject]) -> Iterator[str]:
    """Containers that set the devices that they see; the webhook itself sets void in those that ask for no GPU."""
    for container in containers:
        variables = [each for each in mappings(container.get("env")) if each.get("name") == _VISIBLE]
        if variables and not _asks(container.get("resources") or {}):
            variables = [each for each in variables[:1] if each.get("valueFrom")] + variables[1:]
        for each in variables:
            value = each.get("value") or ""
            if each.get("valueFrom") or value not in ("", *_HIDDEN):
                yield f"container {_short(container.get('name'))} sets {_VISIBLE}, which may only be void or none"


def _asks(resources: JsonObject) -> bool:
    """Whether a container asks for GPUs; a missing request is the limit."""
    requests = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
    return any(name == _GPU or name.startswith(MIG_PREFIX) for name in _positive(requests))


def _positive(requests: Mapping[str, Json]) -> Collection[str]:
    return [name for name, value in requests.items() if value not in (None, 0, "0")]


def _short(value: Json) -> str:
    return str(value)[:64]
