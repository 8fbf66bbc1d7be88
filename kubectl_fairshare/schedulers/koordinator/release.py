"""The reproduced releases of Koordinator, and the one difference between them: how a surplus is rounded.

Source: Koordinator v1.8.0; its main branch since pull request 2876 of 2026.

Tested in ``tests/unit/schedulers/koordinator/test_quotas.py``.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from kubectl_fairshare.answers.fidelity import Standing
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.kubescheduler.settings import marks

NAME: Final = "koordinator"
CHART: Final = "koordinator"
MARKS: Final = marks(CHART)
SCHEDULER: Final = "Koordinator"
PROGRAMS: Final = ("koord-scheduler", "koord-manager")
"""The images and Deployments of its programs."""
VERSION: Final = "1.8.0"
_FIRST_EXACT: Final = Release(1, 9)
_REPRODUCED: Final = (Release(1, 8), Release(1, 9))
_PATCHES: Final = ("the notes of the patch releases of 1.8 were not seen",)
_BUILD: Final = ("what this build changes is not known",)
_DIVIDED: Final = (
    "what is left is divided among quotas by largest remainder (#2876)",
    "the notes of 1.9 were not seen; its main branch was read to July 2026",
)


class Rounding(StrEnum):
    """A release that decides differently.

    Up to 1.8, each quota's part of a surplus is rounded by itself, in floating point, so the parts may add up to more
    or less than the surplus. Later releases divide integers by largest remainder, and the parts add up.
    """

    EACH = "1.8"
    LARGEST_REMAINDER = "1.9"


def is_reproduced(release: str) -> bool:
    """Whether an installed release decides as the one that was run, or as is known. Errors as ``rounding_of``."""
    return Release.parse(release.partition("-")[0]) in _REPRODUCED


def standing_of(releases: Sequence[str]) -> Standing | None:
    """What the installed releases are to the one that was run: v1.8.0 itself, a patch, or the next minor release.

    A candidate or a vendor's build of it (1.8.0-rc.1) is another one.
    """
    newest = releases[-1].removeprefix("v") if releases else ""
    if newest in ("", "1.8", VERSION) or are_odd(releases):
        return None
    divided = rounding_of(newest) is Rounding.LARGEST_REMAINDER
    changes = _DIVIDED if divided else _PATCHES if newest.partition("-")[0] != VERSION else _BUILD
    return Standing(f"v{newest}", f"v{VERSION}", changes)


def are_odd(releases: Sequence[str]) -> bool:
    """Whether installed releases decide differently from each other, or one of them is not reproduced."""
    return not all(map(is_reproduced, releases)) or len({*map(rounding_of, releases)}) > 1


def rounding_of(release: str) -> Rounding:
    """How an installed release rounds. Raises ``ValueError`` for a text that is not a release."""
    found = Release.parse(release.partition("-")[0])
    return Rounding.LARGEST_REMAINDER if found >= _FIRST_EXACT else Rounding.EACH
