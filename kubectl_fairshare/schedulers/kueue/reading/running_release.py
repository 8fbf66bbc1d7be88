"""The release of Kueue that an input is for: named, running in the input, or deduced from names in it.

A name that only releases before 0.19 know, such as a removed feature gate, says that the input is for one of these.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.known import SEVERAL
from kubectl_fairshare.input.parts import Material
from kubectl_fairshare.input.units.running import releases_of, running
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import JsonObject, inside, mapping, mappings
from kubectl_fairshare.model.manifest import ByKind, Manifest, by_kind
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission import retired
from kubectl_fairshare.schedulers.kueue.admission.feature_gates import is_known
from kubectl_fairshare.schedulers.kueue.admission.kinds import STORED
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, IMAGE
from kubectl_fairshare.schedulers.kueue.reading.published import releases_of_sources
from kubectl_fairshare.schedulers.kueue.reading.release_signs import line_said
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, NAME, KueueRelease, release_named

_DEPLOYMENT: Final = ("apps", "Deployment")
_FIRST: Final = Release(0, 16)
"""The oldest line of which a release was measured."""
_NEWER: Final = ("0.19.3", "0.19.4", "0.19.5", "0.19.6", "0.19.7", "0.20")
_OLDER: Final = ("0.18", "0.17", "0.16")
_CANDIDATES: Final = (DEFAULT, *map(release_named, (*_NEWER, *_OLDER)))
"""The measured releases, in the order in which one is assumed."""
_CYCLE: Final = "CohortCycleDetected"
_CYCLE_SINCE: Final = (0, 19, 7)
"""The first release that gives this reason."""
_MANAGER: Final = "controller-manager"
"""How the name of the manager's Deployment ends, in its manifests and in its chart."""


def running_release(material: Material, settings: Sequence[JsonObject], chart: str = "") -> KueueRelease:
    """The release that a user or the cluster names, else a manager's among the manifests, else one that names imply.

    A ``chart`` that installs Kueue has the version of the release; it counts where no manager is among the manifests,
    and before the source of an installation from Kueue's repository.

    Before that the vendor's operator and the CRDs: they name a line of releases, not its patch level.
    Names imply the usual release, or the first measured one that knows them all. Raises ``UsageError`` for a text that
    does not name a release.
    """
    named, runs = material.releases.get(NAME), _releases(material.by_kind)
    try:
        if named or len(runs) > 1:
            known = named.split(SEVERAL) if named else runs
            return release_named(known[0]) if len(known) == 1 else _several(known)
        sources = releases_of_sources(material.by_kind)
        if text := next(filter(None, (*runs, chart, *sources[-1:])), ""):
            return release_named(text) if runs or chart or len(sources) == 1 else _several([*sources])
    except ValueError as error:
        raise UsageError(Problem(str(error), "--release")) from None
    if (line := line_said(material.by_kind)) is not None:
        return line
    last = last_release(material.by_kind, settings)
    if last is not None and last < _FIRST:
        return replace(release_named(str(last)), deduced=True, measured=False)
    return _knowing(material.by_kind, settings, last)


def _knowing(kinds: ByKind, settings: Sequence[JsonObject], last: Release | None) -> KueueRelease:
    """The usual release, otherwise the first measured one that fits what the input has, newer before older.

    It is not newer than ``last``, knows each feature gate that any of them knows, and sets the reasons of conditions
    that queues have.
    """
    gates = {gate for each in settings for gate in mapping(each, "featureGates")}
    known = {gate for gate in gates if any(is_known(gate, each) for each in _CANDIDATES)}
    cycle = any(_is_of_cycle(each) for each in kinds.get((GROUP, "ClusterQueue"), ()))
    for release in _CANDIDATES:
        fits = (last is None or release.may_be(last)) and (not cycle or release.number >= _CYCLE_SINCE)
        if fits and all(is_known(gate, release) for gate in known):
            return replace(release, assumed=True, deduced=release.number < DEFAULT.number)
    return replace(DEFAULT, assumed=True)


def _is_of_cycle(queue: Manifest) -> bool:
    """Whether Kueue says of a queue that its cohorts are in a cycle."""
    if not queue.may_mention(_CYCLE):
        return False
    return any(each.get("reason") == _CYCLE for each in mappings(inside(queue.passing_data, "status", "conditions")))


def release_in(manifests: Iterable[Manifest]) -> str:
    """The newest release that a manager runs, or that is installed from its source; empty without one."""
    kinds = by_kind(manifests)
    return next(reversed([*releases_of_sources(kinds), *_releases(kinds)]), "")


def managers(kinds: ByKind) -> tuple[Manifest, ...]:
    """The objects that run Kueue's manager: Deployments called so, and all that run its image.

    Add-ons have its name in theirs, and releases of their own.
    """
    named = (m for m in kinds.get(_DEPLOYMENT, ()) if NAME in m.key.name and m.key.name.endswith(_MANAGER))
    return tuple({id(each): each for each in (*named, *running(kinds, IMAGE))}.values())


def _releases(kinds: ByKind) -> list[str]:
    """The releases of the managers, the oldest first."""
    found = releases_of(managers(kinds), IMAGE)
    by_number = {release_named(text).number: text for text in found}
    return [by_number[number] for number in sorted(by_number)]


def _several(releases: list[str]) -> KueueRelease:
    """The newest of several releases that run; what they decide together was not measured."""
    newest = max(map(release_named, releases), key=lambda each: each.number)
    return replace(newest, text=SEVERAL.join(releases), measured=False, rules_of="")


def last_release(manifests: ByKind, settings: Sequence[JsonObject]) -> Release | None:
    """The newest release that knows every removed name of the input.

    None if the input has no such name, or if no release knows all that the input has: v1beta2 came with 0.15.
    """
    own = ((kind, alike) for (group, kind), alike in manifests.items() if group == GROUP)
    versions = {(kind, version) for kind, alike in own for version in {m.version for m in alike}}
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
