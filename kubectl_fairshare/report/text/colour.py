"""How many colours a terminal has, and texts in them; rich knows both."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TextIO

from kubectl_fairshare.answers.tables import Tone

if TYPE_CHECKING:
    from rich.color import ColorSystem
    from rich.style import Style


_STYLES: Final[Mapping[Tone, str]] = {
    "good": "green",
    "never": "red",
    "wait": "yellow",
    "dim": "dim",
    "strong": "bold",
}

_PAINT: Final = re.compile(r"\x1b\[[0-9;]*m")


def colours(stream: TextIO, *, always: bool = False) -> str:
    """The colours of a stream's terminal, by the name that rich has for them, empty for none.

    ``NO_COLOR`` forbids them, ``FORCE_COLOR`` wants them, ``TERM`` and ``COLORTERM`` say how many there are.
    ``always`` has some on any stream, whatever the environment says.
    """
    from rich.console import Console

    console = Console(file=stream, force_terminal=True if always else None)
    if always:
        return console.color_system or "standard"
    return "" if console.no_color else console.color_system or ""


def styled(tone: Tone, text: str, system: str) -> str:
    """The text in a tone, with the escape codes of a terminal that has such colours."""
    return _style(tone).render(text, color_system=_system(system)) if tone and text else text


@lru_cache
def _style(tone: Tone) -> "Style":
    from rich.style import Style

    return Style.parse(_STYLES[tone])


@lru_cache
def _system(name: str) -> "ColorSystem":
    from rich.color import ColorSystem

    return ColorSystem["EIGHT_BIT" if name == "256" else name.upper()]


def uncoloured(text: str) -> str:
    """A painted text without its colours."""
    return _PAINT.sub("", text)
