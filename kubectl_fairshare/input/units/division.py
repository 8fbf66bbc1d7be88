"""A repository divided into units: by kustomizations, by what GitOps programs apply, and where objects differ.

Files that none of these name stay together, unless two of them give one object differently: then each folder, and in a
folder each alternative, is a unit of its own.
"""

import os
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from kubectl_fairshare.input.files.charts import chart_of
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.units.applications import Installers, applied_folders
from kubectl_fairshare.input.units.kustomizations import Kustomization, patch_files, units_of
from kubectl_fairshare.input.units.unit import LEFT, STATE, RepositoryUnit
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace

CHART = "Helm chart"
FILE = "file"
NOTHING_BUILT: Mapping[str, str] = MappingProxyType({})
Conflicts = Mapping[str, Set[str]]
"""The other sources that give an object of a source differently."""


def units_among(
    manifests: Sequence[Manifest],
    folders: Sequence[str],
    schedulers: KnownSchedulers,
    kustomizations: Mapping[str, Kustomization],
    built: Mapping[str, str] = NOTHING_BUILT,
    files: Collection[str] = (),
) -> list[RepositoryUnit]:
    """The units of the sources of ``manifests``, sorted by name; ``folders`` are those that were named to be read.

    ``kustomizations`` are those in them, by folder; ``built`` are the sources that another program printed for some;
    ``files`` are sources that were named next to the folders.
    """
    applied = {path: kind for folder in folders for path, kind in applied_folders(manifests, folder)}
    units = [
        replace(each, kind=applied.get(each.name, each.kind)) for each in units_of(kustomizations, sorted(applied))
    ]
    sources = sorted({manifest.source for manifest in manifests})
    by_path = {os.path.normpath(source): source for source in sources}
    named = {path for each in kustomizations.values() for path in each.named()} | patch_files(kustomizations)
    charts = {source: folder for source in sources if (folder := chart_of(source))}
    if charts:
        installers = Installers(manifests, folders, inflates=any(each.inflates for each in kustomizations.values()))
        units += [
            RepositoryUnit(os.path.normpath(folder), CHART, (source,), apart=not installers.may_apply(folder))
            for source, folder in charts.items()
        ]
    printed = set(built.values())
    left = [s for path, s in by_path.items() if path not in named and s not in charts and s not in printed]
    if folders and (stated := [source for source in left if source in files]):
        units.append(RepositoryUnit(min(stated), STATE, tuple(stated)))
        left = [source for source in left if source not in files]
    known = {*by_path, *charts}
    conflicts = _conflicts(manifests, schedulers) if len(sources) > 1 else {}
    for folder, kind in sorted(applied.items(), reverse=True):
        if folder not in kustomizations:
            own = [source for source in left if _is_within(source, folder)]
            left = [source for source in left if not _is_within(source, folder)]
            units += _split(folder, kind, own, conflicts)
    units = [replace(each, sources=tuple(by_path.get(s, s) for s in each.sources if s in known)) for each in units]
    units = [_as_built(each, built.get(each.name, ""), printed) for each in units]
    rest = [*_split(folders[0] if folders else "", LEFT, left, conflicts)]
    units += [replace(each, left_over=len(rest) == 1 and bool(units)) for each in rest]
    return sorted((unit for unit in units if unit.sources), key=lambda unit: unit.name)


def _as_built(unit: RepositoryUnit, source: str, printed: Set[str]) -> RepositoryUnit:
    """The unit with what a program printed for it, if it did."""
    if source not in printed:
        return unit
    return replace(unit, sources=(source,), patches=(), namespace="", generated=False)


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
        if len({manifest.source for manifest in alike}) > 1:
            _add_conflicts(alike, found)
    return found


def _add_conflicts(alike: Sequence[Manifest], found: dict[str, set[str]]) -> None:
    """Adds the conflicts of one object; it is not compared pair by pair, as many files may give it."""
    forms: dict[str, set[Hashable]] = defaultdict(set)
    for manifest in alike:
        forms[manifest.source].add(_form(manifest.data))
    of_one_form: dict[Hashable, set[str]] = defaultdict(set)
    for source, each in forms.items():
        if len(each) == 1:
            of_one_form[next(iter(each))].add(source)
    for source, each in forms.items():
        agreeing = of_one_form[next(iter(each))] if len(each) == 1 else set()
        found[source] |= forms.keys() - agreeing - {source}


def _form(value: Json) -> Hashable:
    """What two values have in common exactly if they are equal."""
    if isinstance(value, dict):
        return frozenset((name, _form(held)) for name, held in value.items())
    return tuple(map(_form, value)) if isinstance(value, list) else value


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
    return any(not among.isdisjoint(conflicts.get(source, ())) for source in sources)


def _alternatives(folder: str, kind: str, sources: Sequence[str], conflicts: Conflicts) -> Iterator[RepositoryUnit]:
    """The files of one folder: those that agree with all others belong to every alternative."""
    name = os.path.normpath(folder) if folder else ""
    among = set(sources)
    differing = [source for source in sources if not among.isdisjoint(conflicts.get(source, ()))]
    apart = set(differing)
    shared = [source for source in sources if source not in apart]
    groups: list[list[str]] = []
    for source in differing:
        fitting = (group for group in groups if conflicts[source].isdisjoint(group))
        group = next(fitting, None)
        if group is None:
            groups.append([source])
        else:
            group.append(source)
    if not groups and shared:
        yield RepositoryUnit(name, kind, tuple(shared))
    for group in groups:
        yield RepositoryUnit(group[0], FILE if kind == LEFT else kind, (*shared, *group), alternative=True)
