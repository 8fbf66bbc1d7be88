"""Compares recorded answers with ours, field by field.

Absent, null, empty and false count as equal, and so do numbers within 10⁻⁹ of each other; some lists are sets.
Inside ``stored`` only identical values are equal: every field counts, and ``1`` is not ``1.0``.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.recording import SETS

STORED: Final = "stored"
_TOLERANCE: Final = 1e-9
_NAMES: Final = ("kind", "workload", "name", "flavor", "resource", "field")


class AnswerDifference(Value, frozen=True):
    """One place where an answer differs: its path, ``plans/0/mode``, with list positions as in the recording."""

    path: str
    wanted: Json
    got: Json

    @property
    def field(self) -> str:
        """The field of the answer that the place belongs to."""
        return self.path.partition("/")[0]


class AnswerComparison(Value, frozen=True):
    """How two answers are compared: the lists that are ``sets``, and the paths that are skipped."""

    sets: frozenset[str] = SETS
    passed_over: Collection[str] = ()

    def differences(self, wanted: JsonObject, got: JsonObject, fields: Sequence[str]) -> Iterator[AnswerDifference]:
        """Every place where ``got`` differs from ``wanted``, in the compared fields."""
        for field in fields:
            yield from self._differ(wanted.get(field), got.get(field), field, strict=field == STORED)

    def _differ(self, wanted: Json, got: Json, path: str, *, strict: bool = False) -> Iterator[AnswerDifference]:
        if path in self.passed_over or (not strict and _is_nothing(wanted) and _is_nothing(got)):
            return
        if isinstance(wanted, dict) and isinstance(got, dict):
            yield from self._differ_in_fields(wanted, got, path, strict)
        elif isinstance(wanted, list) and isinstance(got, list):
            if not strict and path.rpartition("/")[2] in self.sets:
                yield from self._differ_as_sets(wanted, got, path)
            else:
                yield from self._differ_in_order(wanted, got, path, strict)
        elif not _is_same(wanted, got, strict):
            yield AnswerDifference(path, wanted, got)

    def _differ_in_fields(
        self, wanted: JsonObject, got: JsonObject, path: str, strict: bool
    ) -> Iterator[AnswerDifference]:
        for name in sorted({*wanted, *got}):
            below = f"{path}/{name}"
            if strict and (name in wanted) is not (name in got):
                yield AnswerDifference(below, wanted.get(name), got.get(name))
            else:
                yield from self._differ(wanted.get(name), got.get(name), below, strict=strict)

    def _differ_in_order(
        self, wanted: list[Json], got: list[Json], path: str, strict: bool
    ) -> Iterator[AnswerDifference]:
        for i in range(max(len(wanted), len(got))):
            if i >= len(wanted) or i >= len(got):
                yield from self._one_sided(wanted[i : i + 1], got[i : i + 1], f"{path}/{i}")
            else:
                yield from self._differ(wanted[i], got[i], f"{path}/{i}", strict=strict)

    def _differ_as_sets(self, wanted: list[Json], got: list[Json], path: str) -> Iterator[AnswerDifference]:
        """Compares members of the same name; a member without a partner is a difference of its own."""
        left: dict[str, list[Json]] = {}
        for member in _distinct(got):
            left.setdefault(_name(member), []).append(member)
        for i, member in enumerate(_distinct(wanted)):
            place, alike = f"{path}/{i}", left.get(_name(member), [])
            if not alike:
                yield from self._one_sided([member], [], place)
                continue
            equal = (k for k, other in enumerate(alike) if not any(self._differ(member, other, place)))
            yield from self._differ(member, alike.pop(next(equal, 0)), place)
        for member in (member for members in left.values() for member in members):
            yield from self._one_sided([], [member], f"{path}/{len(wanted)}")

    def _one_sided(self, wanted: list[Json], got: list[Json], path: str) -> Iterator[AnswerDifference]:
        if path not in self.passed_over:
            yield AnswerDifference(path, next(iter(wanted), None), next(iter(got), None))


def _is_nothing(value: Json) -> bool:
    return value is None or value is False or (isinstance(value, (str, list, dict)) and not value)


def _is_same(wanted: Json, got: Json, strict: bool) -> bool:
    if strict:
        return type(wanted) is type(got) and bool(wanted == got)
    if _is_number(wanted) and _is_number(got):
        return bool(wanted == got or abs(wanted - got) <= _TOLERANCE * max(abs(wanted), abs(got)))
    return bool(wanted == got) and _is_number(wanted) is _is_number(got)


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _distinct(members: list[Json]) -> list[Json]:
    """The members of a set, without repeated texts and numbers."""
    return list(dict.fromkeys(members)) if all(isinstance(m, (str, int, float)) for m in members) else members


def _name(member: Json) -> str:
    """The identity of a member of a set: the texts of its naming fields, or the member itself."""
    if isinstance(member, dict):
        return "\n".join(str(member.get(name)) for name in _NAMES if isinstance(member.get(name), str))
    return str(member)
