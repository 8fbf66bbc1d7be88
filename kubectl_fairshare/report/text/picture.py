"""A screen as a picture, for documents and reviews."""

import io
import re
from typing import Final

from rich.console import Console

from kubectl_fairshare.report.runner_commands import markup_without_commands
from kubectl_fairshare.report.text.console import texts
from kubectl_fairshare.report.text.table import cut_text
from kubectl_fairshare.report.text.view import WIDTH

COLOURS: Final = "truecolor"
"""What the view of a screen has for colours, where the screen becomes a picture."""
MOST: Final = 100
"""The widest picture, in cells."""
_BUTTONS: Final = 16
"""What a title leaves free, in cells: the buttons, and as much room on the other side."""
_FONTS: Final = re.compile(r"@font-face \{[^}]*\}\s*")


def svg(screen: str, title: str) -> str:
    """The screen as an SVG; the fonts are the reader's own, nothing is loaded from elsewhere.

    ``title`` is the command. A line of more than ``MOST`` cells, as a message that is quoted word for word, is folded:
    a picture as wide as that could not be read on a page.
    """
    rows = texts(screen.splitlines())
    width = min(max(WIDTH, *(row.cell_len for row in rows), 1), MOST)
    console = Console(
        record=True, file=io.StringIO(), width=width, force_terminal=True, color_system="truecolor", no_color=False
    )
    for row in rows:
        for line in row.wrap(console, width) if row.cell_len > width else (row,):
            console.print(line, soft_wrap=True)
    return markup_without_commands(_FONTS.sub("", console.export_svg(title=cut_text(title, width - _BUTTONS)))) + "\n"
