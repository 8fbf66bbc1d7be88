"""The units of two versions of a repository, paired: by path, and a moved one by what it holds.

Tested in ``tests/unit/cli/asking/test_pairing.py``.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.unit import RefusedUnit
from kubectl_fairshare.input.units.unit_readings import UnitReading
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field, replace

NOTHING: Final = Reading((), Texts())
"""What a version holds that lacks a unit."""
_ALIKE: Final = 0.5
"""The part of the objects that a unit and the one that it was before have in common, at least."""


class Side(Value, frozen=True):
    """The units of one version, and those that are not built; ``top`` is the path of which their names are below."""

    units: Sequence[UnitReading]
    top: str
    refused: Mapping[str, RefusedUnit] = field(default_factory=dict)

    def by_path(self) -> Mapping[str, UnitReading]:
        """The units by their paths below the top."""
        return {self._path(each.unit.name): each for each in self.units}

    def refused_by_path(self) -> Mapping[str, RefusedUnit]:
        """The units that are not built, by the same paths."""
        return {self._path(name): each for name, each in self.refused.items()}

    def _path(self, name: str) -> str:
        return os.path.relpath(name or os.curdir, self.top or os.curdir)


class PairedUnits(Value, frozen=True):
    """What is compared: units that have one answer, by name, before and after; None where there is none.

    ``names`` are those after the change, or before it where they are gone; a moved one has both.
    """

    names: tuple[str, ...]
    before: UnitReading | None
    after: UnitReading | None


def readings_of(pair: PairedUnits) -> tuple[Reading, Reading]:
    """What is compared of both. An object that may be in another cluster in one version is in neither."""
    return _without(pair.before, pair.after), _without(pair.after, pair.before)


def _without(unit: UnitReading | None, other: UnitReading | None) -> Reading:
    """What was read of a unit, without objects of others that may be in another cluster in the other version."""
    if unit is None:
        return NOTHING
    moved = frozenset() if other is None else _moved_out(unit, other) | _moved_out(other, unit)
    open_to_both = frozenset() if other is None else (other.elsewhere - unit.own) | moved
    left = tuple(manifest for manifest in unit.reading.manifests if manifest.key not in open_to_both)
    gone = {m.key for m in unit.reading.manifests if m.key in open_to_both}
    if other is not None:
        gone -= moved - other.open - unit.open
    kinds = frozenset(key.kind for key in gone)
    return replace(unit.reading, manifests=left, unfilled=unit.reading.unfilled | kinds)


def _moved_out(unit: UnitReading, other: UnitReading) -> frozenset[ObjectKey]:
    """Namespaces of a unit that one of no known cluster has in the other version: nothing says that they are gone."""
    return frozenset(key for key in unit.own & other.elsewhere if key[:2] == ("", "Namespace"))


def paired_units(before: Side, after: Side) -> tuple[PairedUnits, ...]:
    """The pairs, sorted by name. Units that agree in both versions have one comparison, and so have new ones of them.

    Units that agree have one reading, so that of any of them is that of all.
    """
    together: list[tuple[str, UnitReading | None, UnitReading | None]] = []
    left = {*before.refused_by_path(), *after.refused_by_path()}
    one_side, other_side = (
        {p: unit for p, unit in side.by_path().items() if p not in left} for side in (before, after)
    )
    alone: list[PairedUnits] = []
    for name, one, other in _pairs(one_side, other_side):
        if any(each is not None and not each.agrees for each in (one, other)):
            alone.append(PairedUnits((name,), one, other))
        else:
            together.append((name, one, other))
    if together:
        first = next((one for _, one, _ in together if one is not None), None)
        last = next((other for _, _, other in together if other is not None), None)
        alone.append(PairedUnits(tuple(name for name, _, _ in together), first, last))
    return tuple(sorted(alone, key=lambda pair: pair.names))


def refused_in(before: Side, after: Side) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Why units are built in neither version, which the change leaves as they are; and why others are not compared."""
    one, other = before.refused_by_path(), after.refused_by_path()
    same = [path for path in one.keys() & other.keys() if one[path].digest == other[path].digest]
    rest = [side[path] for side in (one, other) for path in sorted(side) if path not in same]
    return (
        tuple(problem for path in sorted(same) for problem in other[path].problems),
        tuple(problem for each in rest for problem in each.problems),
    )


def _pairs(
    before: Mapping[str, UnitReading], after: Mapping[str, UnitReading]
) -> Iterator[tuple[str, UnitReading | None, UnitReading | None]]:
    """The units of one path, those that have moved, and those of one version alone, each with its name."""
    for path in sorted(before.keys() & after.keys()):
        yield after[path].unit.name or os.curdir, before[path], after[path]
    gone = {path: before[path] for path in sorted(before.keys() - after.keys())}
    for path in sorted(after.keys() - before.keys()):
        unit = after[path]
        origin = _origin(unit, gone)
        if origin:
            was = gone.pop(origin)
            yield f"{was.unit.name} → {unit.unit.name}", was, unit
        else:
            yield unit.unit.name or os.curdir, None, unit
    for unit in gone.values():
        yield unit.unit.name or os.curdir, unit, None


def _origin(unit: UnitReading, gone: Mapping[str, UnitReading]) -> str:
    """The path of the unit that this one was before it moved; empty if it is new."""
    likeness = {path: _likeness(unit, each) for path, each in gone.items()}
    best = max(likeness, key=lambda path: likeness[path], default="")
    return best if best and likeness[best] >= _ALIKE else ""


def _likeness(one: UnitReading, other: UnitReading) -> float:
    """The part of their objects that both hold in the same form."""
    first, second = _own(one), _own(other)
    every: Collection[object] = first.keys() | second.keys()
    same = sum(first[key] == second[key] for key in first.keys() & second.keys())
    return same / len(every) if every else 0.0


def _own(unit: UnitReading) -> dict[object, object]:
    return {m.key: m.data for m in unit.reading.manifests if m.key in unit.own}
