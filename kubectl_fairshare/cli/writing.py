"""Files that a command writes: whole or not at all. Tested in ``tests/unit/cli/commands/test_report.py``."""

from typing import Final

from kubectl_fairshare.cli.asking.reading import print_notes
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem

STDOUT: Final = "-"
"""The name of standard output, where a file is asked for."""


def write_file(streams: Streams, path: str, data: bytes) -> None:
    """Writes a file, or standard output. Raises ``FairshareError`` where it cannot be written."""
    if path == STDOUT and streams.stdout.isatty():
        streams.stdout.write(data.decode("utf-8", "replace"))
        return
    if path == STDOUT:
        streams.stdout.flush()
        streams.stdout.buffer.write(data)
        streams.stdout.buffer.flush()
        return
    from kubectl_fairshare.editing.replacing import replace_files

    replace_files({path: data})


def print_written(streams: Streams, path: str, contents: str, *, quiet: bool) -> None:
    """On a terminal, what is in the file that was written: a command without a screen says that it has ended well."""
    if path != STDOUT and not quiet and streams.stderr.isatty():
        print_notes((Problem(f"{path} has {contents}"),), streams, ScreenOptions())
