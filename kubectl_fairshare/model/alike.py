"""Equal values, worked through once: thousands of objects write the same few lists.

Tested in ``tests/unit/model/test_alike.py``.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

from kubectl_fairshare.model.json import Json

T = TypeVar("T")
_MOST: Final = 1024
"""Values that are remembered at a time."""
_LONGEST: Final = 4096
"""Bytes of JSON past which a value is not remembered: hardly another one equals it."""


def once_for_equal(work: Callable[[Json], T]) -> Callable[[Json], T]:
    """The function, which works through equal values once: they have the same text as JSON, and only they.

    Neither the value nor the result may be changed afterwards. What is no JSON, and what raises, is not remembered.
    """
    known: dict[bytes, T] = {}

    @wraps(work)
    def remembering(value: Json) -> T:
        import orjson

        try:
            text = orjson.dumps(value)
        except orjson.JSONEncodeError:
            return work(value)
        if text in known:
            return known[text]
        found = work(value)
        if len(text) <= _LONGEST:
            if len(known) >= _MOST:
                known.clear()
            known[text] = found
        return found

    return remembering
