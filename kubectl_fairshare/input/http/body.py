"""The body of an answer, piece by piece, for no longer than there is time.

Tested in ``tests/unit/input/http/test_prometheus_client.py``.
"""

import time
from collections.abc import Iterator
from typing import Any, Final

_PIECE: Final = 1 << 16


def pieces(response: Any, until: float | None) -> Iterator[bytes]:
    """What comes in from urllib3's ``response``, not decompressed, until a moment of the monotonic clock.

    Raises urllib3's ``TimeoutError`` after that moment, however little comes at a time, and its other errors.
    """
    import urllib3

    while piece := response.read1(_PIECE, decode_content=False):
        yield piece
        if until is not None and time.monotonic() > until:
            response.close()
            raise urllib3.exceptions.TimeoutError("the response took too long")
