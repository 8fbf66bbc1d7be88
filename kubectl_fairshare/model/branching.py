"""A copy of what changes that shares all that does not, so that something goes on from one moment in several ways.

Frozen values, functions and what the caller names are shared; everything else is copied, once. Two names of one object
are two names of one copy. Tested in ``tests/unit/model/test_branching.py``.
"""

import io
import pickle
from collections.abc import Iterable
from types import FunctionType
from typing import Any, TypeVar

from kubectl_fairshare.model.values import Value

T = TypeVar("T")


def branch(of: T, shared: Iterable[object] = ()) -> T:
    """The copy; ``shared`` are further objects that it shares. Raises ``PicklingError`` for what cannot be copied."""
    copied = io.BytesIO()
    parts = {id(each): each for each in shared}
    _Copier(copied, parts).dump(of)
    found: T = _Maker(copied.getbuffer(), parts).load()
    return found


class _Copier(pickle.Pickler):
    """Writes an object, and for what is shared its number, by which ``parts`` keep it."""

    def __init__(self, file: io.BytesIO, parts: dict[int, object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._parts = parts

    def persistent_id(self, part: Any) -> int | None:
        """The number of what is shared; None for what is copied."""
        number = id(part)
        if number in self._parts:
            return number
        if isinstance(part, FunctionType) or (isinstance(part, Value) and part.__struct_config__.frozen):
            self._parts[number] = part
            return number
        return None


class _Maker(pickle.Unpickler):
    """Makes the copy of what was just written."""

    def __init__(self, file: memoryview, parts: dict[int, object]) -> None:
        super().__init__(io.BytesIO(file))
        self._parts = parts

    def persistent_load(self, number: int) -> object:
        """What is shared."""
        return self._parts[number]
