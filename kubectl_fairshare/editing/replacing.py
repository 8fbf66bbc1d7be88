"""Gives files new content: whole or not at all, with their old mode, owner and attributes."""

import errno
import os
import signal
import stat
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import BinaryIO, Final

from kubectl_fairshare.input.files.opening import opened
from kubectl_fairshare.input.files.paths import reason, shown_path
from kubectl_fairshare.model.errors import FairshareError, Problem

_GZIP: Final = b"\x1f\x8b"
_OF_THE_SYSTEM: Final = frozenset({"security.selinux"})
"""Attributes that the system itself gives to a new file."""
_SEVERAL_NAMES: Final = "several names (hard links), which would become two files"
_REMEDIES: Final = {
    errno.ENOSPC: "free some space, or use another file",
    errno.EDQUOT: "free some space, or use another file",
    errno.EMLINK: "remove the other names, or use another file",
}
_ENDING: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals by which others end a process."""
_MODE: Final = 0o644
"""The mode of a new file, before the process's mask."""


def not_replaceable(path: str, data: bytes) -> str | None:
    """Why the file that was read as ``data`` should not be replaced; None if it can be."""
    try:
        with opened(path) as stream:
            now = stream.read(len(data) + 1)
    except OSError as error:
        return f"the file can't be read again: {reason(error)}"
    if now == data:
        return _not_writable(os.path.realpath(path))
    if now.startswith(_GZIP):
        return "the file is compressed"
    if now.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "the file is UTF-16"
    return "the file has changed since it was read"


def _not_writable(target: str) -> str | None:
    if not os.access(target, os.W_OK):
        return "the file can't be written"
    if os.stat(target).st_nlink > 1:
        return f"the file has {_SEVERAL_NAMES}"
    return None


def replace_files(contents: Mapping[str, bytes]) -> None:
    """Gives each file its new bytes, following links. No file is replaced before all bytes are on the disk.

    Should one not take its place after all, the error names those that have. Pipes and devices get the bytes as they
    are, last. Raises ``FairshareError`` for a file that cannot be written.
    """
    with _leftovers() as leftovers:
        ready, direct = [], []
        for path, data in contents.items():
            target = os.path.realpath(path)
            if _is_special(target):
                direct.append((path, data))
            else:
                ready.append((path, _written_beside(path, target, data, leftovers), target))
        for number, (path, beside, target) in enumerate(ready):
            try:
                os.replace(beside, target)
            except OSError as error:
                raise _unwritten(path, error, [done for done, _, _ in ready[:number]]) from None
        for path, data in direct:
            try:
                with open(path, "wb") as stream:
                    stream.write(data)
            except OSError as error:
                raise _unwritten(path, error) from None


def _is_special(target: str) -> bool:
    """Whether it is a pipe or a device: it takes the bytes, and no file may take its place."""
    return os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target)


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A stream whose bytes take the place of a file when the block ends, and change nothing where it fails.

    A pipe or a device gets the bytes as they come. Raises ``FairshareError`` for a file that cannot be written.
    """
    target = os.path.realpath(path)
    try:
        if _is_special(target):
            with open(path, "wb") as special:
                yield special
            return
        with _leftovers() as leftovers:
            stream, beside = _opened_beside(target, leftovers)
            with stream:
                yield stream
                _to_disk(stream)
            os.replace(beside, target)
    except OSError as error:
        raise _unwritten(path, error) from None


@contextmanager
def _leftovers() -> Iterator[ExitStack]:
    """What closes and deletes new files that have not taken their places, as does a signal that ends the process."""
    with ExitStack() as leftovers:
        for number in _ENDING if threading.current_thread() is threading.main_thread() else ():
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, partial(_end, leftovers))
                leftovers.callback(signal.signal, number, signal.SIG_DFL)
        yield leftovers


def _end(leftovers: ExitStack, number: int, _: object) -> None:
    """Ends the process by the signal, once the files are gone."""
    signal.signal(number, signal.SIG_DFL)
    with suppress(RuntimeError):  # a stream that is being written to; it is deleted all the same
        leftovers.close()
    os.kill(os.getpid(), number)


def _written_beside(path: str, target: str, data: bytes, leftovers: ExitStack) -> str:
    """The name of a new file with ``data`` in the same directory; closing ``leftovers`` deletes it."""
    try:
        stream, beside = _opened_beside(target, leftovers)
        with stream:
            stream.write(data)
            _to_disk(stream)
    except OSError as error:
        raise _unwritten(path, error) from None
    return beside


def _opened_beside(target: str, leftovers: ExitStack) -> tuple[BinaryIO, str]:
    """A new file for the content of ``target``, with all that is not content, and its name."""
    import tempfile

    if os.path.isfile(target) and os.stat(target).st_nlink > 1:
        raise OSError(errno.EMLINK, _SEVERAL_NAMES)
    if os.path.isfile(target) and not os.access(target, os.W_OK):  # its directory alone would allow it
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    handle, beside = tempfile.mkstemp(prefix=".fairshare-", dir=os.path.dirname(target) or ".")
    leftovers.callback(_discard, beside)
    stream = open(handle, "wb")  # noqa: SIM115 -- its reader closes it
    leftovers.callback(stream.close)
    _like(target, stream.fileno())
    return stream, beside


def _to_disk(stream: BinaryIO) -> None:
    stream.flush()
    os.fsync(stream.fileno())


def _like(target: str, handle: int) -> None:
    """Gives a file the owner, the mode and the attributes (access lists) of ``target``, or those of a new file.

    Raises ``OSError`` where one of them cannot be kept.
    """
    try:
        status = os.stat(target)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(handle, _MODE & ~mask)
        return
    try:
        os.fchown(handle, status.st_uid, status.st_gid)
    except PermissionError:
        if _owner(handle) != (status.st_uid, status.st_gid):
            raise
    os.fchmod(handle, stat.S_IMODE(status.st_mode))
    for name in os.listxattr(target) if hasattr(os, "listxattr") else ():
        if name not in _OF_THE_SYSTEM:
            os.setxattr(handle, name, os.getxattr(target, name))


def _owner(handle: int) -> tuple[int, int]:
    status = os.fstat(handle)
    return status.st_uid, status.st_gid


def _discard(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _unwritten(path: str, error: OSError, done: Sequence[str] = ()) -> FairshareError:
    remedy = _REMEDIES.get(error.errno or 0, "make the file and its directory writable, or use another file")
    if done:
        remedy += f"; written already: {', '.join(map(shown_path, done))}"
    return FairshareError(Problem(f"can't be written: {reason(error)}", shown_path(path), remedy))
