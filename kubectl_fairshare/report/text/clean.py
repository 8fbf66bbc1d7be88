"""Texts of others on one line of a screen, with nothing in them that a terminal would obey."""

import re
from typing import Final

_NEVER_SHOWN: Final = "\ufffd"
_OBEYED: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What a terminal obeys, or hides, of a text of many lines."""
_OURS: Final = re.compile(r"(?:\r?\x1b\[(?:[0-9;]*m|\?(?:25|1049|2026)[hl]|[0-9]{0,3}[AHJK])|\r(?=\n))+")
"""Escapes of our own: colours, and what draws over a screen in place. None of them writes where others read, and a
text of others that holds one changes nothing but a picture."""


def printable(text: str) -> str:
    """The text; blanks of any kind are blanks, and what shows nothing or moves the cursor is `\ufffd`.

    That is every control and escape character, and those that have no width or turn the direction of writing.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else _NEVER_SHOWN


def on_terminal(text: str) -> str:
    """A text as a terminal may have it: it obeys nothing but colours and the escapes that draw a screen.

    Screens hold nothing else, as each of their texts is ``printable``. This is the one way out for all of them.
    """
    if _OBEYED.search(text) is None:
        return text
    pieces, start = [], 0
    for ours in _OURS.finditer(text):
        pieces += [_OBEYED.sub(_NEVER_SHOWN, text[start : ours.start()]), ours[0]]
        start = ours.end()
    return "".join([*pieces, _OBEYED.sub(_NEVER_SHOWN, text[start:])])
