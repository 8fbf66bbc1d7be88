"""Which file holds a field of an object that kubectl built from a kustomization.

Tested in ``tests/unit/input/units/test_kustomize_places.py``.
"""

from typing import Final

from kubectl_fairshare.input.files.kustomize import name_of
from kubectl_fairshare.input.units.kustomizations import unit_of
from kubectl_fairshare.input.units.patching import patched, written_at
from kubectl_fairshare.input.units.reader import documents_of
from kubectl_fairshare.input.units.unit import RepositoryUnit
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace

_PREFIX: Final = name_of("").rstrip()
_GENERATED: Final = "a generator or a remote base"


def folder_of(source: str) -> str:
    """The folder of the kustomization that kubectl built; empty for another source."""
    return source.removeprefix(f"{_PREFIX} ") if source.startswith(f"{_PREFIX} ") else ""


def is_file(holder: str) -> bool:
    """Whether what holds a field is a file that is known."""
    return holder not in ("", _GENERATED)


class BuiltObjects:
    """The files behind the objects of kustomizations that were built; each is read once."""

    def __init__(self) -> None:
        self._units: dict[str, tuple[RepositoryUnit, dict[str, list[Json]]] | None] = {}

    def file_of(self, manifest: Manifest, path: FieldPath) -> str:
        """The file that holds the field; what made the object if none does; empty if the object was not built."""
        known = self._unit(manifest)
        if known is None:
            return ""
        unit, documents = known
        changed = patched(manifest, unit.patches)
        held = manifest if changed is None else replace(manifest, patches=changed.patches)
        origin, _ = written_at(held, path)
        if origin != manifest.origin:
            return origin.source
        files = [file for file, listed in documents.items() if any(_is_object(each, manifest) for each in listed)]
        return files[-1] if files else _GENERATED if unit.generated else ""

    def patches_of(self, manifest: Manifest) -> tuple[str, ...]:
        """The files whose patches change the object, whether it was built or its unit was read."""
        known = self._unit(manifest)
        changed = manifest if known is None else patched(manifest, known[0].patches)
        return () if changed is None else tuple(dict.fromkeys(origin.source for origin, _ in changed.patches))

    def _unit(self, manifest: Manifest) -> tuple[RepositoryUnit, dict[str, list[Json]]] | None:
        """The unit that was built to print the object, with the documents of its files; None if it was not built."""
        source = manifest.source
        if not source.startswith(f"{_PREFIX} "):
            return None
        directory = source.removeprefix(f"{_PREFIX} ")
        if directory not in self._units:
            unit = unit_of(directory)
            self._units[directory] = None if unit is None else (unit, {f: documents_of(f) for f in unit.sources})
        return self._units[directory]


def _is_object(document: Json, manifest: Manifest) -> bool:
    if not isinstance(document, dict):
        return False
    if document.get("kind") == "List" and isinstance(document.get("items"), list):
        return any(_is_object(item, manifest) for item in document["items"])
    metadata = document.get("metadata")
    named = metadata.get("name") if isinstance(metadata, dict) else None
    return (document.get("kind"), named) == (manifest.key.kind, manifest.key.name)
