"""KubeSchedulerConfigurations in manifests: as objects, or as a text in a ConfigMap, as charts install them."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from kubectl_fairshare.input.kinds import SCHEDULER_CONFIGURATION
from kubectl_fairshare.input.text.embedded import embedded_documents
from kubectl_fairshare.input.units.installed_charts import installs
from kubectl_fairshare.input.units.unread_settings import Marks, absent_settings, unread_settings
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind, Manifest

CONFIG_MAP: Final = ("", "ConfigMap")
HOLDERS: Final = (SCHEDULER_CONFIGURATION, CONFIG_MAP)
_GROUP, _KIND = SCHEDULER_CONFIGURATION


def scheduler_configurations(manifests: Iterable[Manifest]) -> Iterator[Field]:
    """Each configuration, as a field. A text that is not YAML contains none."""
    for manifest in manifests:
        key = manifest.key
        if (key.group, key.kind) == SCHEDULER_CONFIGURATION:
            yield Field(key, (), manifest.data)
        elif (key.group, key.kind) == CONFIG_MAP:
            data = manifest.data.get("data")
            for name, text in data.items() if isinstance(data, dict) else ():
                if isinstance(text, str) and _GROUP in text:
                    yield from _configurations_in(text, Place(key, ("data", name)))


def unread_configurations(kinds: ByKind, marks: Marks, programs: Collection[Manifest]) -> tuple[Place, ...]:
    """Where an input without a configuration says that there is one: objects with these marks, and programs' files."""

    def is_read(manifest: Manifest) -> bool:
        return installs(manifest, *marks.charts) or any(True for _ in scheduler_configurations([manifest]))

    return (*unread_settings(kinds, marks, is_read), *absent_settings(programs, kinds))


def _configurations_in(text: str, place: Place) -> Iterator[Field]:
    try:
        documents = list(embedded_documents(text, place))
    except FairshareError:
        return
    for inner, document in documents:
        if isinstance(document, dict) and _is_configuration(document):
            yield Field(inner.object, inner.path, document)


def _is_configuration(document: JsonObject) -> bool:
    version: Json = document.get("apiVersion")
    return document.get("kind") == _KIND and isinstance(version, str) and version.rpartition("/")[0] == _GROUP


def enabled_at(profile: Field, point: str, which: str = "enabled") -> set[str]:
    """The plugins that a profile enables, or disables, at an extension point. Raises ``FairshareError``."""
    return {entry.at("name").text() for entry in profile.at("plugins", point, which).entries()}


def runs(profile: Field, point: str, plugin: str, *, default: bool) -> bool:
    """Whether a plugin runs at an extension point. ``default``: it runs unless it is disabled."""
    if plugin in enabled_at(profile, point):
        return True
    if {plugin, "*"} & enabled_at(profile, point, "disabled"):
        return False
    if plugin in enabled_at(profile, "multiPoint"):
        return True
    return default and not {plugin, "*"} & enabled_at(profile, "multiPoint", "disabled")
