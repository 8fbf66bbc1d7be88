"""Locates findings, and gives them fingerprints that do not change when lines move."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.finding import Finding, Rename
from kubectl_fairshare.input.files.charts import file_of
from kubectl_fairshare.input.files.helm import Templates
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.marks import Mark, mark
from kubectl_fairshare.input.units.patching import written_at
from kubectl_fairshare.input.units.written import BuiltObjects
from kubectl_fairshare.lint.findings.placed import Placed, is_on_disk
from kubectl_fairshare.lint.house import Houses, as_written
from kubectl_fairshare.lint.run import Reported
from kubectl_fairshare.model.json import ColumnPart, FieldPath, Json, LinePart
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace

_CLUSTER: Final = Location("<cluster>", 0, 0)
_NAMES: Final = ("name", "nodeLabel", "key", "type")
"""The fields that identify the items of a list, in the order of preference."""


def place(reported: Iterable[Reported], reading: Reading, houses: Houses) -> tuple[Placed, ...]:
    """The findings in the order of the texts, each at its line."""
    finder = _Finder(reading, houses)
    seen: Counter[str] = Counter()
    found = []
    for each in reported:
        subject = finder.subject(each)
        seen[subject] += 1
        found.append(finder.placed(each, _fingerprint(subject, seen[subject])))
    return tuple(sorted(found, key=in_text_order))


def in_text_order(placed: Placed) -> tuple[Location, int, str, str]:
    """The sort key of findings: place, severity, rule."""
    reported = placed.reported
    return placed.location, reported.severity.rank, reported.rule.id, reported.finding.message


def _fingerprint(subject: str, ordinal: int) -> str:
    from hashlib import sha256  # loads OpenSSL

    return sha256(f"{subject}\n{ordinal}".encode()).hexdigest()[:32]


class _Finder:
    """Finds the locations of places in the input."""

    def __init__(self, reading: Reading, houses: Houses) -> None:
        self._houses = houses
        self._texts = reading.texts
        self._templates = Templates(reading.texts)
        self._built = BuiltObjects()
        self._manifests: Mapping[ObjectKey, Manifest] = {m.key: m for m in reading.manifests}
        self._first = next(iter(reading.texts), "")

    def placed(self, reported: Reported, fingerprint: str) -> Placed:
        finding = reported.finding
        marked = self._mark(finding.place, at_key=_is_about_key(finding))
        manifest = self._manifests.get(finding.place.object)
        template = self._template(manifest, finding.place)
        known = {marked.location.source, template}
        patches = () if manifest is None else self._built.patches_of(manifest)
        return Placed(
            reported,
            marked.location,
            marked.end,
            marked.excerpt,
            fingerprint,
            tuple((each.text, self._mark(each.place).location) for each in finding.related),
            marked.column,
            template,
            tuple(self._template(self._manifests.get(each.place.object), each.place) for each in finding.related),
            patches=tuple(source for source in patches if source not in known),
            fixable=self._is_fixable(finding),
        )

    def _is_fixable(self, finding: Finding) -> bool:
        """Whether there is a safe fix of texts that are files."""
        if not (finding.remedy.safe and finding.remedy.edits):
            return False
        from kubectl_fairshare.editing.splice import UnspliceableError
        from kubectl_fairshare.lint.findings.fixes import fix_of

        try:
            sources = fix_of(finding, self._manifests, self._houses).sources
        except UnspliceableError:
            return False
        return all(source in self._texts and is_on_disk(source) for source in sources)

    def _template(self, manifest: Manifest | None, at: Place) -> str:
        """The template or the file behind text that helm or kustomize printed."""
        if manifest is None or manifest.source not in self._texts:
            return ""
        path = self._path_in_text(manifest, at.path)
        template = self._templates.of(manifest.origin)
        return file_of(manifest.source, template) if template else self._built.file_of(manifest, path)

    def subject(self, reported: Reported) -> str:
        """Rule, object and field as a text that does not change when lines move: items appear by name."""
        key, path = reported.finding.place
        manifest = self._manifests.get(key)
        named = path if manifest is None else _by_name(manifest.data, self._path_in_text(manifest, path))
        fields = (str(part) for part in named if not isinstance(part, LinePart | ColumnPart))
        return "\n".join((reported.rule.id, *key, *fields))

    def _mark(self, at: Place, *, at_key: bool = False) -> Mark:
        manifest = self._manifests.get(at.object)
        if manifest is not None and manifest.source not in self._texts:
            return Mark(Location(f"<cluster> {at}", 0, 0), 0, "", 0)
        if manifest is None:  # an object without a text: reported before all others
            return Mark(Location(self._first, 1, 1), 2, "", 1) if self._first else Mark(_CLUSTER, 0, "", 0)
        origin, path = written_at(manifest, self._path_in_text(manifest, at.path))
        found = mark(self._texts, origin, path, at_key=at_key)
        return replace(found, location=self._texts.named(found.location, str(at)))

    def _path_in_text(self, manifest: Manifest, path: FieldPath) -> FieldPath:
        return as_written(manifest, path, self._houses)


def _is_about_key(finding: Finding) -> bool:
    """Whether the finding is about the key and not the value, as for a field to rename."""
    return finding.about_key or any(isinstance(e, Rename) and e.place == finding.place for e in finding.remedy.edits)


def _by_name(data: Json, path: FieldPath) -> FieldPath:
    """The path with the items of lists by name, or by value, if they have one."""
    named: list[str | int] = []
    for part in path:
        data = _child(data, part)
        named.append(_name(data, part) if isinstance(part, int) else part)
    return tuple(named)


def _child(data: Json, part: str | int) -> Json:
    try:
        return data[part]
    except (KeyError, IndexError, TypeError):
        return None


def _name(item: Json, index: int) -> str | int:
    if isinstance(item, str):
        return f"[{item}]"
    if isinstance(item, dict):
        for field in _NAMES:
            if isinstance(item.get(field), str):
                return f"[{field}={item[field]}]"
    return index
