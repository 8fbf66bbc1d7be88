"""The reproduced release of KAI-Scheduler, and the one that an input runs.

Tested in ``tests/unit/cli/test_release.py``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release

SCHEDULER: Final = "KAI"
VERSION: Final = "v0.17"
MODELLED: Final = Release(0, 17)
DEPLOYMENT: Final = ("apps", "Deployment")
_OPERATOR: Final = "kai-operator"
_SCHEDULER: Final = "kai-scheduler"
_IMAGES: Final = ("operator", "scheduler")


def release_in(manifests: Iterable[Manifest]) -> str:
    """The release that KAI's operator, or a scheduler of a shard, runs; empty without their Deployments."""
    from kubectl_fairshare.input.units.running import release_of

    for manifest in manifests:
        if manifest.key[:2] == DEPLOYMENT and manifest.key.name.startswith((_OPERATOR, _SCHEDULER)):
            found = next(filter(None, (release_of(manifest.data, image) for image in _IMAGES)), "")
            if found:
                return found
    return ""


def is_modelled(release: str) -> bool:
    """Whether a release decides as the reproduced one; so do its patch releases, and what is not known counts as it."""
    try:
        return not release or Release.parse(release.partition("-")[0]) == MODELLED
    except ValueError:
        return False
