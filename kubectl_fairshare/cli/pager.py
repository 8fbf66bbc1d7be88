"""The reader's pager, as git has it: on a terminal, and only where a text is longer than the screen."""

import os
import shlex
from typing import Final

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.cli.user_settings import user_settings
from kubectl_fairshare.model.errors import Problem, UsageError

OWN: Final = "FAIRSHARE_PAGER"
_USUAL: Final = "less"
_NONE: Final = ("", "cat")
_ENVIRONMENT: Final = {"LESS": "FRX", "LV": "-c"}
"""Where the reader has no wish of his own: colours as they are, no wait on a text that fits, and it stays in sight."""


def is_paged(streams: Streams, screen: ScreenOptions) -> bool:
    """Whether a long text is for a pager: on a real terminal, without ``--no-pager`` and ``--watch``."""
    if screen.no_pager or screen.interval is not None or streams.height is None or os.environ.get("TERM") == "dumb":
        return False
    try:
        return os.isatty(streams.stdout.fileno())
    except (OSError, ValueError):  # a terminal in memory
        return False


def paged(text: str, streams: Streams, screen: ScreenOptions) -> bool:
    """Shows a text with the pager; False if there is none, so that the text is still to be written.

    Raises ``UsageError`` for a pager that no shell could read.
    """
    if not is_paged(streams, screen):
        return False
    command = pager()
    if not command:
        return False
    from kubectl_fairshare.input.files.programs import shown_by

    streams.stdout.flush()
    environment = {**_ENVIRONMENT, **os.environ}
    return shown_by(command, streams.as_written(text).encode("utf-8", "replace"), streams.stdout.fileno(), environment)


def pager() -> list[str]:
    """The words of the pager: of ``FAIRSHARE_PAGER``, the reader's settings, ``PAGER``, otherwise less; empty for none.

    Raises ``UsageError`` for a text that is not a command.
    """
    named = os.environ.get(OWN)
    named = user_settings().pager if named is None else named
    named = os.environ.get("PAGER") if named is None else named
    text = (_USUAL if named is None else named).strip()
    try:
        return [] if text in _NONE else shlex.split(text)
    except ValueError as error:
        problem = Problem(
            f"`{text}` is not a command: {str(error).lower()}", "pager", "write a program and its options"
        )
        raise UsageError(problem) from None
