"""A repository divided into units: by kustomizations, by what GitOps programs apply, and where objects differ.

Files that none of these name stay together, unless two of them give one object differently: then each folder, and in a
folder each alternative, is a unit of its own.
"""

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.units.applications import applied_folders
from kubectl_fairshare.input.units.kustomizations import found_below, patch_files, units_of
from kubectl_fairshare.input.units.unit import RepositoryUnit
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest

FOLDER = "folder"
Conflicts = Mapping[str, Collection[str]]
"""The sources that give an object of a source differently."""


def units_among(
    manifests: Sequence[Manifest], folders: Sequence[str], schedulers: KnownSchedulers
) -> list[RepositoryUnit]:
    """The units of the sources of ``manifests``, sorted by name; ``folders`` are those that were named to be read."""
    kustomizations = found_below(folders)
    applied = {path: kind for folder in folders for path, kind in applied_folders(manifests, folder)}
    units = [
        replace(each, kind=applied.get(each.name, each.kind)) for each in units_of(kustomizations, sorted(applied))
    ]
    sources = sorted({manifest.origin.source for manifest in manifests})
    by_path = {os.path.normpath(source): source for source in sources}
    named = {path for each in kustomizations.values() for path in each.named()} | patch_files(kustomizations)
    left = [source for path, source in by_path.items() if path not in named]
    conflicts = _conflicts(manifests, schedulers)
    for folder, kind in sorted(applied.items(), reverse=True):
        if folder not in kustomizations:
            own = [source for source in left if _is_within(source, folder)]
            left = [source for source in left if source not in set(own)]
            units += _split(folder, kind, own, conflicts)
    units = [replace(each, sources=tuple(by_path[s] for s in each.sources if s in by_path)) for each in units]
    units += _split(folders[0] if folders else "", FOLDER, left, conflicts)
    return sorted((unit for unit in units if unit.sources), key=lambda unit: unit.name)


def _is_within(source: str, folder: str) -> bool:
    return os.path.normpath(source).startswith(folder + os.sep)


def _conflicts(manifests: Iterable[Manifest], schedulers: KnownSchedulers) -> Conflicts:
    given: dict[ObjectKey | str, list[Manifest]] = defaultdict(list)
    for manifest in manifests:
        if settings := schedulers.only_settings(manifest):
            given[settings].append(manifest)
        elif schedulers.decides(manifest.key.group, manifest.key.kind) and _is_named(manifest):
            given[manifest.key].append(manifest)
    found: dict[str, set[str]] = defaultdict(set)
    for alike in given.values():
        for first in alike if len(alike) > 1 else ():
            found[first.origin.source] |= {m.origin.source for m in alike if m.data != first.data}
    return found


def _is_named(manifest: Manifest) -> bool:
    metadata = manifest.data.get("metadata")
    return isinstance(metadata, dict) and bool(metadata.get("name"))


def _split(folder: str, kind: str, sources: Sequence[str], conflicts: Conflicts) -> Iterator[RepositoryUnit]:
    """One unit for all sources, or several where some conflict: for each folder below, and for each alternative."""
    if not sources:
        return
    if not _disagree(sources, conflicts):
        yield RepositoryUnit(os.path.normpath(folder) if folder else "", kind, tuple(sources))
        return
    below: dict[str, list[str]] = defaultdict(list)
    here = []
    for source in sources:
        first, *rest = os.path.relpath(source, folder or ".").split(os.sep)
        if rest:
            below[first].append(source)
        else:
            here.append(source)
    for name, each in sorted(below.items()):
        yield from _split(os.path.join(folder, name), kind, each, conflicts)
    yield from _alternatives(folder, kind, here, conflicts)


def _disagree(sources: Sequence[str], conflicts: Conflicts) -> bool:
    among = set(sources)
    return any(not among.isdisjoint(set(conflicts.get(source, ())) - {source}) for source in sources)


def _alternatives(folder: str, kind: str, sources: Sequence[str], conflicts: Conflicts) -> Iterator[RepositoryUnit]:
    """The files of one folder: those that agree with all others belong to every alternative."""
    name = os.path.normpath(folder) if folder else ""
    differing = [s for s in sources if not {*sources}.isdisjoint(set(conflicts.get(s, ())) - {s})]
    shared = [source for source in sources if source not in differing]
    groups: list[list[str]] = []
    for source in differing:
        fitting = (group for group in groups if set(conflicts[source]).isdisjoint(group))
        group = next(fitting, None)
        if group is None:
            groups.append([source])
        else:
            group.append(source)
    if not groups and shared:
        yield RepositoryUnit(name, kind, tuple(shared))
    for group in groups:
        yield RepositoryUnit(group[0], kind, (*shared, *group), alternative=True)
