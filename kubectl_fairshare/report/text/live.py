"""What a terminal shows for a while: pictures on a screen of their own, and what is being done; rich draws both.

Tested in ``tests/unit/cli/watching/test_watching.py``.
"""

from collections.abc import Callable, Sequence
from typing import Final, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from kubectl_fairshare.report.text.console import colour_system

_BEGIN: Final = "\x1b[?2026h"
_END: Final = "\x1b[?2026l"
"""A terminal that knows it shows nothing of what is between the two before it has all."""


class Canvas:
    """A screen of its own on a terminal while it is open, drawn over in place."""

    def __init__(self, stdout: TextIO, colour: str) -> None:
        self._stdout = stdout
        self._console = Console(file=stdout, force_terminal=True, color_system=colour_system(colour), no_color=False)
        self._live = Live(
            console=self._console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )

    def open(self) -> None:
        """Takes the screen."""
        self._live.start()

    def close(self) -> None:
        """Gives the terminal back as it was before."""
        self._live.stop()

    def draw(self, rows: Sequence[Text], size: tuple[int, int]) -> None:
        """Shows the rows, and nothing beyond the columns and rows of ``size``."""
        self._console.size = size
        self._stdout.write(_BEGIN)
        self._live.update(Group(*rows), refresh=True)
        self._stdout.write(_END)
        self._stdout.flush()


def spinner(stderr: TextIO, said: Callable[[], str]) -> Live:
    """What is being done, turning once it is started, and gone without a trace once it is stopped."""
    turning = Spinner("dots")

    def shown() -> Spinner:
        turning.update(text=Text(said()))
        return turning

    return Live(
        get_renderable=shown,
        console=Console(file=stderr),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
