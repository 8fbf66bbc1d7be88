"""The release of Kueue that an input is for: named, running in the input, or deduced from names in it.

A name that only releases before 0.19 know, such as a removed feature gate, says that the input is for one of these.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.input.parts import Material
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission import retired
from kubectl_fairshare.schedulers.kueue.admission.kinds import STORED
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.reading.configuration import WrittenConfiguration
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, NAME, KueueRelease, release_named

_IMAGE: Final = "kueue"
_DEPLOYMENT: Final = ("apps", "Deployment")


def running_release(material: Material, written: Iterable[WrittenConfiguration], chart: str = "") -> KueueRelease:
    """The release that a user or the cluster names, else a manager's among the manifests, else one that names imply.

    A ``chart`` that installs Kueue has the version of the release; it counts where no manager is among the manifests.

    The last is never measured: it is the newest release that knows every removed name. Raises ``UsageError`` for a text
    that does not name a release.
    """
    text = material.releases.get(NAME) or release_in(material.by_kind.get(_DEPLOYMENT, ())) or chart
    try:
        if text:
            return release_named(text)
    except ValueError as error:
        raise UsageError(Problem(str(error), "--release")) from None
    last = last_release(material.by_kind, written)
    return DEFAULT if last is None else replace(release_named(str(last)), deduced=True)


def release_in(manifests: Iterable[Manifest]) -> str:
    """The release that a manager's Deployment runs; empty without one."""
    return next(filter(None, map(_of_manager, manifests)), "")


def last_release(manifests: ByKind, written: Iterable[WrittenConfiguration]) -> Release | None:
    """The newest release that knows every removed name of the input.

    None if the input has no such name, or if no release knows all that the input has: v1beta2 came with 0.15.
    """
    own = ((kind, alike) for (group, kind), alike in manifests.items() if group == GROUP)
    versions = {(kind, version) for kind, alike in own for version in {m.version for m in alike}}
    settings = [each.data for each in written]
    ends = [retired.KINDS[each] for each in versions if each in retired.KINDS]
    ends += [end for data in settings for end in _ends(data)]
    stored = any(version == STORED for _, version in versions) or any(_version(data) == STORED for data in settings)
    last = min(ends, default=None)
    return None if last is None or (stored and last < retired.STORED_SINCE) else last


def _ends(configuration: JsonObject) -> Iterator[Release]:
    """The last release that knows each removed gate and framework of a Configuration."""
    integrations = configuration.get("integrations")
    frameworks = integrations.get("frameworks") if isinstance(integrations, dict) else None
    gates = configuration.get("featureGates")
    for names, known in ((frameworks, retired.FRAMEWORKS), (gates, retired.GATES)):
        if isinstance(names, list | dict):
            yield from (known[name] for name in names if isinstance(name, str) and name in known)


def _version(configuration: JsonObject) -> str:
    return str(configuration.get("apiVersion")).rpartition("/")[2]


def _of_manager(manifest: Manifest) -> str:
    """The release of Kueue that a Deployment runs; empty for anything else."""
    if manifest.key[:2] != _DEPLOYMENT or "kueue" not in manifest.key.name:
        return ""
    from kubectl_fairshare.input.cluster.installed import release_of

    return release_of(manifest.data, _IMAGE)
