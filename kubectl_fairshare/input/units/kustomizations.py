"""Kustomizations as they are written: which files each reads, and what it changes in their objects.

Nothing is built: files, namespace and patches decide what lint has to know, and no program, network or plugin is
needed. Names that are prefixed, and objects that generators make, are left as they are.
Source: kubectl.docs.kubernetes.io, the reference of ``kustomization.yaml``.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from kubectl_fairshare.input.files.opening import small_file
from kubectl_fairshare.input.files.paths import KUSTOMIZATIONS, outside
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.files.roots import is_within, root_of
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.input.units.unit import Patch, RepositoryUnit
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.model.values import field as value_field

NAMES: Final = KUSTOMIZATIONS
_LISTED: Final = ("resources", "bases", "components")
_GENERATORS: Final = (
    "generators",
    "helmCharts",
    "helmChartInflationGenerator",
    "configMapGenerator",
    "secretGenerator",
)
_WITH_PATHS: Final[Mapping[str, Sequence[str]]] = {
    "patches": ("path",),
    "patchesJson6902": ("path",),
    "replacements": ("path",),
    "configMapGenerator": ("files", "envs", "env"),
    "secretGenerator": ("files", "envs", "env"),
    "helmCharts": ("valuesFile", "additionalValuesFiles"),
    "helmChartInflationGenerator": ("values",),
}
"""The lists whose entries name files, and the fields that do."""
_DEEPEST: Final = 64
_LARGEST_MAP: Final = 1 << 20
"""The bytes that a ConfigMap may have."""
_LARGEST: Final = 4 << 20
"""The bytes that a kustomization, or a file of patches, may have."""
_MOST_READ: Final = 256 << 20
"""The bytes of all kustomizations and patches of a folder."""
_MOST: Final = 1_000
"""The most kustomizations that one may read, directly and through others."""


class Reader:
    """The files below a root, each read once, as far as ``budget`` lasts; what leads out of the root is not read."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._budget = Budget(_MOST_READ)
        self._read: dict[str, tuple[Text | None, Sequence[Json]]] = {}
        self.units: dict[tuple[int, str], RepositoryUnit] = {}
        """The units that were made of kustomizations, by these and their folder: their patches may be many."""

    def documents(self, path: str) -> tuple[Text | None, Sequence[Json]]:
        """The text and the documents of a file; none where it cannot be read: kustomize reports that."""
        if path not in self._read:
            self._read[path] = self._documents(path)
        return self._read[path]

    def _documents(self, path: str) -> tuple[Text | None, Sequence[Json]]:
        try:
            if not is_within(path, self.root):
                return None, ()
            return _decoded(path, self._budget.spend(small_file(path, min(_LARGEST, self._budget.left))))
        except (OSError, ValueError):  # the latter for a path with a null byte
            return None, ()


class Kustomization(Value, frozen=True):
    """One kustomization file: its folder, what it says, its text, and what reads the files that it names."""

    folder: str
    data: Mapping[str, Any]
    reader: Reader
    text: Text | None = None

    @property
    def is_component(self) -> bool:
        """Whether it only changes the objects of others."""
        return self.data.get("kind") == "Component"

    def named(self) -> Iterator[str]:
        """The local files and folders that it reads, as paths."""
        for field in _LISTED:
            for entry in _texts(self.data.get(field)):
                if not is_address(entry):
                    yield os.path.normpath(os.path.join(self.folder, entry))

    def generating_files(self) -> Iterator[str]:
        """The files of which it makes ConfigMaps, as far as they are within the root and not too large."""
        for generator in _dicts(self.data.get("configMapGenerator")):
            for entry in _texts(generator.get("files")):
                path = os.path.normpath(os.path.join(self.folder, entry.rpartition("=")[2]))
                if is_within(path, self.reader.root) and os.path.isfile(path) and os.path.getsize(path) <= _LARGEST_MAP:
                    yield path

    def files(self) -> Iterator[str]:
        """The files of objects that it names, as far as they are within the root."""
        for path in self.named():
            if os.path.isfile(path) and is_within(path, self.reader.root):
                yield path

    def references(self) -> Iterator[str]:
        """Every file and folder of this machine that it names, as paths."""
        for _, entry in references_in(self.data):
            yield os.path.normpath(os.path.join(self.folder, entry))

    def leading_out(self) -> Iterator[Problem]:
        """What is said of each file or folder that it names and that is not within the root."""
        for at, entry in references_in(self.data):
            path = os.path.join(self.folder, entry)
            if is_address(entry):
                continue
            if not is_within(path, self.reader.root):
                source = self.folder if self.text is None else self.text.name
                place = source if self.text is None else Texts([self.text]).locate(Origin(source, 0), at)
                yield outside(os.path.normpath(path.replace("\0", "?")), self.reader.root, place)

    @property
    def has_more(self) -> bool:
        """Whether it reads what is not local, or generates objects."""
        remote = (e for field in _LISTED for e in _texts(self.data.get(field)) if is_address(e))
        return any(self.data.get(field) for field in _GENERATORS) or any(True for _ in remote)


