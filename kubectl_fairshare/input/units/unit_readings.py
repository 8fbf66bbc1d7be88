"""What is read of each unit: its own objects, patched, and those of units that can belong to the same cluster."""

import os
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.reading import Reading, distinct
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.beside import Objects, belonging, counting, has_queues
from kubectl_fairshare.input.units.patching import patched
from kubectl_fairshare.input.units.unit import STATE, Patch, RepositoryUnit
from kubectl_fairshare.input.units.written import folder_of
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import quoted
from kubectl_fairshare.model.values import Value, replace


class UnitReading(Value, frozen=True):
    """What was read of a unit. ``own`` are its objects; the others are those of units that agree with it.

    ``elsewhere`` are objects that can belong to the same cluster, or to another one: their names alone are known.
    ``open`` are those of them that would change an answer about the unit, ``open_forms`` what the input says of these.
    ``agrees``: no other unit gives an object of it differently. All units that agree have the same reading.
    ``written`` are kinds and names of what its patches may change. ``attached`` are objects next to all units that
    count in this one, ``beside`` says that these are such objects.
    """

    unit: RepositoryUnit
    reading: Reading
    own: frozenset[ObjectKey]
    elsewhere: frozenset[ObjectKey] = frozenset()
    open: frozenset[ObjectKey] = frozenset()
    agrees: bool = False
    attached: frozenset[ObjectKey] = frozenset()
    beside: bool = False
    written: frozenset[tuple[str, str]] = frozenset()
    open_forms: tuple[Manifest, ...] = ()


def unit_readings(
    units: Sequence[RepositoryUnit], manifests: Iterable[Manifest], texts: Texts, schedulers: KnownSchedulers
) -> tuple[UnitReading, ...]:
    """The units that hold anything of a scheduler, each with what can belong to its cluster."""
    of_source: dict[str, list[Manifest]] = {}
    for manifest in manifests:
        of_source.setdefault(manifest.source, []).append(manifest)
    held = [_objects(unit, of_source, texts, schedulers) for unit in units]
    objects = [{manifest.key: manifest for manifest in kept} for kept, _ in held]
    rivals = _rivals(
        [{} if unit.apart else _with_settings(each, schedulers) for unit, each in zip(units, objects, strict=True)]
    )
    concerned = [n for n, unit in enumerate(units) if _concerns(unit, objects[n], texts, schedulers)]
    beside = [n for n, unit in enumerate(units) if _is_beside(unit, objects[n], schedulers)] if any(rivals) else []
    empty: Mapping[ObjectKey, Manifest] = {}
    belongs = belonging([empty if n in beside else each for n, each in enumerate(objects)], schedulers)

    def attached(number: int) -> dict[ObjectKey, Manifest]:
        """The objects next to the units that count in one; what it has itself counts more."""
        if number in beside or not rivals[number]:
            return {}
        others = (objects[n].values() for n in beside)
        read = (m for each in others for m in each if schedulers.decides(m.key.group, m.key.kind))
        return {m.key: m for m in read if m.key not in objects[number] and belongs(m, number)}

    found = {n: _reading(n, units, objects, rivals, texts, held[n][1], attached(n)) for n in concerned}
    forms = _forms(objects, schedulers)
    open_keys = {n: _open(each, forms, schedulers) for n, each in found.items()}
    return tuple(
        replace(
            each,
            reading=replace(each.reading, unfilled=frozenset(key.kind for key in open_keys[n])),
            open=open_keys[n],
            open_forms=tuple(manifest for key in sorted(open_keys[n]) for manifest in forms[key]),
            beside=n in beside,
            written=_written(units[n], of_source),
        )
        for n, each in found.items()
    )


def _forms(objects: Sequence[Objects], schedulers: KnownSchedulers) -> Mapping[ObjectKey, Sequence[Manifest]]:
    """What units say of each object that answers can rest on: each form once, however many units share it."""
    found: dict[ObjectKey, dict[int, Manifest]] = {}
    for each in objects:
        for key, manifest in each.items():
            if schedulers.decides(key.group, key.kind):
                found.setdefault(key, {}).setdefault(id(manifest.held_data), manifest)
    return {key: tuple(forms.values()) for key, forms in found.items()}


