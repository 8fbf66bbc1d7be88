"""KAI's Config, and the ConfigMap with the defaults of kinds of jobs that it names.

Source: KAI-Scheduler v0.17, ``kai.scheduler/v1``, and the defaults of its operator.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.kinds import RESERVATION
from kubectl_fairshare.schedulers.kai.model.objects import (
    DEFAULT_SCHEDULER,
    NODE_POOL_LABEL,
    QUEUE_LABEL,
    KindDefault,
)
from kubectl_fairshare.schedulers.kai.model.pod_admission import DEFAULT_RUNTIME, HOME, PodAdmission

_MAP: Final = "defaultPrioritiesConfigMap"
SERVICES: Final = {"admission": "admission", "binder": "binder", "podGrouper": "podgrouper", "scheduler": "scheduler"}
"""The programs that a Config can leave out, without which KAI decides otherwise; with the chart's names for them."""
_DEFAULT_FIELDS: Final = ("typeName", "group", "priorityName", "preemptibility")


class KaiConfig(Value, frozen=True):
    """KAI's Config with all defaults filled in, which are those without a Config.

    ``unmodelled`` are the settings that change how pods count and are not modelled. ``defaults`` is the ConfigMap with
    defaults of kinds of jobs, None without one.
    """

    pool_label: str = NODE_POOL_LABEL
    scheduler: str = DEFAULT_SCHEDULER
    queue_label: str = QUEUE_LABEL
    admission: PodAdmission = PodAdmission()
    unmodelled: tuple[Place, ...] = ()
    defaults: ObjectKey | None = None


def config_of(manifest: Manifest) -> KaiConfig:
    """The settings. Raises ``FairshareError`` for a field of another type than its own."""
    spec = root_of(manifest).at("spec")
    given, args = spec.at("global"), spec.at("podGrouper", "args")
    name, namespace = args.at(f"{_MAP}Name").text(), args.at(f"{_MAP}Namespace").text()
    return KaiConfig(
        given.at("nodePoolLabelKey").text() or NODE_POOL_LABEL,
        given.at("schedulerName").text() or DEFAULT_SCHEDULER,
        given.at("queueLabelKey").text() or QUEUE_LABEL,
        _pod_admission(manifest),
        tuple(_unmodelled(spec)),
        ObjectKey("", "ConfigMap", namespace, name) if name and namespace else None,
    )


def _unmodelled(spec: Field) -> Iterator[Place]:
    reservation = spec.at("binder", "resourceReservation", "appLabel")
    if reservation.text() not in ("", RESERVATION):
        yield reservation.place
    for name in SERVICES:
        if (enabled := spec.at(name, "service", "enabled")).value is False:
            yield enabled.place


def _pod_admission(manifest: Manifest) -> PodAdmission:
    """The settings for new pods."""
    spec = root_of(manifest).at("spec")
    own, everywhere = spec.at("admission"), spec.at("global")
    runtimes = (own.at(name) for name in ("gpuFractionRuntimeClassName", "gpuPodRuntimeClassName"))
    label = everywhere.at("queueLabelKey").text() or QUEUE_LABEL
    return PodAdmission(
        sharing=own.at("gpuSharing").flag(),
        guards_devices=own.at("blockNvidiaVisibleDevices").flag(),
        runtime=next((name.text() for name in runtimes if name.value is not None), DEFAULT_RUNTIME),
        home=spec.at("namespace").text() or HOME,
        namespaces=everywhere.at("namespaceLabelSelector").texts(),
        pods=everywhere.at("podLabelSelector").texts(),
        queue_label=label if own.at("queueLabelSelector").flag() else "",
        key=manifest.key,
    )


def kind_defaults(manifest: Manifest) -> Mapping[str, KindDefault]:
    """The defaults of kinds of jobs in a ConfigMap, which has a list of them under ``types``.

    KAI uses none of a list in which a field has another type.
    """
    found = {}
    for entry in _entries(root_of(manifest).at("data", "types").text()):
        values = [entry.get(field) for field in _DEFAULT_FIELDS]
        if any(value is not None and not isinstance(value, str) for value in values):
            return {}
        kind, group, name, preemptibility = (str(value or "") for value in values)
        found[f"{kind}.{group}" if group else kind] = KindDefault(name, preemptibility)
    return found


def _entries(text: str) -> list[dict[str, Json]]:
    """The mappings of a list in JSON; empty for another text."""
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    valid = isinstance(found, list) and all(isinstance(entry, dict) for entry in found)
    return found if valid else []
