"""The types that schemas are made of, where a document is a struct, or has the fields of several.

Tested in ``tests/unit/report/documents/test_structs.py``.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypedDict, get_args, get_type_hints

from kubectl_fairshare.answers.documents import AnswerPart, DocumentPart


def joined(shared: Any, own: Any, more: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """The type of a list whose entries have the fields of both, and more."""
    if shared is own:
        return own
    (theirs,), (ours,) = get_args(shared), get_args(own)
    return list[both_types(theirs, ours, more)]  # type: ignore[misc]  # made here


def both_types(shared: type, own: type, more: Mapping[str, Any] = MappingProxyType({})) -> type:
    """The type of an entry that has the fields of both, and more."""
    theirs, ours = (get_type_hints(each, include_extras=True) for each in (shared, own))
    if "figures" in ours and "figures" in theirs:
        ours["figures"] = joined(theirs["figures"], ours["figures"])
    return typed(own.__name__, own, {**theirs, **ours, **more})


def typed(name: str, about: type, of: Mapping[str, Any]) -> type:
    """The type of mappings with these fields, which says what ``about`` says."""
    return _made_type(name, about.__doc__, tuple(of.items()))


@cache
def _made_type(name: str, about: str | None, of: tuple[tuple[str, Any], ...]) -> type:
    """A type of mappings; the same for the same fields, as a schema names it once."""
    made: type = TypedDict(name, dict(of))  # type: ignore[misc]  # made here
    made.__doc__ = about
    return made


def part_name(of: type) -> str:
    """The name of a struct's parts in a schema."""
    if issubclass(of, DocumentPart):
        return of.__name__
    if issubclass(of, AnswerPart):
        return f"{of.__name__.removesuffix('Entry')}Entry"
    return f"{of.__name__.removesuffix('Report').removesuffix('Figures')}Part"
