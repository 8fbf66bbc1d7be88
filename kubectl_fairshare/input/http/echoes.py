"""What a server says, without the credentials that it was sent: an error is printed, and handed on.

Tested in ``tests/hostile/test_passwords.py``.
"""

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

_HIDDEN: Final = "…"
_LONG: Final = 8


def without_credentials(text: str, headers: Iterable[tuple[str, str]]) -> str:
    """The text with ``…`` in place of the credentials in the headers of a request, in any case of letters."""
    secrets = {each for name, value in headers if name.lower().endswith("authorization") for each in _secrets(value)}
    if not secrets:
        return text
    return re.sub("|".join(map(_found, sorted(secrets, key=len, reverse=True))), _HIDDEN, text, flags=re.IGNORECASE)


def _found(secret: str) -> str:
    """A pattern; a short one is also a part of words that give nothing away."""
    found = re.escape(secret)
    return found if len(secret) >= _LONG else rf"(?<!\w){found}(?!\w)"


def _secrets(value: str) -> Iterator[str]:
    scheme, _, secret = value.partition(" ")
    if not secret:
        secret, scheme = scheme, ""
    yield secret
    if scheme.lower() == "basic":
        with suppress(ValueError):
            login = b64decode(secret).decode("utf-8", "replace")
            yield login
            if password := login.partition(":")[2]:
                yield password
