"""Recordings of Kueue. Tested in ``tests/conformance``."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.schedulers.recording import ADMISSION_FIELDS, SETS, Recording, fields_of_causes

_LIVING: Final = ("outcome", "clusterQueue", "assignment", "victims", "message")
_DECISIONS: Final = (
    *("nodes", "inactive", "plans", "heads", "cycle", "cyclePanic"),
    *("topologies", "secondPass"),
    *("localQueues", "localQueuesAfter", "queueOrder", "candidateOrder", "rounds"),
)
RECORDINGS: Final[Mapping[str, Recording]] = {
    "kueue": Recording(f"{__name__}.decisions", _DECISIONS, apart=frozenset({"plans"})),
    "kueue-saturated": Recording(f"{__name__}.saturated", ("usage",)),
    "kueue-living": Recording(f"{__name__}.living", _LIVING, SETS | {"victims"}),
    "kueue-admission": Recording(f"{__name__}.admission", ADMISSION_FIELDS, compared=fields_of_causes),
}
