"""Kustomizations as they are written: which files each reads, and what it changes in their objects.

Nothing is built: files, namespace and patches decide what lint has to know, and no program, network or plugin is
needed. Names that are prefixed, and objects that generators make, are left as they are.
Source: kubectl.docs.kubernetes.io, the reference of ``kustomization.yaml``.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from kubectl_fairshare.input.files.paths import KUSTOMIZATIONS, outside, shown_path
from kubectl_fairshare.input.files.roots import is_within, root_of
from kubectl_fairshare.input.text.known_texts import KnownTexts
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.input.units.reader import Reader, documents_in
from kubectl_fairshare.input.units.unit import Patch, RepositoryUnit
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.model.values import field as value_field

NAMES: Final = KUSTOMIZATIONS
Refused: TypeAlias = dict[str, FairshareError]
"""What is said of folders whose kustomization holds nothing that kustomize reads."""
_LISTED: Final = ("resources", "bases", "components")
_TYPES: Final = frozenset({"apiVersion", "kind"})
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
_WITH_KEYS: Final = "files"
"""The one of these fields whose entries may begin with the key of the file: ``KEY=PATH``."""
_DEEPEST: Final = 64
_LARGEST_MAP: Final = 1 << 20
"""The bytes that a ConfigMap may have."""
_MOST: Final = 10_000
"""The most kustomizations outside of the folders that those in them may read, directly and through others."""


class Kustomization(Value, frozen=True):
    """One kustomization file: its folder, what it says, its text, and what reads the files that it names."""

    folder: str
    data: Mapping[str, Any]
    reader: Reader
    text: Text | None = None

    def place(self, at: FieldPath) -> Location | str:
        """Where a field of it is."""
        return (
            shown_path(self.folder) if self.text is None else Texts([self.text]).locate(Origin(self.text.name, 0), at)
        )

    @property
    def is_component(self) -> bool:
        """Whether it only changes the objects of others."""
        return self.data.get("kind") == "Component"

    def named(self) -> Iterator[str]:
        """The local files and folders that it reads, as paths."""
        return (path for _, _, path in self.bases())

    def bases(self) -> Iterator[tuple[FieldPath, str, str]]:
        """The same, each with the place of its name and the name."""
        for field in _LISTED:
            for at, entry in _entries(self.data, field):
                if not is_address(entry):
                    yield at, entry, os.path.normpath(os.path.join(self.folder, entry))

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
                yield outside(os.path.normpath(path), self.reader.root, self.place(at))

    @property
    def inflates(self) -> bool:
        """Whether it renders charts."""
        return any(self.data.get(field) for field in ("helmCharts", "helmChartInflationGenerator"))

    @property
    def has_more(self) -> bool:
        """Whether it reads what is not local, or generates objects."""
        remote = (e for field in _LISTED for e in _texts(self.data.get(field)) if is_address(e))
        return any(self.data.get(field) for field in _GENERATORS) or any(True for _ in remote)


class KustomizedFolders(Value, frozen=True):
    """The folders that were named, with the kustomizations in them by folder, and the ``files`` named next to them.

    ``refused`` is what is wrong in other folders with files of their names. ``built`` are the sources that another
    program printed for some; ``remote`` those with parts that are not here, with what is said of these.
    ``releases`` are those of schedulers, by
    name, that each installs from elsewhere; under the empty name those of all of them.
    """

    names: Sequence[str] = ()
    found: Mapping[str, Kustomization] = value_field(default_factory=dict)
    refused: Mapping[str, FairshareError] = value_field(default_factory=dict)
    built: Mapping[str, str] = value_field(default_factory=dict)
    remote: Mapping[str, Sequence[str]] = value_field(default_factory=dict)
    releases: Mapping[str, Mapping[str, str]] = value_field(default_factory=dict)
    files: Collection[str] = ()


def folders_from(folders: Sequence[str], known: KnownTexts | None = None) -> KustomizedFolders:
    """The kustomizations in the folders and below, and those that they read from elsewhere in their root.

    ``known`` are texts that were decoded before.
    """
    refused: Refused = {}
    found = found_below(folders, refused, known)
    left = list(found.values())
    most = len(found) + _MOST
    while left:
        each = left.pop()
        for folder in each.named():
            if folder in found or folder in refused or not is_within(folder, each.reader.root):
                continue
            names = _names_in(folder)
            if names and len(found) >= most:
                refused[folder] = _too_many(each)
            elif reached := _kustomization(folder, names, each.reader, refused):
                found[reached.folder] = reached
                left.append(reached)
    return KustomizedFolders(folders, found, refused)


def found_below(
    folders: Iterable[str], refused: Refused | None = None, known: KnownTexts | None = None
) -> dict[str, Kustomization]:
    """The kustomizations in the folders and below, by folder; hidden folders are left out, links to others followed.

    ``refused`` takes what is said of folders with files of their names that hold nothing that kustomize reads.
    """
    found = {}
    for top in folders:
        reader = Reader(root_of(top), known)
        entered: set[str] = set()
        for folder, below, files in os.walk(top, followlinks=True):
            own = (name for name in below if not name.startswith("."))
            below[:] = sorted(
                name for name in own if _is_entered(os.path.join(folder, name), top, reader.root, entered)
            )
            each = _kustomization(folder, [name for name in NAMES if name in files], reader, refused)
            if each is not None:
                found[each.folder] = each
    return found


def _is_entered(folder: str, top: str, root: str, entered: set[str]) -> bool:
    """Whether a folder is walked: a link only if it leads to one in the root that is not below ``top``, and once."""
    if not os.path.islink(folder):
        return True
    real, within = os.path.realpath(folder), os.path.realpath(top)
    if real in entered or is_within(folder, within) or is_within(within, real) or not is_within(folder, root):
        return False
    entered.add(real)
    return True


def _names_in(folder: str) -> list[str]:
    """The names of the kustomizations of a folder."""
    return [name for name in NAMES if os.path.isfile(os.path.join(folder, name))]


def closure_of(directory: str) -> dict[str, Kustomization]:
    """The kustomization of a folder and those that it reads, by folder; empty if it has none."""
    found: dict[str, Kustomization] = {}
    left = [os.path.normpath(directory)]
    reader = Reader(os.sep)  # kubectl has built it, and restricts what it loads
    while left and len(found) < _MOST:
        folder = left.pop()
        each = None if folder in found else _kustomization(folder, _names_in(folder), reader)
        if each is not None:
            found[folder] = each
            left += [path for path in each.named() if os.path.isdir(path)]
    return found


def closure_in(found: Mapping[str, Kustomization], folder: str) -> Iterator[Kustomization]:
    """A kustomization and all that it reads, each once."""
    seen = {folder}
    left = [folder]
    while left:
        each = found[left.pop()]
        yield each
        for path in each.named():
            if path in found and path not in seen:
                seen.add(path)
                left.append(path)


def kustomization_in(path: str, root: str, known: KnownTexts | None = None) -> Kustomization | None:
    """The kustomization that a file holds; None without one. Nothing out of ``root`` is read."""
    folder, name = os.path.split(path)
    return _kustomization(folder, [name], Reader(root, known)) if name in NAMES else None


def unit_of(directory: str) -> RepositoryUnit | None:
    """The unit of one kustomization, with all that it reads from this machine; None without one."""
    found = closure_of(directory)
    folder = os.path.normpath(directory)
    return _unit(found, folder) if folder in found else None


def _kustomization(
    folder: str, names: Sequence[str], reader: Reader, refused: Refused | None = None
) -> Kustomization | None:
    """What a folder with files of these names is; None, and why in ``refused``, where it has no kustomization."""
    if not names:
        return None
    path = os.path.normpath(os.path.join(folder, names[0]))
    text, documents = reader.documents(path)
    data = documents[0] if documents else None
    error = reader.error(path) or _unlike(path, data)
    if isinstance(data, dict) and error is None and len(names) == 1:
        return Kustomization(os.path.normpath(folder), data, reader, text)
    if refused is not None:
        refused[os.path.normpath(folder)] = error or _two(folder, names)
    return None


def _unlike(path: str, data: Json) -> FairshareError | None:
    """What is said of a document that holds nothing that kustomize reads."""
    if isinstance(data, dict) and any(data[name] not in (None, "") for name in data.keys() - _TYPES):
        return None
    what = "is empty" if data is None or isinstance(data, dict) else "is not a mapping"
    remedy = "name its files in `resources`, or remove it"
    message = f"this kustomization {what}: kustomize does not build it"
    return FairshareError(Problem(message, Location(shown_path(path), 1, 1), remedy))


def _two(folder: str, names: Sequence[str]) -> FairshareError:
    shown = " and ".join(f"`{name}`" for name in names)
    message = f"this folder has {shown}: kustomize does not build it"
    place = Location(shown_path(os.path.join(folder, names[1])), 1, 1)
    return FairshareError(Problem(message, place, "keep one of them"))


def _too_many(each: Kustomization) -> FairshareError:
    message = f"more than {_MOST:,} kustomizations are read from outside of the folders: the rest is not read"
    return FairshareError(Problem(message, each.place(()), "name the folder of one cluster"))


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
        for content in documents_in("patch", text.encode()):
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
                    yield (field, number, name), value
                for at, text in _entries(entry, name):
                    yield (field, number, *at), text.partition("=")[2] or text if name == _WITH_KEYS else text
    for field, name in (("openapi", "path"), ("helmGlobals", "chartHome")):
        inner = data.get(field)
        if isinstance(inner, dict) and isinstance(inner.get(name), str):
            yield (field, name), inner[name]


def _entries(data: Mapping[str, Any], field: str) -> Iterator[tuple[FieldPath, str]]:
    listed = data.get(field)
    for number, text in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(text, str):
            yield (field, number), text


def _texts(value: Any) -> list[str]:
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []


def _dicts(value: Any) -> list[dict[str, Json]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
