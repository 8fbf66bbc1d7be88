"""Texts of others on one line of a screen, with nothing in them that a terminal would obey."""

from typing import Final

_NEVER_SHOWN: Final = "\ufffd"


def printable(text: str) -> str:
    """The text; blanks of any kind are blanks, and what shows nothing or moves the cursor is `\ufffd`.

    That is every control and escape character, and those that have no width or turn the direction of writing.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else _NEVER_SHOWN
