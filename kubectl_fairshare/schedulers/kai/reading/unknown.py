"""What KAI knows of objects: their kinds, and the names in its domain.

Source: KAI-Scheduler v0.17, its CustomResourceDefinitions, and the names with ``kai.scheduler/`` in its code.
Tested in ``tests/property/exact/test_unknown_fields.py``.
"""

from typing import Final

from kubectl_fairshare.api.unknown import KnownParts
from kubectl_fairshare.input.unknown_fields import unknown_around_pods
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind
from kubectl_fairshare.schedulers.kai.admission.kinds import APIS
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, QUEUE_GROUP, SLICE_GROUP

KNOWN: Final = KnownParts(
    APIS,
    {
        "kai.scheduler/": frozenset(
            {
                *("accounting", "batch-min-member", "last-eviction-timestamp", "last-start-timestamp", "node-pool"),
                *("numa-placement-observed", "numa-placement-predicted", "preemptibility", "preemption-delay", "queue"),
                *("segment-size", "segment-topology-preferred-placement", "segment-topology-required-placement"),
                *("skip-podgrouper", "stale-podgroup-timestamp", "staleness-grace-period", "subgroup-name"),
                *("task-priority", "top-owner-metadata", "topology", "topology-preferred-placement"),
                *("topology-required-placement", "type"),
            }
        )
    },
)
_KINDS: Final = (
    (QUEUE_GROUP, "Queue"),
    (QUEUE_GROUP, "PodGroup"),
    (CONFIG_GROUP, "SchedulingShard"),
    (CONFIG_GROUP, "Config"),
    ("", "Node"),
    (SLICE_GROUP, "DeviceClass"),
)


def unknown_places(kinds: ByKind) -> tuple[Place, ...]:
    """The places of what is unknown in the objects that decide."""
    return unknown_around_pods(kinds, KNOWN, _KINDS)
