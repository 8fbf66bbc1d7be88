"""The changes of fixes as a unified diff for ``patch`` and ``git apply -p0``."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.view import View

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_NO_END: Final = "\\ No newline at end of file\n"
_TONES: Final[Mapping[str, Tone]] = {"+": "good", "-": "never", "@": "dim"}


def unified_diff(changes: Iterable[tuple[str, str, str]], view: View) -> str:
    """The difference of each text, given as name, old text, new text; without colour, exact to the byte."""
    return "".join(line for name, before, after in changes for line in _of_one(name, before, after, view))


def _of_one(name: str, before: str, after: str, view: View) -> Iterator[str]:
    lines = difflib.unified_diff(_LINE.findall(before), _LINE.findall(after), name, name)
    for number, line in enumerate(lines):
        text, end = (line[:-1], "\n") if line.endswith("\n") else (line, f"\n{_NO_END}")
        tone = "strong" if number < 2 else _TONES.get(line[0], "")
        yield (view.paint(tone, text) if view.colour else text) + end
