"""Gives files new content: whole or not at all, with their old mode, owner and attributes."""

import os
import stat
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from typing import Final

from kubectl_fairshare.input.files.paths import reason, shown
from kubectl_fairshare.model.errors import FairshareError, Problem

_GZIP: Final = b"\x1f\x8b"
_OF_THE_SYSTEM: Final = frozenset({"security.selinux"})
"""Attributes that the system itself gives to a new file."""
_MODE: Final = 0o644
"""The mode of a new file, before the process's mask."""


def not_replaceable(path: str, data: bytes) -> str | None:
    """Why the file that was read as ``data`` should not be replaced; None if it can be."""
    try:
        with open(path, "rb") as stream:
            now = stream.read()
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
        return "the file has several names (hard links), which would become two files"
    return None


def replace_files(contents: Mapping[str, bytes]) -> None:
    """Gives each file its new bytes, following links. No file is replaced before all bytes are on the disk.

    Pipes and devices get the bytes as they are, last. Raises ``FairshareError`` for a file that cannot be written.
    """
    with ExitStack() as leftovers:
        ready, direct = [], []
        for path, data in contents.items():
            target = os.path.realpath(path)
            if _is_special(target):
                direct.append((path, data))
            else:
                ready.append((path, _written_beside(path, target, data, leftovers), target))
        for path, beside, target in ready:
            try:
                os.replace(beside, target)
            except OSError as error:
                raise _unwritten(path, error) from None
        for path, data in direct:
            try:
                with open(path, "wb") as stream:
                    stream.write(data)
            except OSError as error:
                raise _unwritten(path, error) from None


def _is_special(target: str) -> bool:
    """Whether it is a pipe or a device: it takes the bytes, and no file may take its place."""
    return os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target)


def _written_beside(path: str, target: str, data: bytes, leftovers: ExitStack) -> str:
    """The name of a new file with ``data`` in the same directory; closing ``leftovers`` deletes it."""
    import tempfile

    try:
        handle, beside = tempfile.mkstemp(prefix=".fairshare-", dir=os.path.dirname(target) or ".")
        leftovers.callback(_discard, beside)
        with open(handle, "wb") as stream:
            _like(target, stream.fileno())
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise _unwritten(path, error) from None
    return beside


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


def _unwritten(path: str, error: OSError) -> FairshareError:
    remedy = "make the file and its directory writable, or use another file"
    return FairshareError(Problem(f"can't be written: {reason(error)}", shown(path), remedy))
