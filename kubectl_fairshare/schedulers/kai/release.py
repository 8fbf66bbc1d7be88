"""The reproduced release of KAI-Scheduler, and the one that an input runs.

Tested in ``tests/unit/cli/test_release.py``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release

SCHEDULER: Final = "KAI"
CHART: Final = "kai-scheduler"
VERSION: Final = "v0.17"
MODELLED: Final = Release(0, 17)
DEPLOYMENT: Final = ("apps", "Deployment")
_OPERATOR: Final = "kai-operator"
_SCHEDULER: Final = "kai-scheduler"
_IMAGES: Final = ("operator", "scheduler")


def release_in(manifests: Iterable[Manifest]) -> str:
    """The release that KAI's operator, or a scheduler of a shard, runs, by its name or image; empty without them."""
    from kubectl_fairshare.input.units.running import POD_SPECS, release_of

    programs = [each for each in manifests if each.key[:2] in POD_SPECS and _is_of_kai(each)]
    ordered = sorted(programs, key=lambda each: each.key[:2] != DEPLOYMENT)
    return next(filter(None, (release_of(each.data, image) for each in ordered for image in _IMAGES)), "")


def _is_of_kai(program: Manifest) -> bool:
    from kubectl_fairshare.input.units.running import containers

    if program.key.name.startswith((_OPERATOR, _SCHEDULER)):
        return True
    images = [f"{_SCHEDULER}/{image}" for image in _IMAGES]
    if not any(program.may_mention(f"{image}:") for image in images):
        return False
    return any(image in str(each.get("image")) for each in containers(program.data) for image in images)


def is_first(release: str) -> bool:
    """Whether it is 0.17.0, which sees no pods that have succeeded, and counts a device for each pod that uses it.

    Source: KAI's branch v0.17, the commits after the tag v0.17.0.
    """
    return release.removeprefix("v") == "0.17.0"


def is_modelled(release: str) -> bool:
    """Whether a release decides as the reproduced one; so do its patch releases, and what is not known counts as it."""
    try:
        return not release or Release.parse(release.partition("-")[0]) == MODELLED
    except ValueError:
        return False