class KustomizedFolders(Value, frozen=True):
    """The folders that were named, with the kustomizations in them by folder, and the ``files`` named beside them.

    ``built`` are the sources that another program printed for some; ``remote`` those with parts that are not here.
    """

    names: Sequence[str] = ()
    found: Mapping[str, Kustomization] = value_field(default_factory=dict)
    built: Mapping[str, str] = value_field(default_factory=dict)
    remote: Collection[str] = ()
    files: Collection[str] = ()


def found_from(folders: Iterable[str]) -> dict[str, Kustomization]:
    """The kustomizations in the folders and below, and those that they read from elsewhere in their root."""
    found = found_below(folders)
    left = list(found.values())
    while left and len(found) < _MOST:
        each = left.pop()
        for folder in each.named():
            if folder not in found and is_within(folder, each.reader.root):
                names = (name for name in NAMES if os.path.isfile(os.path.join(folder, name)))
                name = next(names, None)
                reached = None if name is None else _kustomization(folder, name, each.reader)
                if reached is not None:
                    found[reached.folder] = reached
                    left.append(reached)
    return found


def found_below(folders: Iterable[str]) -> dict[str, Kustomization]:
    """The kustomizations in the folders and below, by folder; hidden folders, and what is not YAML, are left out."""
    found = {}
    for top in folders:
        reader = Reader(root_of(top))
        for folder, below, files in os.walk(top):
            below[:] = sorted(name for name in below if not name.startswith("."))
            name = next((name for name in NAMES if name in files), None)
            each = None if name is None else _kustomization(folder, name, reader)
            if each is not None:
                found[each.folder] = each
    return found


def closure_of(directory: str) -> dict[str, Kustomization]:
    """The kustomization of a folder and those that it reads, by folder; empty if it has none."""
    found: dict[str, Kustomization] = {}
    left = [os.path.normpath(directory)]
    reader = Reader(os.sep)  # kubectl has built it, and restricts what it loads
    while left and len(found) < _MOST:
        folder = left.pop()
        names = (name for name in NAMES if os.path.isfile(os.path.join(folder, name)))
        name = None if folder in found else next(names, None)
        each = None if name is None else _kustomization(folder, name, reader)
        if each is not None:
            found[folder] = each
            left += [path for path in each.named() if os.path.isdir(path)]
    return found


def kustomization_in(path: str, root: str) -> Kustomization | None:
    """The kustomization that a file holds; None without one. Nothing out of ``root`` is read."""
    folder, name = os.path.split(path)
    return _kustomization(folder, name, Reader(root)) if name in NAMES else None


def unit_of(directory: str) -> RepositoryUnit | None:
    """The unit of one kustomization, with all that it reads from this machine; None without one."""
    found = closure_of(directory)
    folder = os.path.normpath(directory)
    return _unit(found, folder) if folder in found else None


def _kustomization(folder: str, name: str, reader: Reader) -> Kustomization | None:
    text, documents = reader.documents(os.path.normpath(os.path.join(folder, name)))
    data = documents[0] if documents else None
    return Kustomization(os.path.normpath(folder), data, reader, text) if isinstance(data, dict) else None


def units_of(kustomizations: Mapping[str, Kustomization], roots: Iterable[str] = ()) -> list[RepositoryUnit]:
    """A unit for each kustomization that no other one reads, and for each of ``roots``."""
    inner = {path for each in kustomizations.values() for path in each.named() if path in kustomizations}
    tops = [f for f, each in kustomizations.items() if f not in inner and not each.is_component]
    return [_unit(kustomizations, folder) for folder in sorted({*tops, *(r for r in roots if r in kustomizations)})]


def patch_files(kustomizations: Mapping[str, Kustomization]) -> set[str]:
    """The files that hold patches: they are no objects of their own."""
    return {path for each in kustomizations.values() for path in _patch_paths(each)}


def _unit(kustomizations: Mapping[str, Kustomization], folder: str) -> RepositoryUnit:
    made = kustomizations[folder].reader.units
    key = id(kustomizations), folder
    if key not in made:
        made[key] = _made_unit(kustomizations, folder)
    return made[key]


def _made_unit(kustomizations: Mapping[str, Kustomization], folder: str) -> RepositoryUnit:
    built = _Built(kustomizations)
    built.add(folder, 0)
    top = kustomizations[folder]
    namespace = top.data.get("namespace")
    return RepositoryUnit(
        folder,
        "kustomization",
        tuple(dict.fromkeys(built.files)),
        tuple(built.patches),
        namespace if isinstance(namespace, str) else "",
        built.namespaces,
        built.has_more,
    )


