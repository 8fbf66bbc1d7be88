"""Which kustomizations need another program: those that use what this package does not apply itself.

Files, namespace and patches are applied here, so that every field keeps its line. The rest is built by the user's own
kubectl or kustomize, and only where each thing that the kustomization names is a file of its root: what is remote is
named, and never fetched. Source: kubectl.docs.kubernetes.io, the reference of ``kustomization.yaml``.
Tested in ``tests/unit/input/units/test_building.py``.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Final

from kubectl_fairshare.input.files.paths import shown_path
from kubectl_fairshare.input.files.roots import root_of
from kubectl_fairshare.input.known import READ_ANNOTATIONS, KnownSchedulers
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.kustomizations import (
    NAMES,
    Kustomization,
    kustomization_in,
    patch_files,
    references_in,
    units_of,
)
from kubectl_fairshare.input.units.unit import Patch, RepositoryUnit
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.model.values import Value

_APPLIED: Final = frozenset(
    {
        *("apiVersion", "kind", "metadata", "resources", "bases", "components", "namespace"),
        *("patches", "patchesStrategicMerge", "patchesJson6902", "configMapGenerator", "secretGenerator"),
        *("generatorOptions", "sortOptions", "buildMetadata", "validators", "crds"),
    }
)
"""The fields that are applied here, or change nothing that is read."""
_OPERATIONS: Final = frozenset({"add", "replace", "remove"})
_BY_LABELS: Final = ("labelSelector", "annotationSelector")
_REMOTE: Final = ("://", "?ref=", "git@", "github.com/", "gitlab.com/", "bitbucket.org/")
_HIGHEST: Final = 16
"""Folders above a file in which its kustomization is looked for."""
_FETCH: Final = "build it yourself, and name the result: `kubectl kustomize FOLDER > built.yaml`"


class BuildNeed(Value, frozen=True):
    """A kustomization that holds something of a scheduler and that is not applied as it is written.

    ``fields`` are used and not applied here; ``remote`` are notes on what it names elsewhere, ``missing`` problems of
    files that are not there.
    """

    folder: str
    fields: tuple[str, ...]
    remote: tuple[Problem, ...]
    missing: tuple[Problem, ...]

    @property
    def is_built(self) -> bool:
        """Whether another program is to build it."""
        return bool(self.fields) and not (self.remote or self.missing)

    def not_built(self) -> Problem:
        """What is said of one that cannot be built, as a part of it is elsewhere."""
        fields = ", ".join(f"`{field}`" for field in self.fields)
        message = f"this kustomization uses {fields} and a remote base: neither is applied here"
        return Problem(message, shown_path(self.folder), _FETCH)


def needs(
    found: Mapping[str, Kustomization], texts: Mapping[str, bytes], schedulers: KnownSchedulers
) -> Iterator[BuildNeed]:
    """The needs of the kustomizations that no other one reads; ``texts`` are the files that were read, by path.

    Only those are looked at of which a file, or the kustomization itself, has a domain of a scheduler.
    """
    words = [domain.encode() for domain in schedulers.spared.domains]
    for unit in units_of(found):
        closure = list(_closure(found, unit.name))
        if not _mentions(unit, closure, texts, words):
            continue
        patches = {id(patch.content): patch for patch in unit.patches}.values()  # one file may be named often
        fields = dict.fromkeys(
            (*_fields(closure, schedulers), *(field for each in patches for field in _of_patch(each)))
        )
        entries = [entry for each in closure for entry in _absent(each)]
        remote = tuple(_remote(*entry) for entry in entries if _is_remote(entry[2]))
        missing = tuple(_missing(*entry) for entry in entries if not _is_remote(entry[2]))
        if fields or remote or missing:
            yield BuildNeed(unit.name, tuple(fields), remote, missing)


def patches_alone(paths: Iterable[str], folders: Iterable[str]) -> Iterator[Problem]:
    """What is said of files that are patches of a kustomization beside or above them and not among ``folders``."""
    owners: dict[str, tuple[str, Set[str]]] = {}
    for path in paths:
        folder = os.path.dirname(path)
        if folder not in owners:
            owners[folder] = _owner(folder)
        owner, patches = owners[folder]
        if patches and os.path.normpath(path) in patches and owner not in folders:
            shown = shown_path(owner or os.curdir)
            message = f"this is a patch of `{shown}`, and not a whole object"
            yield Problem(message, shown_path(path), f"name what applies it: `-f {shown}`, or `-k {shown}`")


def _owner(folder: str) -> tuple[str, Set[str]]:
    """The next kustomization in a folder or above it, in its root, with the files of its patches."""
    root, at = root_of(folder), os.path.normpath(folder)
    for _ in range(_HIGHEST):
        names = (os.path.join(at, name) for name in NAMES)
        path = next(filter(os.path.isfile, names), None)
        found = None if path is None else kustomization_in(path, root)
        if found is not None:
            return found.folder, patch_files({found.folder: found})
        if os.path.realpath(at) == root:
            break
        at = os.path.normpath(os.path.join(at, os.pardir))
    return "", frozenset()


def _closure(found: Mapping[str, Kustomization], folder: str) -> Iterator[Kustomization]:
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


def _mentions(
    unit: RepositoryUnit, closure: Sequence[Kustomization], texts: Mapping[str, bytes], words: Sequence[bytes]
) -> bool:
    """Whether one of the words is in a file of the unit, or in one of its kustomizations."""
    held = [texts.get(os.path.normpath(source), b"") for source in unit.sources]
    held += [each.text.data for each in closure if each.text is not None]
    return any(word in data for data in held for word in words)


def _fields(closure: Sequence[Kustomization], schedulers: KnownSchedulers) -> Iterator[str]:
    """The fields that are used, not applied here, and that can change what is read."""
    for each in closure:
        for name, value in each.data.items():
            if name not in _APPLIED and value and not _changes_nothing(name, value, schedulers):
                yield name


def _changes_nothing(name: str, value: Any, schedulers: KnownSchedulers) -> bool:
    """Whether a field sets only images that are no program of a scheduler, or annotations that no scheduler reads."""
    if name == "images" and isinstance(value, list):
        named = (str(each.get("name")).rpartition("/")[2] for each in value if isinstance(each, dict))
        return not any(image in each.images for image in named for each in schedulers)
    if name == "commonAnnotations" and isinstance(value, dict):
        read = (*schedulers.spared.annotations, *READ_ANNOTATIONS)
        domains = schedulers.spared.domains
        return not any(key.startswith(read) or any(d in key for d in domains) for key in map(str, value))
    return False


def _of_patch(patch: Patch) -> Iterator[str]:
    """What a patch uses that is not applied here."""
    yield from (name for name in _BY_LABELS if name in patch.target)
    content = patch.content
    if isinstance(content, list):
        yield from (
            f"op: {each.get('op')}" for each in content if isinstance(each, dict) and each.get("op") not in _OPERATIONS
        )
    elif _has_directive(content, within_list=False):
        yield "$patch"


def _has_directive(value: Any, *, within_list: bool) -> bool:
    """Whether a list has an item that says how it is merged."""
    if isinstance(value, dict):
        own = within_list and "$patch" in value
        return own or any(_has_directive(each, within_list=False) for each in value.values())
    return isinstance(value, list) and any(_has_directive(each, within_list=True) for each in value)


def _absent(each: Kustomization) -> Iterator[tuple[Kustomization, FieldPath, str]]:
    """What it names and is not on this machine, with the place of the name."""
    for at, entry in references_in(each.data):
        if not os.path.exists(os.path.join(each.folder, entry.replace("\0", "?"))):
            yield each, at, entry


def _is_remote(entry: str) -> bool:
    return any(mark in entry for mark in _REMOTE)


def _place(each: Kustomization, at: FieldPath) -> Location | str:
    if each.text is None:
        return shown_path(each.folder)
    return Texts([each.text]).locate(Origin(each.text.name, 0), at)


def _remote(each: Kustomization, at: FieldPath, entry: str) -> Problem:
    message = f"`{entry}` is not fetched: what is in it is not known here"
    return Problem(message, _place(each, at), _FETCH)


def _missing(each: Kustomization, at: FieldPath, entry: str) -> Problem:
    message = f"this kustomization names `{entry}`, which is not there: kustomize does not build it"
    return Problem(message, _place(each, at), "correct the name, or add the file")
