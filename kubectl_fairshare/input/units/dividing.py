"""From the sources of folders to units: what keeps them from having one answer, and what of them is not known.

Tested in ``tests/strangers``.
"""

import os
from collections.abc import Collection, Iterator, Sequence

from kubectl_fairshare.input.files.paths import shown_path
from kubectl_fairshare.input.files.unreadable import SHOWN, sources_of
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.building import nearest
from kubectl_fairshare.input.units.division import units_among
from kubectl_fairshare.input.units.kustomizations import KustomizedFolders, patch_files
from kubectl_fairshare.input.units.unit import LEFT, Patch, RepositoryUnit, digest_of
from kubectl_fairshare.input.units.unit_readings import UnitReading, unit_readings
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import inside
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import replace


def divided(
    folders: KustomizedFolders,
    manifests: Sequence[Manifest],
    texts: Texts,
    schedulers: KnownSchedulers,
    refused: Collection[str] = (),
    *,
    lone: bool = False,
) -> tuple[UnitReading, ...]:
    """The units of the folders; none where all that was read is one, unless it is ``lone`` and wanted all the same.

    ``refused`` are the folders of kustomizations that are not built.
    """
    if not folders.names and len(texts) == 1:
        return ()
    found = units_among(manifests, folders.names, schedulers, folders.found, folders.built, folders.files)
    units = _apart(found, [folder for folder in refused if folder not in folders.found], folders)
    wanted = lone or refused or folders.built
    if len(units) == 1 and not (wanted or units[0].patches or units[0].namespace or units[0].inner):
        return ()
    readings = _released(unit_readings(units, manifests, texts, schedulers), folders, schedulers)
    lacking = {*folders.remote, *refused}
    if not lacking:
        return readings
    kinds = schedulers.kinds_read()
    shared = {each.unit.name for each in readings if each.agrees} & lacking

    def remote(unit: UnitReading) -> bytes:
        names = shared if unit.agrees else {unit.unit.name}
        return digest_of(text.encode() for name in names for text in folders.remote.get(name, ()))

    return tuple(
        replace(each, reading=replace(each.reading, unfilled=kinds, unread=remote(each)))
        if each.unit.name in lacking or (each.agrees and shared)
        else each
        for each in readings
    )


def _released(
    readings: tuple[UnitReading, ...], folders: KustomizedFolders, schedulers: KnownSchedulers
) -> tuple[UnitReading, ...]:
    """The units with the releases that they install, or that the repository's kustomizations do."""
    if not folders.releases:
        return readings
    shared = folders.releases[""]
    own = (
        schedulers.installed(folders.releases.get(each.unit.name, shared), each.reading.manifests) for each in readings
    )
    return tuple(
        replace(each, reading=replace(each.reading, releases={**releases, **each.reading.releases}))
        for each, releases in zip(readings, own, strict=True)
    )


def opened(units: tuple[UnitReading, ...], kinds: frozenset[str]) -> tuple[UnitReading, ...]:
    """The units; charts that are not rendered, and make objects of these kinds, may be installed next to each."""
    if not kinds:
        return units
    return tuple(replace(each, reading=replace(each.reading, unfilled=each.reading.unfilled | kinds)) for each in units)


def _apart(
    units: Sequence[RepositoryUnit], refused: Sequence[str], folders: KustomizedFolders
) -> Sequence[RepositoryUnit]:
    """The units; files next to a kustomization that names nothing are a unit of their own."""
    if not refused:
        return units
    found = {folder: list[str]() for folder in refused}
    others = []
    for unit in units:
        kept: list[str] = []
        for source in unit.sources:
            owner = nearest(os.path.normpath(source), folders) if unit.kind == LEFT else ""
            found.get(owner, kept).append(source)
        others.append(replace(unit, sources=tuple(kept)))
    every = [*others, *(RepositoryUnit(folder, "kustomization", tuple(own)) for folder, own in found.items())]
    return sorted((unit for unit in every if unit.sources), key=lambda unit: unit.name)


def astray(folders: KustomizedFolders, units: Sequence[UnitReading]) -> Iterator[tuple[str, Problem]]:
    """The patches of kustomizations for which there is no object, with the unit: kustomize refuses them.

    What has a part that is not here is left out: it may have the object.
    """
    known = [each for each in units if each.unit.name not in folders.remote]
    yield from ((each.unit.name, problem) for each in known for problem in _astray(each))


def _astray(of: UnitReading) -> Iterator[Problem]:
    patches = () if of.unit.generated else of.unit.patches
    for patch in {id(patch.content): patch for patch in patches}.values():  # one file may be named often
        named = _named(patch)
        if patch.origin is None or patch.target or named in of.written:
            continue
        at = patch.origin.source if patch.text is None else Texts([patch.text]).locate(patch.origin)
        where = shown_path(of.unit.name)
        what = "says no target" if named is None else f"changes {named[0]} {named[1]}, which is not in `{where}`"
        remedy = "correct the kind or the name, or remove the patch"
        yield Problem(f"this patch {what}: kustomize does not build it", at, remedy)


def _named(patch: Patch) -> tuple[str, str] | None:
    """The kind and the name of what a partial object changes; None for a list of operations."""
    content = patch.content
    name = inside(content, "metadata", "name")
    return (str(content.get("kind")), str(name)) if isinstance(content, dict) and name else None


def twice_among(folders: KustomizedFolders, units: Sequence[UnitReading], twice: Sequence[Problem]) -> list[Problem]:
    """What keeps units from having one answer; a patch is not a second form of what it changes."""
    if all(each.agrees for each in units):
        patches = {shown_path(path) for path in patch_files(folders.found)}
        return [problem for problem in twice if patches.isdisjoint(map(os.path.normpath, sources_of(problem)))]
    names = [each.unit.name for each in units]
    message = f"units define an object in different ways, as for several clusters: {some_of(names, SHOWN)}"
    return [*twice] or [Problem(message, None, f"ask about one, such as `{names[0]}`")]
