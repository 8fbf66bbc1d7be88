"""The reproduced release of CapacityScheduling, and the one that runs.

Tested in ``tests/unit/schedulers/elasticquota/reading/test_state.py``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.answers.fidelity import Standing
from kubectl_fairshare.input.units.running import release_of, releases_of, running
from kubectl_fairshare.model.manifest import ByKind, Manifest, by_kind
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.kubescheduler.settings import marks

NAME: Final = "elasticquota"
SCHEDULER: Final = "CapacityScheduling"
CHARTS: Final = ("scheduler-plugins", "as-a-second-scheduler")
"""The chart, and its folder in the project's repository."""
MARKS: Final = marks(*CHARTS)
VERSION: Final = "903da7d"
"""The commit of scheduler-plugins."""
DEPLOYED: Final = "scheduler-plugins-scheduler"
"""The Deployment of the chart."""
IMAGE: Final = "kube-scheduler"
"""The scheduler's image, without its registry."""
_CHANGES: Final = {
    Release(0, 34): ("the framework of Kubernetes 1.34 was not run; the plugin's own code differs in names alone",),
    Release(0, 35): ("the release was not seen; the commit is of its branch, on Kubernetes 1.35",),
}
"""The releases whose code decides as that of the commit, as far as is known, and how they differ from it."""
_REPOSITORY: Final = f"scheduler-plugins/{IMAGE}"


def scheduler_programs(kinds: ByKind) -> tuple[Manifest, ...]:
    """The objects that run the scheduler of scheduler-plugins: of its name, or with its image.

    Kubernetes' own image is called the same; its releases begin with 1.
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


def is_reproduced(release: str) -> bool:
    """Whether an installed release decides as the commit that was run, as far as is known; so does an unknown one."""
    return not release or Release.installed(release) in _CHANGES


def standing_of(release: str) -> Standing | None:
    """What an installed release is to the commit that was run, which no release is."""
    number = Release.installed(release)
    if number not in _CHANGES:
        return None
    return Standing(f"v{release.removeprefix('v')} (Kubernetes 1.{number.minor})", VERSION, _CHANGES[number])
