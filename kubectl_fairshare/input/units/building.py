"""Which kustomizations need another program: those that use what this package does not apply itself.

Files, namespace and patches are applied here, so that every field keeps its line. The rest is built by the user's own
kubectl or kustomize, and only where each thing that the kustomization names is a file of its root: what is remote is
named, and never fetched. Source: kubectl.docs.kubernetes.io, the reference of ``kustomization.yaml``.
Tested in ``tests/unit/input/units/test_building.py``.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Final

from kubectl_fairshare.input.files.opening import small_file
from kubectl_fairshare.input.files.paths import shown_path
from kubectl_fairshare.input.files.roots import root_of
from kubectl_fairshare.input.known import READ_ANNOTATIONS, KnownSchedulers, releases_together
from kubectl_fairshare.input.text.yaml_problems import TemplateError
from kubectl_fairshare.input.units.kustomization_fields import spelled_otherwise
from kubectl_fairshare.input.units.kustomizations import (
    NAMES,
    Kustomization,
    KustomizedFolders,
    closure_in,
    kustomization_in,
    patch_files,
    references_in,
    units_of,
)
from kubectl_fairshare.input.units.refusals import refusals
from kubectl_fairshare.input.units.unit import Patch, RepositoryUnit
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.values import Value, replace

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
_REMOTE: Final = ("://", "?ref=", "github.com:", "github.com/", "gitlab.com/", "bitbucket.org/")
_REMOTE_START: Final = re.compile(r"[\w-]+@[\w.-]+[:/]")
"""An address of git without a scheme: a user at a host."""
_HIGHEST: Final = 16
"""Folders above a file in which its kustomization is looked for."""
_LARGEST: Final = 1 << 20
"""The bytes of a kustomization that are compared."""
_FETCH: Final = "build it yourself, and name the result: `kubectl kustomize FOLDER > built.yaml`"


class BuildNeed(Value, frozen=True):
    """A kustomization that holds something of a scheduler and that is not applied as it is written.

    ``fields`` are used and not applied here; ``remote`` are notes on what it names elsewhere, ``missing`` problems of
    files that are not there, and of what else kustomize refuses; ``templates`` are those that another engine fills in.
    ``installs``: what is remote is the program of a scheduler alone.
    """

    folder: str
    fields: tuple[str, ...]
    remote: tuple[Problem, ...]
    missing: tuple[Problem, ...]
    templates: tuple[Problem, ...] = ()
    installs: bool = False

    @property
    def is_built(self) -> bool:
        """Whether another program is to build it."""
        return bool(self.fields) and not (self.remote or self.missing or self.templates)

    def not_built(self) -> Problem:
        """What is said of one that cannot be built, as a part of it is elsewhere."""
        fields = ", ".join(f"`{field}`" for field in self.fields)
        message = f"this kustomization uses {fields} and a remote base: neither is applied here"
        return Problem(message, shown_path(self.folder), _FETCH)


def needs(folders: KustomizedFolders, texts: Mapping[str, bytes], schedulers: KnownSchedulers) -> Iterator[BuildNeed]:
    """The needs of the kustomizations that no other one reads, and of those that kustomize refuses.

    ``texts`` are the files that were read, by path. Only those are looked at of which a file, or the kustomization
    itself, has a domain of a scheduler. The files of a refused one are those that no other is nearer to.
    """
    found = folders.found
    words = [domain.encode() for domain in schedulers.spared.domains]
    refused = refusals(found)
    for unit in units_of(found, refused):
        closure = list(closure_in(found, unit.name))
        held = _held(unit, closure, texts)
        if unit.name in refused:
            held += _beside(unit.name, texts, folders)
        if not _mention(held, words):
            continue
        patches = {id(patch.content): patch for patch in unit.patches}.values()  # one file may be named often
        fields = dict.fromkeys(
            (*_fields(closure, schedulers), *(field for each in patches for field in _of_patch(each)))
        )
        entries = [entry for each in closure for entry in _absent(each)]
        addresses = [entry for entry in entries if _is_remote(entry[2])]
        published = [schedulers.published(address) for _, _, address in addresses]
        remote = tuple(map(_remote, addresses, published))
        installs = all(published) and not unit.patches and not fields
        absent = (_missing(*entry) for entry in entries if not _is_remote(entry[2]))
        missing = (*absent, *(problem for each in closure for problem in refused.get(each.folder, ())))
        bases = {path for each in closure for path in each.named() if path in folders.refused}
        need = _refused(unit.name, [folders.refused[path] for path in bases])
        need = replace(need, fields=tuple(fields), remote=remote, missing=(*missing, *need.missing), installs=installs)
        if need.fields or need.remote or need.missing or need.templates:
            yield need
    for folder, error in folders.refused.items():
        if _mention(_beside(folder, texts, folders), words):
            yield _refused(folder, [error])


def held_of(folder: str, texts: Mapping[str, bytes], folders: KustomizedFolders) -> list[bytes]:
    """All that is there of a kustomization: its files and those of its bases, or its folder if nothing names any."""
    if folder not in folders.found:
        files = [path for name in NAMES if os.path.isfile(path := os.path.join(folder, name))]
        return [*_beside(folder, texts, folders), *(small_file(path, _LARGEST) for path in files)]
    closure = list(closure_in(folders.found, folder))
    named = {path for each in closure for path in each.references()}
    own = [each.text.data for each in closure if each.text is not None]
    return [*own, *(data for path, data in texts.items() if path in named)]


def _refused(folder: str, errors: Iterable[FairshareError]) -> BuildNeed:
    """What is said of a kustomization of which no part is known."""
    problems: dict[bool, list[Problem]] = {True: [], False: []}
    for error in errors:
        problems[isinstance(error, TemplateError)] += error.problems
    return BuildNeed(folder, (), (), tuple(problems[False]), tuple(problems[True]))


def installed_releases(folders: KustomizedFolders, schedulers: KnownSchedulers) -> Mapping[str, Mapping[str, str]]:
    """The releases of schedulers, by name, that kustomizations install from elsewhere, by folder.

    Under the empty name those of all of them; several of one scheduler are a list.
    """
    found: dict[str, dict[str, str]] = {}
    for folder in folders.found:
        entries = (entry for each in closure_in(folders.found, folder) for _, entry in references_in(each.data))
        published = [schedulers.published(entry) for entry in entries if _is_remote(entry)]
        if any(published):
            found[folder] = releases_together(published)
    return {**found, "": releases_together(found.values())} if found else {}


def patches_alone(paths: Iterable[str], folders: Iterable[str]) -> Iterator[Problem]:
    """What is said of files that are patches of a kustomization next to or above them and not among ``folders``."""
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


def _held(unit: RepositoryUnit, closure: Sequence[Kustomization], texts: Mapping[str, bytes]) -> list[bytes]:
    """The texts of a unit, and those of its kustomizations."""
    held = [texts.get(os.path.normpath(source), b"") for source in unit.sources]
    return held + [each.text.data for each in closure if each.text is not None]


def _beside(folder: str, texts: Mapping[str, bytes], folders: KustomizedFolders) -> list[bytes]:
    """The texts in a folder and below that no other kustomization is nearer to."""
    start = "" if folder == os.curdir else os.path.join(folder, "")
    return [data for path, data in texts.items() if path.startswith(start) and nearest(path, folders) == folder]


def nearest(path: str, folders: KustomizedFolders) -> str:
    """The folder of the kustomization that a file is in, or next below."""
    at = os.path.dirname(path) or os.curdir
    while at not in folders.found and at not in folders.refused and at not in (os.curdir, os.sep):
        at = os.path.dirname(at) or os.curdir
    return at


def _mention(held: Iterable[bytes], words: Sequence[bytes]) -> bool:
    """Whether one of the words is in a text."""
    return any(word in data for data in held for word in words)


def _fields(closure: Sequence[Kustomization], schedulers: KnownSchedulers) -> Iterator[str]:
    """The fields that are used, not applied here, and that can change what is read."""
    for each in closure:
        yield from spelled_otherwise(each.data)
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
    return any(mark in entry for mark in _REMOTE) or _REMOTE_START.match(entry) is not None


def _remote(entry: tuple[Kustomization, FieldPath, str], published: Mapping[str, str]) -> Problem:
    each, at, address = entry
    known = ", ".join(f"{name} {release} as it is published" for name, release in published.items())
    message = f"`{address}` is not fetched: {known or 'what is in it is not known here'}"
    return Problem(message, each.place(at), "" if known else _FETCH)


def _missing(each: Kustomization, at: FieldPath, entry: str) -> Problem:
    message = f"this kustomization names `{entry}`, which is not there: kustomize does not build it"
    return Problem(message, each.place(at), "correct the name, or add the file")
