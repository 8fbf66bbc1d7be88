"""A screen as a picture, for documents and reviews."""

import io
import re
from typing import Final

from rich.console import Console

from kubectl_fairshare.report.runner_commands import markup_without_commands
from kubectl_fairshare.report.text.console import texts
from kubectl_fairshare.report.text.view import WIDTH

COLOURS: Final = "truecolor"
"""What the view of a screen has for colours, where the screen becomes a picture."""
_FONTS: Final = re.compile(r"@font-face \{[^}]*\}\s*")


def svg(screen: str, title: str) -> str:
    """The screen as an SVG; the fonts are the reader's own, nothing is loaded from elsewhere."""
    rows = texts(screen.splitlines())
    width = max(WIDTH, *(row.cell_len for row in rows), 1)
    console = Console(
        record=True, file=io.StringIO(), width=width, force_terminal=True, color_system="truecolor", no_color=False
    )
    for row in rows:
        console.print(row, soft_wrap=True)
    return markup_without_commands(_FONTS.sub("", console.export_svg(title=title))) + "\n"
