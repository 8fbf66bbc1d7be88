"""The reproduced release of KAI-Scheduler, and the one that an input runs.

Tested in ``tests/unit/cli/test_release.py``.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release

if TYPE_CHECKING:
    from kubectl_fairshare.answers.fidelity import Standing

SCHEDULER: Final = "KAI"
CHART: Final = "kai-scheduler"
VERSION: Final = "v0.17"
MODELLED: Final = Release(0, 17)
_MEASURED: Final = "v0.17+d5bc503"
"""The commit that was run: of August 2026, after the first release of 0.17 and before the next one."""
_FIRST: Final = (
    "pods that have succeeded are not seen, so that a gang that completes is evicted (#2012)",
    "a shared device counts for each pod that uses it (#1931)",
    "minMember may not be 0 (#1989)",
)
_LATER: Final = ("the notes of the patch releases of 0.17 were not seen",)
DEPLOYMENT: Final = ("apps", "Deployment")
_OPERATOR: Final = "kai-operator"
_SCHEDULER: Final = "kai-scheduler"
IMAGES: Final = ("operator", "scheduler")


def release_in(manifests: Iterable[Manifest]) -> str:
    """The release that KAI's operator, or a scheduler of a shard, runs, by its name or image; empty without them."""
    from kubectl_fairshare.input.units.running import POD_SPECS, release_of

    programs = [each for each in manifests if each.key[:2] in POD_SPECS and _is_of_kai(each)]
    ordered = sorted(programs, key=lambda each: each.key[:2] != DEPLOYMENT)
    return next(filter(None, (release_of(each.data, image) for each in ordered for image in IMAGES)), "")


def _is_of_kai(program: Manifest) -> bool:
    from kubectl_fairshare.input.units.running import containers

    if program.key.name.startswith((_OPERATOR, _SCHEDULER)):
        return True
    images = [f"{_SCHEDULER}/{image}" for image in IMAGES]
    if not any(program.may_mention(f"{image}:") for image in images):
        return False
    return any(image in str(each.get("image")) for each in containers(program.data) for image in images)


def is_first(release: str) -> bool:
    """Whether it is 0.17.0: it sees no pods that have succeeded, and counts a device for each pod that uses it.

    Its candidates and builds (0.17.0-rc.1) decide likewise.
    Source: KAI's branch v0.17, the commits after the tag v0.17.0.
    """
    return release.removeprefix("v").partition("-")[0] == "0.17.0"


def standing_of(release: str) -> "Standing | None":
    """What a release is to the one that was run: its first one differs in what is known, patches in what may be."""
    from kubectl_fairshare.answers.fidelity import Standing

    if not release or not is_modelled(release):
        return None
    return Standing(f"v{release.removeprefix('v')}", _MEASURED, _FIRST if is_first(release) else _LATER)


def may_differ_on_devices(release: str) -> bool:
    """Whether it is a patch whose notes were not seen: devices of claims changed in the one before it."""
    return bool(release) and is_modelled(release) and not is_first(release)


def is_modelled(release: str) -> bool:
    """Whether a release decides as the reproduced one; so do its patch releases, and what is not known counts as it."""
    return not release or Release.installed(release) == MODELLED
