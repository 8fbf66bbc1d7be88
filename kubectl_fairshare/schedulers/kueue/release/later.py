"""Releases that came after the newest measured ones, and what they changed.

Adding one is one entry of ``LATER``. Where the notes of a release were not read in whole, it may also have changed what
``OFTEN_CHANGED`` names, as each release before it did. Source: the release notes of Kueue, as far as they are public.
Tested in ``tests/unit/schedulers/kueue/test_later_releases.py``.
"""

from typing import Final

from kubectl_fairshare.schedulers.kueue.release.law import Number
from kubectl_fairshare.schedulers.kueue.release.patch import CHECKS, SLICES, STOPPING, PatchRelease

_SLICES: Final = ((SLICES, "slices of elastic jobs do not exceed the quota of the cohort within a cycle"),)
_STOPPING: Final = (
    (STOPPING, "a fix of stopPolicy"),
    ("", "the default priority class is not written to running Deployments, StatefulSets and LeaderWorkerSets"),
)
_RETRIES: Final = ((CHECKS, "a check that asks for a retry evicts at once, and the quota is not kept"),)
LATER: Final[dict[Number, PatchRelease]] = {
    (0, 19, 8): PatchRelease(changes=_SLICES),
    (0, 19, 9): PatchRelease(),
    (0, 19, 10): PatchRelease(changes=_STOPPING),
    (0, 19, 11): PatchRelease(),
    (0, 19, 12): PatchRelease(),
    (0, 19, 13): PatchRelease(),
    (0, 19, 14): PatchRelease(changes=_RETRIES),
    (0, 20, 1): PatchRelease(changes=_SLICES),
    (0, 20, 2): PatchRelease(),
    (0, 20, 3): PatchRelease(changes=_STOPPING),
    (0, 20, 4): PatchRelease(),
    (0, 20, 5): PatchRelease(),
    (0, 20, 6): PatchRelease(),
    (0, 20, 7): PatchRelease(changes=_RETRIES),
}
