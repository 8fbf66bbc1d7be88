"""The comments of a YAML text: every ``#`` that begins one, but not one inside a quoted or block scalar."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.input.text.yaml_events import events

_SIGN: Final = re.compile(r"(?:^|(?<=[ \t\r\n\ufeff]))#")
_LINE: Final = re.compile(r"[^\r\n]*")
_WITH_SIGNS: Final = ("'", '"', "|", ">")
"""Styles of scalars in which a ``#`` is only text; in a plain one it cannot follow a blank."""


class Comment(NamedTuple):
    """A comment from its ``#`` to the end of the line, and where it begins."""

    position: int
    text: str


def comments(text: str) -> Iterator[Comment]:
    """The comments of a YAML text that loads, in order."""
    if "#" not in text:
        return
    position = 0
    for start, end in (*_scalars(text), (len(text), len(text))):
        while (sign := _SIGN.search(text, position, start)) is not None:
            line = _LINE.match(text, sign.start())
            position = line.end() if line else sign.end()
            yield Comment(sign.start(), text[sign.start() : position])
        position = max(position, end)


def _scalars(text: str) -> Iterator[tuple[int, int]]:
    """Where ``#`` means nothing, in order: quoted scalars, and the lines of block scalars."""
    with events(text) as following:
        for event in iter(following, None):
            if type(event).__name__ == "ScalarEvent" and event.style in _WITH_SIGNS:
                yield _start(text, event.start_mark.index, event.style), event.end_mark.index


def _start(text: str, position: int, style: str) -> int:
    """Where the text of a scalar begins: on the line after the sign, if it is a block."""
    if style not in ("|", ">"):
        return position
    header = _LINE.match(text, text.index(style, position))
    return header.end() if header else position
