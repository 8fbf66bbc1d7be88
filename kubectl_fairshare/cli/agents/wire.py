r"""The lines of a client as the SDK can read them: half a pair of code units (``\ud800`` in JSON) has no character.

The SDK drops a message that holds one, and its client waits for an answer. Here it is the sign for what cannot be
shown. Tested in ``tests/hostile/test_agents.py``.
"""

import io
import json
import re
from typing import Any, Final

_ESCAPES: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)"
)
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_SIGN: Final = r"\ufffd"


def whole_escapes(line: str) -> str:
    """A line of JSON with a sign in place of each half of a pair."""
    return _ESCAPES.sub(lambda found: _SIGN if _HALF.fullmatch(found[0]) else found[0], line)


def whole_text(value: Any) -> Any:
    """A document that can be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-8", "replace")) if any("\ud800" <= c <= "\udfff" for c in text) else value


class ClientLines(io.TextIOWrapper):
    """Standard input, line by line."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """The next line; empty at the end."""
        return whole_escapes(super().readline(size))
