"""Kueue's Configuration among the manifests: bare, inside the manager's ConfigMap, or in what installs Kueue.

Any ConfigMap with a Configuration of Kueue in ``controller_manager_config.yaml`` counts as the manager's. Other
projects use the same name for theirs, which are ignored. What the manager reads counts before what installs it.
Feature gates may be on the manager's command line instead.
Source: Kueue v0.19, ``cmd/kueue/main.go``.
Tested in ``tests/unit/schedulers/kueue/reading/test_written_settings.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.text.embedded import embedded_documents
from kubectl_fairshare.input.text.feature_gates import gates_set
from kubectl_fairshare.input.units.running import POD_SPECS, TEMPLATE
from kubectl_fairshare.input.units.unread_settings import absent_settings
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.reading.installers import (
    NO_FLAGS,
    GateFlags,
    InstalledSettings,
    flags_of,
    installed_settings,
    installs_kueue,
)
from kubectl_fairshare.schedulers.kueue.reading.release_signs import MARKS

GROUP: Final = "config.kueue.x-k8s.io"
KIND: Final = "Configuration"
DATA_KEY: Final = "controller_manager_config.yaml"


class WrittenConfiguration(Value, frozen=True):
    """A Configuration as it was written, the field of an object that contains it, and the source of both.

    ``namespace`` is that of the ConfigMap, and so of Kueue's manager; None if it is not written. ``computed``: an
    operator makes it, so no text has it.
    """

    data: JsonObject
    place: Place
    source: str
    namespace: str | None = None
    computed: bool = False

    @property
    def at_home(self) -> JsonObject:
        """The Configuration with the namespace that Kueue's manager gives it."""
        return self.data if self.namespace is None else {"namespace": self.namespace, **self.data}

    def __str__(self) -> str:
        holder = self.place.object if self.place.path else "one by itself"
        return f"{holder} in `{self.source}`"


class ConfigurationSearch(Value, frozen=True):
    """Every Configuration of Kueue in the input, and the problems of those that are not valid YAML.

    ``unread`` are fields with settings of Kueue that we cannot read; ``release`` is that of the chart that installs it.
    ``flags`` are the feature gates of a command line.
    """

    written: tuple[WrittenConfiguration, ...]
    problems: tuple[Problem, ...]
    unread: tuple[Place, ...] = ()
    release: str = ""
    flags: GateFlags = NO_FLAGS

    @property
    def said(self) -> list[JsonObject]:
        """What is set, for names that only some releases know."""
        gates: list[JsonObject] = [{"featureGates": dict(self.flags.gates)}] if self.flags.gates else []
        return [*(each.data for each in self.written), *gates]


def configurations(manifests: Iterable[Manifest]) -> ConfigurationSearch:
    """Every Configuration of Kueue among the manifests."""
    written: list[WrittenConfiguration] = []
    installed: list[tuple[Manifest, InstalledSettings]] = []
    problems: list[Problem] = []
    marked: list[Place] = []
    for manifest in manifests:
        try:
            held, made = [*_configurations(manifest)], [*installed_settings(manifest)]
            written += held
            installed += ((manifest, each) for each in made)
            if not held and not made and MARKS.found_in(manifest):
                marked.append(Place(manifest.key))
        except FairshareError as error:
            problems.extend(error.problems)
    releases = {each.release for _, each in installed}
    release = releases.pop() if len(releases) == 1 else ""
    if written:
        others = (each for _, each in installed if not each.computed and each.data is not None)
        unread = tuple(each.place for each in others if each.data != written[0].data)
        found = ConfigurationSearch(tuple(written), tuple(problems), unread, release)
    else:
        found = _installed(installed, tuple(problems), release)
        found = replace(found, unread=(*found.unread, *marked))
    return replace(found, flags=flags_of(each.flags for _, each in installed))


def with_managers(found: ConfigurationSearch, managers: Sequence[Manifest], kinds: ByKind) -> ConfigurationSearch:
    """What the search found, with the command lines of managers, and the ConfigMaps that they name and that it lacks.

    A manager's command line counts before that of what installs it.
    """
    lacks = () if found.written else tuple(absent_settings(managers, kinds))
    lines = [
        GateFlags(dict(gates_set(each)), Place(each.key, POD_SPECS.get(each.key[:2], TEMPLATE))) for each in managers
    ]
    return replace(found, unread=(*found.unread, *lacks), flags=flags_of(lines) if managers else found.flags)


def _installed(
    installed: Sequence[tuple[Manifest, InstalledSettings]], problems: tuple[Problem, ...], release: str
) -> ConfigurationSearch:
    """The Configuration of the objects that install Kueue. Where they differ, it is not known which of them counts."""
    unread = tuple(place for _, each in installed for place in each.unread)
    first = next((pair for pair in installed if pair[1].data is not None), None)
    if first is None:
        return ConfigurationSearch((), problems, unread, release)
    manifest, settings = first
    if any(each.data != settings.data for _, each in installed):
        return ConfigurationSearch((), problems, (*unread, *(each.place for _, each in installed)), release)
    data = settings.data or {}
    made = WrittenConfiguration(data, settings.place, manifest.source, settings.namespace, settings.computed)
    return ConfigurationSearch((made,), problems, unread, release)


def holds_configuration(manifest: Manifest) -> bool:
    """Whether the object is a Configuration of Kueue, or a ConfigMap with one, readable or not."""
    try:
        return any(True for _ in _configurations(manifest))
    except FairshareError:
        return True


def configures(manifest: Manifest) -> bool:
    """Whether the object holds a Configuration of Kueue, or installs Kueue, readable or not."""
    return holds_configuration(manifest) or installs_kueue(manifest) or bool(MARKS.found_in(manifest))


def _configurations(manifest: Manifest) -> Iterator[WrittenConfiguration]:
    if manifest.key[:2] == (GROUP, KIND):
        yield WrittenConfiguration(manifest.data, Place(manifest.key), manifest.source)
    elif (manifest.key.group, manifest.key.kind) == ("", "ConfigMap"):
        data = manifest.data.get("data")
        text = data.get(DATA_KEY) if isinstance(data, dict) else None
        if isinstance(text, str) and GROUP in text:
            place = Place(manifest.key, ("data", DATA_KEY))
            for inner, document in embedded_documents(text, place):
                if isinstance(document, dict) and _is_configuration(document):
                    namespace = manifest.data["metadata"].get("namespace")
                    yield WrittenConfiguration(document, inner, manifest.source, namespace)


def _is_configuration(data: JsonObject) -> bool:
    return data.get("kind") == KIND and str(data.get("apiVersion")).rpartition("/")[0] == GROUP
