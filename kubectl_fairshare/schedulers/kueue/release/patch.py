"""What a patch release changed: the clauses, and the features of an input that each of them can touch.

Tested in ``tests/unit/schedulers/kueue/test_earlier_releases.py``.
"""

from typing import Final

from kubectl_fairshare.model.values import Value

CHECKS: Final = "AdmissionChecks"
DEVICES: Final = "Devices"
STOPPING: Final = "StopPolicy"
SHARING: Final = "AdmissionFairSharing"
SLICES: Final = "ElasticJobsViaWorkloadSlices"
TOPOLOGY: Final = "TopologyAwareScheduling"
OFTEN_CHANGED: Final = frozenset({TOPOLOGY, SHARING, SLICES, DEVICES, CHECKS})
"""Features that patch releases changed again and again."""
FAIR: Final = "FairSharing"
LABELS: Final = "NodeLabels"
AMOUNTS: Final = "Amounts"
PREFERENCES: Final = "Preferences"
RAY: Final = "Ray"
POD_LEVEL: Final = "PodLevelResources"
RECLAIMS: Final = "ReclaimablePods"
TRANSFORMED: Final = "Transformations"
EQUAL_HEADS: Final = "EqualHeads"
NO_REQUESTS: Final = "NoRequests"
EVERY: Final = OFTEN_CHANGED | {
    *(STOPPING, FAIR, LABELS, AMOUNTS, PREFERENCES, POD_LEVEL, RAY, RECLAIMS, TRANSFORMED, EQUAL_HEADS, NO_REQUESTS),
}
"""All features: those that differ between patches of a line of which the patch is not known."""


class PatchRelease(Value, frozen=True):
    """A release: ``whole`` if all of its notes were read, and what it changed since the one before, by feature.

    A change without a feature touches no state that a manager meets afresh.
    """

    whole: bool = False
    changes: tuple[tuple[str, str], ...] = ()
