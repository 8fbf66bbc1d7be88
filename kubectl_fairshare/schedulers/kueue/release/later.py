"""Releases that came after the newest measured ones: by whose rules they are answered, and what they changed.

Adding one is one entry of ``LATER``. Where the notes of a release were not read in whole, it may also have changed what
``OFTEN_CHANGED`` names, as each release before it did. Source: the release notes of Kueue, as far as they are public.
Tested in ``tests/unit/schedulers/kueue/test_later_releases.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model.values import Value

Number = tuple[int, int, int]
CHECKS: Final = "AdmissionChecks"
DEVICES: Final = "Devices"
STOPPING: Final = "StopPolicy"
SHARING: Final = "AdmissionFairSharing"
SLICES: Final = "ElasticJobsViaWorkloadSlices"
TOPOLOGY: Final = "TopologyAwareScheduling"
OFTEN_CHANGED: Final = frozenset({TOPOLOGY, SHARING, SLICES, DEVICES, CHECKS})
"""Features that patch releases changed again and again."""


class Later(Value, frozen=True):
    """A release that was not measured: ``whole`` if all of its notes were read, and what it changed, by feature."""

    whole: bool = False
    changes: tuple[tuple[str, str], ...] = ()


_SLICES: Final = ((SLICES, "slices of elastic jobs do not exceed the quota of the cohort within a cycle"),)
_STOPPING: Final = (
    (STOPPING, "a fix of stopPolicy"),
    ("", "the default priority class is not written to running Deployments, StatefulSets and LeaderWorkerSets"),
)
_RETRIES: Final = ((CHECKS, "a check that asks for a retry evicts at once, and the quota is not kept"),)
LATER: Final = {
    (0, 19, 8): Later(changes=_SLICES),
    (0, 19, 9): Later(),
    (0, 19, 10): Later(changes=_STOPPING),
    (0, 19, 11): Later(),
    (0, 19, 12): Later(),
    (0, 19, 13): Later(),
    (0, 19, 14): Later(changes=_RETRIES),
    (0, 20, 1): Later(changes=_SLICES),
    (0, 20, 2): Later(),
    (0, 20, 3): Later(changes=_STOPPING),
    (0, 20, 4): Later(),
    (0, 20, 5): Later(),
    (0, 20, 6): Later(),
    (0, 20, 7): Later(changes=_RETRIES),
}
_LAST_MEASURED: Final = {19: (0, 19, 7), 20: (0, 20, 0)}
"""By minor release, the newest that was measured: later ones are answered by its rules."""


def rules_of(number: Number) -> str:
    """The measured release by whose rules a later one is answered; empty for one that is measured or not known."""
    return "v" + ".".join(map(str, _LAST_MEASURED[number[1]])) if number in LATER else ""


def later_features(number: Number) -> frozenset[str]:
    """The features that a later release, or one between it and the measured one, may have changed."""
    found = {feature for _, each in _between(number) for feature, _ in each.changes if feature}
    return frozenset(found | (set() if all(each.whole for _, each in _between(number)) else OFTEN_CHANGED))


def later_changes(number: Number) -> tuple[str, ...]:
    """What a later release changed, and those between it and the measured one: a clause each."""
    return tuple(_clauses(number))


def _clauses(number: Number) -> Iterator[str]:
    for each, later in _between(number):
        words = [text for _, text in later.changes]
        unread = [] if later.whole else ["its notes were read in part"]
        yield f"v{'.'.join(map(str, each))}: {'; '.join(words + unread)}"


def _between(number: Number) -> list[tuple[Number, Later]]:
    if number not in LATER:
        return []
    return [(each, later) for each, later in sorted(LATER.items()) if each[1] == number[1] and each <= number]
