"""The expected values of a document after edits; the changed text is checked against them."""

import math
from collections.abc import Iterable
from copy import deepcopy
from typing import Final

from kubectl_fairshare.editing.splice import EditStep, UnspliceableError
from kubectl_fairshare.finding import Insert, Remove, Rename, Reorder, Replace
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import FieldPath, Json

_RANKS: Final = (Replace, Reorder, Remove, Rename, Insert)


class Inner:
    """A text that is itself YAML, by its contents. Raises ``UnspliceableError`` for other texts."""

    def __init__(self, text: str) -> None:
        from kubectl_fairshare.input.text.decoding import decode

        try:
            self.documents = decode("", text.encode())[1]
        except FairshareError:
            raise UnspliceableError("the text inside the field is not YAML") from None


def edited_values(document: Json, steps: Iterable[EditStep]) -> Json:
    """The values of a document after all of ``steps``; their paths are those before the first step.

    A text that a path leads into becomes an ``Inner``. Raises ``UnspliceableError`` for a path that leads nowhere.
    """
    whole = [deepcopy(document)]
    for path, edit in sorted(steps, key=_order):
        try:
            _edit(whole, (0, *path), edit)
        except (KeyError, IndexError, TypeError):
            raise UnspliceableError("the values are read differently than the edit assumes") from None
    return whole[0]


def same(wanted: Json, found: Json) -> bool:
    """Whether two values are equal, including their types; an ``Inner`` is compared with the contents of a text."""
    if isinstance(wanted, Inner):
        return isinstance(found, str) and same(wanted.documents, Inner(found).documents)
    if type(wanted) is not type(found):
        return False
    if isinstance(wanted, dict):
        return wanted.keys() == found.keys() and all(same(value, found[key]) for key, value in wanted.items())
    if isinstance(wanted, list):
        return len(wanted) == len(found) and all(map(same, wanted, found))
    if isinstance(wanted, float) and math.isnan(wanted):
        return math.isnan(found)
    return bool(wanted == found)


def _order(step: EditStep) -> tuple[int, int, int]:
    """Deeper paths first, and later items first, so that the remaining paths stay valid."""
    path, edit = step
    depth = len(path) + isinstance(edit, Insert | Reorder)
    last = path[-1] if path and isinstance(path[-1], int) else 0
    return -depth, _RANKS.index(type(edit)), -last


def _edit(whole: Json, path: FieldPath, edit: Json) -> None:
    holder = whole
    for part in path[:-1]:
        holder = _child(holder, part)
    last = path[-1]
    if isinstance(edit, Remove):
        del holder[last]
    elif isinstance(edit, Rename):
        if edit.key in holder:
            raise UnspliceableError(f"the mapping has `{edit.key}` already")
        holder[edit.key] = holder.pop(last)
    elif isinstance(edit, Replace):
        holder[last]  # an edit needs an existing value
        holder[last] = edit.value
    elif isinstance(edit, Insert):
        held = _child(holder, last)
        if held is None:
            holder[last] = held = {}
        if edit.key in held:
            raise UnspliceableError(f"the mapping has `{edit.key}` already")
        held[edit.key] = edit.value
    else:
        items = _child(holder, last)
        items[:] = [items[number] for number in edit.order]


def _child(holder: Json, part: str | int) -> Json:
    """The part ``part`` of ``holder``; for a text, of the document in it, which is read now."""
    if isinstance(holder[part], str):
        inner = Inner(holder[part])
        if len(inner.documents) != 1:
            raise UnspliceableError("the text has more than one document")
        holder[part] = inner
    held = holder[part]
    return held.documents[0] if isinstance(held, Inner) else held
