"""Finished lines with escape codes of colours, as rich's texts and back.

Tested in ``tests/unit/report/text/test_picture.py``.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, cast

from rich.console import Console
from rich.text import Text

Line = Text
Colours = Literal["standard", "256", "truecolor", "windows"]
CONSOLE: Final = Console(force_terminal=False, color_system=None)
"""For what only measures."""


def colour_system(colour: str) -> Colours | None:
    """What rich calls the colours of a view."""
    return cast("Colours", colour) if colour else None


def texts(lines: Iterable[str]) -> list[Text]:
    """Lines with escape codes of colours as texts that can be measured, broken and marked."""
    return [Text.from_ansi(line) if "\x1b" in line else Text(line) for line in lines]


def printed(rows: Sequence[Text], colour: str) -> str:
    """The rows as they are written to a stream with such colours, a line each, however long."""
    console = Console(force_terminal=True, color_system=colour_system(colour), no_color=False)
    with console.capture() as capture:
        for row in rows:
            console.print(row, soft_wrap=True)
    return capture.get()
