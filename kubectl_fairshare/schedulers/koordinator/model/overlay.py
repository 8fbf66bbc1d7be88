"""A mapping with some values changed, which shares the rest with the one that it is made from."""

from collections import ChainMap
from collections.abc import Mapping, MutableMapping
from typing import Final, TypeVar, cast

Key = TypeVar("Key")
Content = TypeVar("Content")
_SMALL: Final = 64
_PART: Final = 4
"""A copy is made once as much as this part of a mapping has changed."""


def overlaid(before: Mapping[Key, Content], changes: Mapping[Key, Content]) -> Mapping[Key, Content]:
    """``before`` with the ``changes``, found in time that does not grow with ``before``; neither is to change later."""
    if not changes:
        return before
    near, far = before.maps if isinstance(before, ChainMap) else ({}, before)
    both = {**near, **changes}
    if len(far) <= _SMALL or len(both) > len(far) // _PART:
        return {**far, **both}
    return ChainMap(both, cast("MutableMapping[Key, Content]", far))
