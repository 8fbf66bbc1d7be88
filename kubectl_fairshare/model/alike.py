"""Equal values, worked through once: thousands of objects write the same few lists.

Tested in ``tests/unit/model/test_alike.py``.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

from msgspec import msgpack

from kubectl_fairshare.model.json import Json

T = TypeVar("T")
_MOST: Final = 1024
"""Values that are remembered at a time."""
_LONGEST: Final = 4096
"""Bytes past which a value is not remembered: hardly another one is equal."""


def once_for_equal(work: Callable[[Json], T]) -> Callable[[Json], T]:
    """The function, which works through equal values once: those with the same MessagePack. In it 1 differs from true.

    Neither the value nor the result may be changed afterwards. The first of equal values is packed once: it is known by
    its identity from then on. What MessagePack cannot hold, and what raises, is worked through each time.
    """
    known: dict[bytes, T] = {}
    first: dict[int, tuple[Json, T]] = {}  # by identity; held, so that no other value gets it
    packer = msgpack.Encoder()

    @wraps(work)
    def remembering(value: Json) -> T:
        held = first.get(id(value))
        if held is not None:
            return held[1]
        try:
            packed = packer.encode(value)
        except (OverflowError, TypeError, UnicodeEncodeError):
            return work(value)
        if packed in known:
            return known[packed]
        found = work(value)
        if len(packed) <= _LONGEST:
            if len(known) >= _MOST:
                known.clear()
                first.clear()
            known[packed] = found
            first[id(value)] = value, found
        return found

    return remembering