def _open(
    unit: UnitReading, forms: Mapping[ObjectKey, Sequence[Manifest]], schedulers: KnownSchedulers
) -> frozenset[ObjectKey]:
    """The objects elsewhere that an answer about a unit can rest on, if they belong to its cluster."""
    if not unit.elsewhere:
        return frozenset()
    counts = counting({m.key: m for m in unit.reading.manifests}, schedulers)
    return frozenset(key for key in unit.elsewhere & forms.keys() if any(map(counts, forms[key])))


def _written(unit: RepositoryUnit, of_source: Mapping[str, Sequence[Manifest]]) -> frozenset[tuple[str, str]]:
    """Kind and name of the objects in the files of a unit with patches."""
    sources = unit.sources if unit.patches else ()
    return frozenset((m.key.kind, m.key.name) for source in sources for m in of_source.get(source, ()))


def _is_beside(unit: RepositoryUnit, objects: Mapping[ObjectKey, Manifest], schedulers: KnownSchedulers) -> bool:
    """Whether a unit is what no kustomization and no GitOps program applies, and divides no cluster itself.

    Files that were named next to the folders are taken as the state of a cluster, whatever they hold.
    """
    return unit.kind == STATE or (unit.left_over and not has_queues(objects, schedulers))


def _with_settings(
    objects: Mapping[ObjectKey, Manifest], schedulers: KnownSchedulers
) -> dict[ObjectKey | str, Manifest]:
    """The objects by key; those with the settings of a scheduler that reads one such object also by the scheduler."""
    found: dict[ObjectKey | str, Manifest] = dict(objects.items())
    for manifest in objects.values():
        if name := schedulers.only_settings(manifest):
            found[name] = manifest
    return found


def _rivals(objects: Sequence[Mapping[ObjectKey | str, Manifest]]) -> list[set[int]]:
    """The numbers of the units that give an object of each unit differently: they are for another cluster."""
    holders: dict[ObjectKey | str, list[int]] = {}
    for number, each in enumerate(objects):
        for key in each:
            holders.setdefault(key, []).append(number)
    rivals: list[set[int]] = [set() for _ in objects]
    for key, numbers in holders.items():
        forms: list[tuple[JsonObject, set[int]]] = []
        for number in numbers if len(numbers) > 1 else ():
            data = objects[number][key].data
            alike = next((group for form, group in forms if form is data or form == data), None)
            if alike is None:
                forms.append((data, {number}))
            else:
                alike.add(number)
        for _, group in forms if len(forms) > 1 else ():
            for number in group:
                rivals[number] |= {*numbers} - group
    return rivals


def _objects(
    unit: RepositoryUnit, of_source: Mapping[str, Sequence[Manifest]], texts: Texts, schedulers: KnownSchedulers
) -> tuple[list[Manifest], list[tuple[Manifest, Manifest]]]:
    """The objects of a unit as kubectl applies them, and pairs. The last one counts if an object occurs twice.

    A pair is one object in two versions, the one kept first.
    """
    given = (m for source in unit.sources for m in of_source.get(source, ()))
    changed = (patched(_placed(m, unit, schedulers), _patches(unit, m)) for m in given)
    return distinct([m for m in changed if m is not None], texts, [], schedulers, among_others=True)


def _patches(unit: RepositoryUnit, manifest: Manifest) -> Sequence[Patch]:
    """The patches of a unit that may change an object: those of a base change the objects of that base alone."""
    if not any(patch.within for patch in unit.patches):
        return unit.patches
    path = os.path.normpath(manifest.source)
    return [patch for patch in unit.patches if not patch.within or path in patch.within]


