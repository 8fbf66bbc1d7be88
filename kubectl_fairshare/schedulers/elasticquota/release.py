"""The reproduced release of CapacityScheduling, and the one that runs.

Tested in ``tests/unit/schedulers/elasticquota/reading/test_state.py``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.input.units.running import release_of, releases_of, running
from kubectl_fairshare.model.manifest import ByKind, Manifest, by_kind

NAME: Final = "elasticquota"
SCHEDULER: Final = "CapacityScheduling"
CHARTS: Final = ("scheduler-plugins", "as-a-second-scheduler")
"""The chart, and its folder in the project's repository."""
VERSION: Final = "903da7d"
"""The commit of scheduler-plugins."""
DEPLOYED: Final = "scheduler-plugins-scheduler"
"""The Deployment of the chart."""
IMAGE: Final = "kube-scheduler"
"""The scheduler's image, without its registry."""
_REPOSITORY: Final = f"scheduler-plugins/{IMAGE}"


def scheduler_programs(kinds: ByKind) -> tuple[Manifest, ...]:
    """The objects that run the scheduler of scheduler-plugins: of its name, or with its image.

    Kubernetes' own image is called alike; its releases begin with 1.
    """
    found = running(kinds, IMAGE, (DEPLOYED,))
    return tuple(m for m in found if m.key.name == DEPLOYED or _is_of_plugins(release_of(m.data, IMAGE), m))


def _is_of_plugins(release: str, manifest: Manifest) -> bool:
    return release.removeprefix("v").startswith("0.") or bool(running({manifest.key[:2]: [manifest]}, _REPOSITORY))


def release_in(manifests: Iterable[Manifest]) -> str:
    """The release that the scheduler's objects run; empty without one, several in a list where they differ."""
    return release_of_programs(scheduler_programs(by_kind(manifests)))


def release_of_programs(programs: Iterable[Manifest]) -> str:
    """The release of these objects, as ``release_in``."""
    return ", ".join(releases_of(programs, IMAGE))
