"""Objects that hold settings of a scheduler in a form that is not read: other programs install it, or a text names it.

They make an answer inexact where the settings are not given otherwise, so they are found by what they say, not by kind.
Tested in ``tests/unit/input/units/test_unread_settings.py``.
"""

from base64 import b64decode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Final

from kubectl_fairshare.input.units.running import TEMPLATE, running
from kubectl_fairshare.model.json import Json, JsonObject, inside, listed, mapping, mappings, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.values import Value

_HOLDERS: Final = ("ConfigMap", "Secret")
"""The kinds of Kubernetes itself that hold settings of other programs."""
_BUILT_IN: Final = frozenset({"", "apps", "autoscaling", "batch", "policy", "extensions"})
_BUILT_IN_DOMAIN: Final = ".k8s.io"
"""How groups of Kubernetes' own end; no kind of them installs a program by a chart."""
_ENCODED: Final = {"Secret": "data", "ConfigMap": "binaryData"}
_CHART: Final = "chart"
_ADDRESSES: Final = ("oci://", "/charts/")
_OPTION: Final = "--config"


class Marks(Value, frozen=True):
    """What settings of a scheduler have: ``words`` that nothing else mentions, and the names of its ``charts``."""

    words: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()

    def found_in(self, manifest: Manifest) -> str:
        """The first word or chart in an object that may install programs or hold their settings; empty without one."""
        key = manifest.key
        holds = key.kind in _HOLDERS and not key.group
        if not holds and (key.group in _BUILT_IN or key.group.endswith(_BUILT_IN_DOMAIN)):
            return ""
        if not holds and not any(manifest.may_mention(word) for word in (*self.words, *self.charts)):
            return ""
        data = manifest.passing_data
        content = {name: value for name, value in data.items() if name not in ("metadata", "status")}
        found = self._found(content, in_chart=False)
        return found or (self._in_bytes(mapping(data, _ENCODED[key.kind])) if holds else "")

    def _found(self, value: Json, *, in_chart: bool) -> str:
        open_values: list[tuple[Json, bool]] = [(value, in_chart)]
        while open_values:
            each, below_chart = open_values.pop()
            if isinstance(each, str):
                if found := self._in_text(each, below_chart=below_chart):
                    return found
            elif isinstance(each, dict):
                if found := next((word for word in self.words if word in each), ""):
                    return found
                open_values += [(v, below_chart or _CHART in str(name).lower()) for name, v in each.items()]
            elif isinstance(each, list):
                open_values += [(v, below_chart) for v in each]
        return ""

    def _in_text(self, text: str, *, below_chart: bool) -> str:
        if found := next((word for word in self.words if word in text), ""):
            return found
        if below_chart or any(address in text for address in _ADDRESSES):
            last = text.rstrip("/").rpartition("/")[2].partition(":")[0]
            return last if last in self.charts else ""
        return ""

    def _in_bytes(self, encoded: Mapping[str, Json]) -> str:
        """A word in values of a Secret or a ConfigMap that are written in base64."""
        for value in encoded.values():
            with suppress(ValueError):
                text = b64decode(value, validate=False) if isinstance(value, str) else b""
                if found := next((word for word in self.words if word.encode() in text), ""):
                    return found
        return ""


NO_MARKS: Final = Marks()


def without_settings(manifest: Manifest, found: str) -> JsonObject:
    """The object with nothing but its name, and the word or the chart by which it was found."""
    metadata = mapping(manifest.data, "metadata")
    named: JsonObject = {name: metadata[name] for name in ("name", "namespace") if name in metadata}
    kept: dict[str, Json] = {"apiVersion": manifest.api_version, "kind": manifest.key.kind, "metadata": named}
    return {**kept, "spec": {_CHART: found}}


def unread_settings(kinds: ByKind, marks: Marks, is_read: Callable[[Manifest], bool]) -> tuple[Place, ...]:
    """The objects that hold settings by their marks, but those that are read."""
    manifests = (manifest for alike in kinds.values() for manifest in alike)
    return tuple(Place(each.key) for each in manifests if marks.found_in(each) and not is_read(each))


def absent_settings(programs: Collection[Manifest], kinds: ByKind) -> Iterator[Place]:
    """Where programs name a ConfigMap with the file of their ``--config`` that the input lacks."""
    held = {(each.key.namespace, each.key.name) for each in kinds.get(("", "ConfigMap"), ())}
    for program in programs:
        spec = inside(program.data, *TEMPLATE)
        for container in rows(spec, "containers") if isinstance(spec, dict) else ():
            file = _file_of(container)
            mounts = {str(m.get("name")) for m in rows(container, "volumeMounts") if _covers(m.get("mountPath"), file)}
            for number, volume in enumerate(mappings(inside(spec, "volumes"))):
                name = mapping(volume, "configMap").get("name")
                if file and volume.get("name") in mounts and name and (program.key.namespace, name) not in held:
                    yield Place(program.key, (*TEMPLATE, "volumes", number, "configMap", "name"))


def absent_objects(schedulers: Iterable[tuple[Collection[str], Marks]], kinds: ByKind) -> Iterator[JsonObject]:
    """An object with a mark for each ConfigMap that programs name and that the input lacks, given images and marks."""
    for images, marks in schedulers:
        programs = [each for image in images for each in running(kinds, image)] if marks.words else []
        for place in absent_settings(programs, kinds):
            name = f"{place.object.name}-settings"
            metadata = {"name": name, "namespace": place.object.namespace}
            head: dict[str, Json] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}
            yield {**head, "spec": {_CHART: marks.words[0]}}


def _file_of(container: JsonObject) -> str:
    words = [w for field in ("command", "args") for w in listed(container, field) if isinstance(w, str)]
    for word, after in pairwise((*words, "")):
        option, equals, value = word.partition("=")
        if option == _OPTION:
            return value if equals else after
    return ""


def _covers(mounted: Json, file: str) -> bool:
    return isinstance(mounted, str) and bool(mounted) and f"{file}/".startswith(f"{mounted.rstrip('/')}/")
