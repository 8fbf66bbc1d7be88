"""A finding's remedy as changes of the texts of its objects."""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.editing.fixing import Fix
from kubectl_fairshare.editing.pieces import SourceDocument
from kubectl_fairshare.editing.splice import EditStep, UnspliceableError
from kubectl_fairshare.finding import Edit, Finding, Insert
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.house import Houses, as_written
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest

_SPELT_OTHERWISE: Final = "the field has another name in this version of the API"

_PATCHED: Final = "a kustomization patches this object: change the patch, or the base, by hand"


class Manifests:
    """The objects that findings are about, by key; two units may give one object differently."""

    def __init__(self, reading_of: Callable[[Placed], Reading]) -> None:
        self._reading_of = reading_of
        self._by_unit: dict[str, dict[ObjectKey, Manifest]] = {}

    def of(self, placed: Placed) -> Mapping[ObjectKey, Manifest]:
        """The objects of the unit of a finding."""
        found = self._by_unit.get(placed.unit)
        if found is None:
            found = self._by_unit[placed.unit] = {m.key: m for m in self._reading_of(placed).manifests}
        return found


def fix_of(finding: Finding, manifests: Mapping[ObjectKey, Manifest], houses: Houses) -> Fix:
    """The edits of a finding, at the places as written. Raises ``UnspliceableError`` if one has no such place."""
    steps: dict[SourceDocument, tuple[EditStep, ...]] = {}
    for edit in finding.remedy.edits:
        manifest = manifests.get(edit.place.object)
        if manifest is None:
            raise UnspliceableError(f"{edit.place.object} has no text")
        if manifest.patched:
            raise UnspliceableError(_PATCHED)
        origin = manifest.origin
        part = SourceDocument(origin.source, origin.document)
        path, written = _edit_as_written(manifest, edit, houses)
        steps[part] = (*steps.get(part, ()), EditStep((*origin.path, *path), written))
    return Fix(steps)


def _edit_as_written(manifest: Manifest, edit: Edit, houses: Houses) -> tuple[FieldPath, Edit]:
    """The path of an edit in the version of the manifest, and the edit with its key in that version."""
    stored = edit.place.path
    path = as_written(manifest, stored, houses)
    if not isinstance(edit, Insert):
        if len(path) != len(stored):
            raise UnspliceableError(_SPELT_OTHERWISE)
        return path, edit
    inserted = as_written(manifest, (*stored, edit.key), houses)
    if len(inserted) != len(path) + 1 or inserted[:-1] != path:
        raise UnspliceableError(_SPELT_OTHERWISE)
    return path, Insert(edit.place, str(inserted[-1]), edit.value)