class _Built:
    """The files and patches of a kustomization and of those that it reads; inner patches come first."""

    def __init__(self, kustomizations: Mapping[str, Kustomization]) -> None:
        self._all = kustomizations
        self._added: set[str] = set()
        self.files: list[str] = []
        self.namespaces: dict[str, str] = {}
        self.patches: list[Patch] = []
        self.has_more = False

    def add(self, folder: str, depth: int, start: int = 0, outer: str = "") -> None:
        """Adds a kustomization; a component changes the files that its parent has from number ``start`` on, too.

        ``outer`` is the namespace of the outermost kustomization around it that sets one: that one counts.
        """
        each = self._all[folder]
        own = each.data.get("namespace")
        outer = outer or (own if isinstance(own, str) and depth else "")
        self._added.add(folder)
        self.has_more = self.has_more or each.has_more
        for path in each.named():
            if path in self._added:
                continue  # two ways to one folder add its objects once, however many ways there are
            if path in self._all and depth < _DEEPEST:
                self.add(path, depth + 1, start if self._all[path].is_component else len(self.files), outer)
            else:
                self.files.append(path)
                if outer:
                    self.namespaces[path] = outer
        within = frozenset(self.files[start:]) if start or depth else frozenset()
        self.patches += (replace(patch, within=within) for patch in _patches(each)) if within else _patches(each)


def _patches(each: Kustomization) -> Iterator[Patch]:
    for number, entry in enumerate(_dicts(each.data.get("patches"))):
        yield from _patch(each, entry, entry.get("patch"), ("patches", number, "patch"))
    for number, text in enumerate(_texts(each.data.get("patchesStrategicMerge"))):
        inline = "\n" in text
        at = ("patchesStrategicMerge", number)
        yield from _patch(each, {} if inline else {"path": text}, text if inline else None, at)
    for number, entry in enumerate(_dicts(each.data.get("patchesJson6902"))):
        yield from _patch(each, entry, entry.get("patch"), ("patchesJson6902", number, "patch"))


def _patch(each: Kustomization, entry: Mapping[str, Json], text: Json, at: FieldPath) -> Iterator[Patch]:
    target = entry.get("target")
    selected = {k: v for k, v in target.items() if isinstance(v, str)} if isinstance(target, dict) else {}
    path = entry.get("path")
    if isinstance(text, str):
        written = each.text
        for content in _decoded("patch", text.encode())[1]:
            if content is not None:
                yield Patch(content, selected, None if written is None else Origin(written.name, 0, at), written)
    elif isinstance(path, str):
        name = os.path.normpath(os.path.join(each.folder, path))
        written, contents = each.reader.documents(name)
        for number, content in enumerate(contents):
            if content is not None:
                yield Patch(content, selected, Origin(name, number), written)


def _patch_paths(each: Kustomization) -> Iterator[str]:
    entries = [*_dicts(each.data.get("patches")), *_dicts(each.data.get("patchesJson6902"))]
    paths = [entry.get("path") for entry in entries]
    paths += [text for text in _texts(each.data.get("patchesStrategicMerge")) if "\n" not in text]
    for field in ("configurations", "crds", "transformers", "generators"):
        paths += _texts(each.data.get(field))
    for path in paths:
        if isinstance(path, str):
            yield os.path.normpath(os.path.join(each.folder, path))


def is_address(entry: str) -> bool:
    """Whether what a kustomization names is elsewhere, by the form of the name."""
    return "://" in entry or "?ref=" in entry


def references_in(data: Mapping[str, Any]) -> Iterator[tuple[FieldPath, str]]:
    """Every file, folder or address that a kustomization names, with the place of its name."""
    for field in (*_LISTED, "configurations", "crds", "transformers", "generators", "validators"):
        yield from ((at, text) for at, text in _entries(data, field) if "\n" not in text)
    yield from ((at, text) for at, text in _entries(data, "patchesStrategicMerge") if "\n" not in text)
    for field, names in _WITH_PATHS.items():
        for number, entry in enumerate(_dicts(data.get(field))):
            for name in names:
                value = entry.get(name)
                if isinstance(value, str):
                    yield (field, number, name), value.rpartition("=")[2]
                for at, text in _entries(entry, name):
                    yield (field, number, *at), text.rpartition("=")[2]
    for field, name in (("openapi", "path"), ("helmGlobals", "chartHome")):
        inner = data.get(field)
        if isinstance(inner, dict) and isinstance(inner.get(name), str):
            yield (field, name), inner[name]


def _entries(data: Mapping[str, Any], field: str) -> Iterator[tuple[FieldPath, str]]:
    listed = data.get(field)
    for number, text in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(text, str):
            yield (field, number), text


def documents_of(path: str) -> list[Json]:
    """The documents of a file; none if it cannot be read."""
    return [*Reader(os.sep).documents(path)[1]]


def _decoded(name: str, data: bytes) -> tuple[Text | None, Sequence[Json]]:
    from kubectl_fairshare.input.text.decoding import decode

    try:
        return decode(name, data)
    except FairshareError:
        return None, ()


def _texts(value: Any) -> list[str]:
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []


def _dicts(value: Any) -> list[dict[str, Json]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
