"""The one way to open a file that others may have written: a regular file, and without waiting.

To open a pipe could wait for ever, to read a device never end. Light on purpose: the shell completes with it.
Tested in ``tests/unit/input/files/test_raw_bytes.py`` and ``tests/hostile/test_time.py``.
"""

import errno
import os
import re
import stat
from io import FileIO

_WITHOUT_WAITING = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
_NUMBERED = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,9})")
_SPECIAL = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class SpecialFileError(OSError):
    """Raised for what is not a regular file."""

    def __init__(self, kind: str, path: str) -> None:
        super().__init__(errno.EINVAL, f"this is {kind}, not a file", path)
        self.kind = kind


def opened(path: str) -> FileIO:
    """A regular file, opened for reading. Raises ``OSError``, and ``ValueError`` for a null byte."""
    _refuse_special(path, os.stat(path).st_mode)  # to open a device may already do something
    handle = os.open(path, os.O_RDONLY | _WITHOUT_WAITING)
    try:
        _refuse_special(path, os.fstat(handle).st_mode)
    except OSError:
        os.close(handle)
        raise
    return FileIO(handle, "rb")


def passed_on(path: str) -> FileIO | None:
    """A pipe that the shell has opened for this program, as ``<(…)`` does, by the name of its number; otherwise None.

    Its name says which it is: a link in a folder that leads to one is refused as any special file.
    """
    number = _NUMBERED.fullmatch(path)
    if number is None or not stat.S_ISFIFO(os.stat(path).st_mode):
        return None
    return FileIO(os.dup(int(number[1])), "rb")


def _refuse_special(path: str, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    for is_kind, kind in _SPECIAL:
        if is_kind(mode):
            raise SpecialFileError(kind, path)


def small_file(path: str, most: int) -> bytes:
    """The content of a regular file of at most ``most`` bytes, as it is. Raises ``OSError`` for any other."""
    with opened(path) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", path)
    return data
