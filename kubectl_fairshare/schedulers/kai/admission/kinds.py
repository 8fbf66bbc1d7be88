"""The kinds of KAI-Scheduler's APIs, each served in one version.

Source: KAI-Scheduler v0.17, CustomResourceDefinitions of ``scheduling.run.ai`` and ``kai.scheduler``.
"""

from functools import cache
from importlib import import_module
from typing import Final, NamedTuple

from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.api.writes import Served, identity
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kai.model.objects import CONFIG_GROUP, QUEUE_GROUP


class Names(NamedTuple):
    """Group and version of a kind, the table of its structure, and whether its objects live in namespaces."""

    group: str
    version: str
    constant: str
    namespaced: bool = False


KINDS: Final[dict[str, Names]] = {
    "Queue": Names(QUEUE_GROUP, "v2", "QUEUE"),
    "PodGroup": Names(QUEUE_GROUP, "v2alpha2", "POD_GROUP", namespaced=True),
    "SchedulingShard": Names(CONFIG_GROUP, "v1", "SCHEDULING_SHARD"),
    "Config": Names(CONFIG_GROUP, "v1", "CONFIG"),
}


@cache
def served_kind(kind: str) -> Served:
    """How a kind is served; its tables are loaded when they are first asked for."""
    names = KINDS[kind]
    module = import_module(f"kubectl_fairshare.schedulers.kai.admission.structures.{names.constant.lower()}")
    found = getattr(module, names.constant)
    if not isinstance(found, Struct):
        raise TypeError(f"{names.constant} is not a structure")
    return Served(kind, names.version, found, names.namespaced, has_status=True)


def served(data: JsonObject) -> Served | None:
    """How the kind of an object is served; None when it is not."""
    group, version, kind = identity(data)
    if isinstance(kind, str) and kind in KINDS and KINDS[kind][:2] == (group, version):
        return served_kind(kind)
    return None