def _placed(manifest: Manifest, unit: RepositoryUnit, schedulers: KnownSchedulers) -> Manifest:
    """The object in the namespace that its kustomization sets."""
    key, namespace = manifest.key, unit.namespace_of(os.path.normpath(manifest.source))
    if not namespace or not schedulers.has_namespace(key.group, key.kind):
        return manifest
    metadata = manifest.data.get("metadata")
    changed: dict[str, Json] = {**(metadata if isinstance(metadata, dict) else {}), "namespace": namespace}
    data = {**manifest.data, "metadata": changed}
    return replace(manifest, key=key._replace(namespace=namespace), held_data=data)


def _concerns(
    unit: RepositoryUnit, objects: Mapping[ObjectKey, Manifest], texts: Texts, schedulers: KnownSchedulers
) -> bool:
    if any(schedulers.is_judged(key.group) for key in objects) or any(map(folder_of, unit.sources)):
        return True  # what was built held something of a scheduler, even where nothing of it is left
    words = [domain.encode() for domain in schedulers.spared.domains]
    return any(word in texts[source].data for source in unit.sources for word in words)


def _are_alternatives(one: RepositoryUnit, other: RepositoryUnit) -> bool:
    """Whether both are files of one folder: part of one may be meant to go with part of the other."""
    return one.alternative and other.alternative and os.path.dirname(one.name) == os.path.dirname(other.name)


def _reading(
    number: int,
    units: Sequence[RepositoryUnit],
    objects: Sequence[Mapping[ObjectKey, Manifest]],
    rivals: Sequence[set[int]],
    texts: Texts,
    versions: Iterable[tuple[Manifest, Manifest]],
    attached: Mapping[ObjectKey, Manifest],
) -> UnitReading:
    own = objects[number]
    together = {**attached, **own}
    elsewhere: set[ObjectKey] = set()
    beside = {n for n in rivals[number] if _are_alternatives(units[number], units[n])}
    for n in sorted({*range(len(objects))} - (rivals[number] - beside) - {number}):
        if units[n].apart or units[number].apart:
            continue
        if rivals[number] or rivals[n]:  # it may belong to a rival
            elsewhere |= objects[n].keys()
        else:
            together = {**objects[n], **together}
    found = sorted(together.values(), key=lambda manifest: manifest.key)
    sources = {manifest.source for manifest in found} | {*units[number].sources}
    held = [text for name, text in texts.items() if name in sources]
    patches = [p.text for unit in units for p in unit.patches if p.text is not None and p.text.name not in sources]
    reading = Reading(tuple(found), Texts([*held, *patches]), tuple(versions))
    apart = frozenset(elsewhere - together.keys())
    return UnitReading(
        units[number], reading, frozenset(own), apart, agrees=not rivals[number], attached=frozenset(attached)
    )


def picked_units(reading: Reading, each: Sequence[str]) -> tuple[list[UnitReading], list[Problem]]:
    """The units whose names a glob matches, all without one; and the problems of those of them that are not built.

    Raises ``UsageError`` for a glob without a match.
    """
    known = [*(unit.unit.name for unit in reading.units), *reading.refused]
    for pattern in each:
        if not any(fnmatchcase(name, pattern) for name in known):
            message = f"`{pattern}` matches no unit"
            raise UsageError(Problem(message, "--each", f"units are {quoted(dict.fromkeys(known))}"))
    refused = [of for name, of in reading.refused.items() if not each or is_matched(name, each)]
    picked = [unit for unit in reading.built if not each or is_matched(unit.unit.name, each)]
    return picked, [problem for of in refused for problem in of.problems]


def agreeing(units: Iterable[UnitReading]) -> list[list[UnitReading]]:
    """The units by what is asked of them: those that agree have one reading, and one answer."""
    found: list[list[UnitReading]] = []
    together: list[UnitReading] = []
    for each in units:
        if not each.agrees:
            found.append([each])
            continue
        if not together:
            found.append(together)
        together.append(each)
    return found


def is_matched(name: str, each: Sequence[str]) -> bool:
    """Whether one of the globs matches the name of a unit."""
    return any(fnmatchcase(name, pattern) for pattern in each)
