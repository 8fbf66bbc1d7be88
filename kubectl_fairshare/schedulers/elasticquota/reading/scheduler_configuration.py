"""KubeSchedulerConfigurations in manifests: as objects, or as a text in a ConfigMap, as charts install them."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.input.text.embedded import embedded_documents
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.model.kinds import CONFIGURATION

_CONFIG_MAP: Final = ("", "ConfigMap")
HOLDERS: Final = (CONFIGURATION, _CONFIG_MAP)
_GROUP, _KIND = CONFIGURATION


def scheduler_configurations(manifests: Iterable[Manifest]) -> Iterator[tuple[Place, JsonObject]]:
    """Each configuration with its place. A text that is not YAML contains none."""
    for manifest in manifests:
        key = manifest.key
        if (key.group, key.kind) == CONFIGURATION:
            yield Place(key), manifest.data
        elif (key.group, key.kind) == _CONFIG_MAP:
            data = manifest.data.get("data")
            for name, text in data.items() if isinstance(data, dict) else ():
                if isinstance(text, str) and _GROUP in text:
                    yield from _configurations_in(text, Place(key, ("data", name)))


def _configurations_in(text: str, place: Place) -> Iterator[tuple[Place, JsonObject]]:
    try:
        found = list(embedded_documents(text, place))
    except FairshareError:
        return
    for inner, document in found:
        if isinstance(document, dict) and _is_configuration(document):
            yield inner, document


def _is_configuration(document: JsonObject) -> bool:
    version: Json = document.get("apiVersion")
    return document.get("kind") == _KIND and isinstance(version, str) and version.rpartition("/")[0] == _GROUP
