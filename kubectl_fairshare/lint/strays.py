"""Unknown fields, which an API server ignores, and the field that each was meant to be.

Tested in ``tests/unit/lint/test_refused_writes.py``.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.lint.refusals import MISSING, value_at
from kubectl_fairshare.lint.words.spelling import longer, nearest
from kubectl_fairshare.model.json import FieldPath, mapping
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value

_META: Final = ("metadata",)
_OTHER_LEVELS: Final[dict[FieldPath, FieldPath]] = {(): ("spec",), _META: ("spec",), ("spec",): _META}
"""The right place of fields that users write one level too high, too low, or in the other block."""


class Stray(Value, frozen=True):
    """A field that is ignored. ``meant`` is the right path for its value, None if unknown.

    ``version`` is another version of the API that has the field at this path.
    """

    path: FieldPath
    meant: FieldPath | None = None
    version: str = ""

    @property
    def name(self) -> str:
        """The name of the field."""
        return str(self.path[-1])


def strays(each: Examined) -> tuple[Stray, ...]:
    """The unknown fields of an object, in the order of the text."""
    return _strays(each) if each.judgement is not None and each.judgement.unknown_fields else ()


@lru_cache(maxsize=1024)
def _strays(each: Examined) -> tuple[Stray, ...]:
    """Those of an object that has some: all others, often thousands, need not outlive the rules."""
    struct = each.structure
    return () if struct is None else tuple(_stray(each, struct, path) for path in _unknown(each, struct))


def meant_elsewhere(each: Examined, path: FieldPath) -> bool:
    """Whether an unknown field with a value was meant to be at ``path``, or below it."""
    return bool(strays(each)) and path in _intended_paths(each)


@lru_cache(maxsize=1024)
def _intended_paths(each: Examined) -> frozenset[FieldPath]:
    """The intended paths of unknown fields with a value, and all their parents."""
    said = [s.meant for s in strays(each) if s.meant is not None and value_at(each, s.path) is not None]
    return frozenset(meant[:length] for meant in said for length in range(len(meant) + 1))


def is_meant(given: Given, place: Place) -> bool:
    """Whether an unknown field was meant to be at the place, so that its own finding is enough."""
    each = given.examined.get(place.object)
    return each is not None and meant_elsewhere(each, place.path)


def _unknown(each: Examined, struct: Struct) -> Iterator[FieldPath]:
    """The fields that no release knows, then those that the release of the input does not."""
    found = [*_unknown_to_all(each, struct)]
    yield from found
    judged = () if each.judgement is None else each.judgement.unknown_fields
    yield from (path for path in judged if path not in found and is_there(each, path))


def _unknown_to_all(each: Examined, struct: Struct) -> Iterator[FieldPath]:
    from kubectl_fairshare.api.reading import unknown_paths
    from kubectl_fairshare.api.structures.object_meta import OBJECT_META

    for path in unknown_paths(OBJECT_META, mapping(each.manifest.data, "metadata"), root=False):
        if path[0] != "managedFields":
            yield ("metadata", *path)
    yield from unknown_paths(struct, each.manifest.data)


def _stray(each: Examined, struct: Struct, path: FieldPath) -> Stray:
    from kubectl_fairshare.api.structures.descent import fields_at
    from kubectl_fairshare.api.structures.object_meta import OBJECT_META

    above, name = path[:-1], str(path[-1])
    in_meta = path[0] == "metadata"
    if not in_meta:
        meant, version = each.house.renamed(each.manifest, path)
        if path == ("spec",) and (meant is None or not is_there(each, (*path, *meant))):
            meant = None
        if version or meant is not None:
            return Stray(path, meant, version)
    other = _OTHER_LEVELS.get(above)
    if other is not None and name in (fields_at(OBJECT_META, ()) if other == _META else fields_at(struct, other)):
        return Stray(path, (*other, name))
    known = fields_at(OBJECT_META, above[1:]) if in_meta else fields_at(struct, above)
    if name in known:  # another release has it
        return Stray(path)
    word = nearest(name, known) or longer(name, known)
    return Stray(path, None if word is None else (*above, word))


def is_there(each: Examined, path: FieldPath) -> bool:
    """Whether the text has a field at ``path``."""
    return value_at(each, path) is not MISSING
