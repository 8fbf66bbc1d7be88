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
    """The release that KAI's operator, or a scheduler of a shard, runs; empty without their Deployments and pods."""
    from kubectl_fairshare.input.units.running import release_of

    named = [each for each in manifests if each.key.name.startswith((_OPERATOR, _SCHEDULER))]
    deployments = [each.data for each in named if each.key[:2] == DEPLOYMENT]
    pods = (each.data for each in named if each.key[:2] == ("", "Pod"))
    running = (*deployments, *({"spec": {"template": pod}} for pod in pods))
    return next(filter(None, (release_of(data, image) for data in running for image in _IMAGES)), "")


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
