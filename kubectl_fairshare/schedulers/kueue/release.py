"""The releases of Kueue that are reproduced: a release is a value that chooses laws, and this is where it does.

Each law that a release changed is a field of ``KueueRelease``; modules that hold laws read the field, never a number.
``changed_features`` are those that a release changed and that are not reproduced for it.
Source: the release notes of Kueue, and its own code at v0.19.2 and at ff69552, on the way to v0.20.0.
"""

import re
from typing import Final

from kubectl_fairshare.model.values import Value

NAME: Final = "kueue"
SCHEDULER: Final = "Kueue"
_FORM: Final = r"v?([0-9]{1,4})\.([0-9]{1,4})(?:\.([0-9]{1,4}))?(?:[-+].*)?"
_GONE: Final = frozenset(
    {
        "HierarchicalCohorts",
        "MultiKueueAllowInsecureKubeconfigs",
        "MultiKueueRedoAdmissionOnEvictionInWorker",
        "MultiKueueWaitForWorkloadAdmitted",
        "ObjectRetentionPolicies",
        "PropagateBatchJobLabelsToWorkload",
        "SchedulerLongRequeueInterval",
        "SchedulerTimestampPreemptionBuffer",
        "SkipFinalizersForPodsSuspendedByParent",
    }
)
_NEW_ON: Final = frozenset(
    {
        "AdmissionFairSharingAnchorAtQuotaReservation",
        "PodGroupSchedulingShapeOrdering",
        "RejectUpdatesToCQWithInvalidOnFlavors",
        "SchedulingEquivalenceHashingIgnorePodSetName",
        "TASGroupedPodSetSlicing",
        "TASLeaderPodSetFeasibility",
        "TASNodeFeasibilityForAllLevels",
        "TASPartialSlices",
    }
)
_NOW_ON: Final = frozenset(
    {
        "MultiKueueOrchestratedPreemption",
        "RecomputeAssignmentUponPreemptionTargetsOverlap",
        "UnadmittedWorkloadsObservability",
        "WorkloadPriorityClassDefaulting",
    }
)
NEW_OFF: Final = frozenset(
    {
        "ConfigurablePreemptions",
        "DynamicQuotaOrchestration",
        "FairSharingReevaluatePreemptionCandidates",
        "FairSharingRefill",
        "WaitForPodsReadyUnscheduledTimeout",
    }
)
"""Gates that release 0.20 adds and leaves off. What they do is not reproduced."""


class KueueRelease(Value, frozen=True):
    """A release of Kueue, and the laws that hold in it.

    - ``deduced``: nothing names it; it is the newest one that knows all names of the input
    - ``measured``: decisions of this release, or of the code that it is made of, were compared
    - ``gates_on``, ``gates_off``, ``gates_gone``: feature gates that differ from those of 0.19
    - ``limits_first``: missing requests are the limits before a LimitRange adds defaults, not after
    - ``uncovered_counts``: a resource that the queue does not cover gives the reason, whatever fits beside it
    - ``exact_amounts``: no amount is unlimited, sums of any size are exact, and a share is rounded once
    - ``pod_level_at_least``: requests of the pod as a whole count where they exceed those of the containers
    - ``pods_are_freed``: victims also free the resource ``pods``
    - ``changed_features``: features whose decisions the release changed in a way that is not reproduced
    """

    text: str
    number: tuple[int, int, int] = (0, 19, 2)
    deduced: bool = False
    measured: bool = True
    gates_on: frozenset[str] = frozenset()
    gates_off: frozenset[str] = frozenset()
    gates_gone: frozenset[str] = frozenset()
    limits_first: bool = False
    uncovered_counts: bool = False
    exact_amounts: bool = False
    pod_level_at_least: bool = False
    pods_are_freed: bool = False
    serves_v1beta1: bool = True
    changed_features: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.text

    def may_be(self, last: tuple[int, int] | None) -> bool:
        """Whether it is ``last`` or an older minor release; no release is older than None."""
        return last is not None and self.number[:2] <= last


_MEASURED: Final = frozenset({(0, 19, 2), (0, 19, 3), (0, 19, 4), (0, 19, 5), (0, 19, 6), (0, 19, 7), (0, 20, 0)})
"""Releases whose changes are all known: measured, or published in whole and put into the measured code."""


def release_named(text: str) -> KueueRelease:
    """The release that ``0.19``, ``0.20`` or ``v0.19.7`` names; without a patch level the first that is measured.

    One before 0.19 is taken as 0.19, one after 0.20 as 0.20, and neither as measured. Raises ``ValueError``.
    """
    match = re.fullmatch(_FORM, text)
    if match is None:
        raise ValueError(f"`{text}` is not a release; write `0.19`, `0.20` or `0.20.1`")
    major, minor = int(match[1]), int(match[2])
    first = 2 if (major, minor) == (0, 19) else 0
    number = (major, minor, first if match[3] is None else int(match[3]))
    plain = match[3] is None or number == (0, 19, 2) or number == (0, 20, 0)
    return _release(number, f"v{major}.{minor}" if plain else f"v{major}.{minor}.{number[2]}")


def _release(number: tuple[int, int, int], text: str) -> KueueRelease:
    next_one = number >= (0, 20, 0)
    return KueueRelease(
        text,
        number,
        measured=number in _MEASURED,
        gates_on=_NOW_ON | _NEW_ON if next_one else frozenset(),
        gates_off=NEW_OFF if next_one else frozenset(),
        gates_gone=_GONE if next_one else frozenset(),
        limits_first=number >= (0, 19, 3),
        uncovered_counts=number >= (0, 19, 4),
        exact_amounts=number >= (0, 19, 5),
        pod_level_at_least=number >= (0, 19, 6),
        pods_are_freed=number >= (0, 19, 7),
        serves_v1beta1=not next_one,
        changed_features=_changed(number),
    )


def _changed(number: tuple[int, int, int]) -> frozenset[str]:
    """The features that changed since 0.19.2 in a way that was only read of in release notes."""
    since = {
        "ElasticJobsViaWorkloadSlices": (0, 19, 3),
        "TopologyAwareScheduling": (0, 19, 4),
        "EmptyPodSets": (0, 19, 6),
        "ExcludedInputs": (0, 19, 6),
        "SparkApplication": (0, 19, 6),
        "AdmissionFairSharing": (0, 19, 3),
        "PodSetGroups": (0, 19, 7),
        "PreemptorFirst": (0, 19, 3),
        "PodGroups": (0, 19, 7),
    }
    return frozenset(feature for feature, first in since.items() if number >= first)


DEFAULT: Final = _release((0, 19, 2), "v0.19")
"""The newest release that was measured in whole."""
NEWEST: Final = _release((0, 20, 0), "v0.20")
