"""The bytes of a source, decompressed, within the limit on all input."""

import os
from io import BytesIO
from typing import IO, BinaryIO, Final

from kubectl_fairshare.input.files.opening import SpecialFileError, opened, passed_on
from kubectl_fairshare.input.files.paths import reason, shown_path
from kubectl_fairshare.model.errors import FairshareError, Problem

STDIN_NAME: Final = "<stdin>"
_GZIP: Final = b"\x1f\x8b"
_CHUNK: Final = 1 << 20


class Budget:
    """How many bytes of input, decompressed, may still be read; ``limit`` is ``--max-input``."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.left = limit

    def takes(self, size: int) -> bool:
        """Whether so many bytes may still be read; then they count as read. Less than 0: as not read after all.

        For what is read piece by piece, several sources at once.
        """
        if size > self.left:
            return False
        self.left -= size
        return True

    def spend(self, data: bytes) -> bytes:
        """``data``, once it is paid for."""
        self.left -= len(data)
        return data

    def exceeded(self, name: str, size: str) -> FairshareError:
        """What to raise where a source holds more than is left."""
        earlier = self.limit - self.left
        before = f", after {earlier:,} bytes of other input" if earlier else ""
        message = f"has {size}{before}; the limit for all input is {self.limit:,} bytes"
        return FairshareError(Problem(message, name, "read less, or raise the limit with `--max-input`"))


def of_file(path: str, budget: Budget) -> bytes:
    """The content of a file or a pipe of the shell. Raises ``FairshareError`` if it can't be read or is too large."""
    name = shown_path(path)
    try:
        with passed_on(path) or opened(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > budget.left:
                raise budget.exceeded(name, f"{size:,} bytes")
            return _within(name, stream, budget, expected=size)
    except SpecialFileError as error:
        remedy = f"pass it as standard input: `-f - < {name}`"
        raise FairshareError(Problem(f"this is {error.kind}, not a file", name, remedy)) from None
    except OSError as error:
        raise FairshareError(_unreadable(name, path, error)) from None


def of_stdin(stream: BinaryIO | None, budget: Budget) -> bytes:
    """What comes on standard input. Raises ``FairshareError`` where that is a terminal, or too much."""
    remedy = "pipe manifests to it: `kubectl get … -o yaml | kubectl fairshare … -f -`"
    if stream is None or stream.closed:
        raise FairshareError(Problem("there is no standard input", STDIN_NAME, remedy))
    if stream.isatty():
        raise FairshareError(Problem("standard input is a terminal", STDIN_NAME, remedy))
    return _within(STDIN_NAME, stream, budget)


def of_stream(name: str, stream: IO[bytes], budget: Budget, expected: int = _CHUNK) -> bytes:
    """All that a stream gives, some ``expected`` bytes. Raises ``FairshareError`` past the limit."""
    data = _read_bounded(stream, budget.left, expected)
    if len(data) > budget.left:
        raise budget.exceeded(name, f"more than {budget.left:,} bytes")
    return data


def _within(name: str, stream: IO[bytes], budget: Budget, expected: int = _CHUNK) -> bytes:
    return inflated(name, of_stream(name, stream, budget, expected), budget)


def inflated(name: str, data: bytes, budget: Budget) -> bytes:
    """``data``, decompressed where it is gzip, once it is paid for. Raises ``FairshareError`` past the limit."""
    if len(data) > budget.left:
        raise budget.exceeded(name, f"{len(data):,} bytes")
    return budget.spend(_inflate(name, data, budget) if data.startswith(_GZIP) else data)


def _read_bounded(stream: IO[bytes], most: int, expected: int = _CHUNK) -> bytes:
    """All of a stream, or its first ``most`` bytes and some more.

    What is expected is read at once, as pieces and their sum would take twice as much memory.
    """
    first = stream.read(min(expected, most) + 1)
    if len(first) <= expected < _CHUNK:
        return first
    if not (chunk := stream.read(_CHUNK)):
        return first
    whole = BytesIO()
    size = whole.write(first) + whole.write(chunk)
    del first
    while size <= most and (chunk := stream.read(_CHUNK)):
        size += whole.write(chunk)
    return whole.getvalue()


def _inflate(name: str, data: bytes, budget: Budget) -> bytes:
    import gzip
    import io
    import zlib

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            found = _read_bounded(stream, budget.left)  # type: ignore[arg-type]
    except EOFError:
        raise FairshareError(Problem("the gzip data is truncated", name, "download or compress it again")) from None
    except (gzip.BadGzipFile, zlib.error):
        raise FairshareError(Problem("the gzip data is damaged", name, "download or compress it again")) from None
    if len(found) > budget.left:
        raise budget.exceeded(name, f"more than {budget.left:,} bytes once decompressed")
    return found


def _unreadable(name: str, path: str, error: OSError) -> Problem:
    if os.path.islink(path) and not isinstance(error, PermissionError):
        return Problem("this link is broken: its target does not exist", name, "remove or fix the link")
    if isinstance(error, FileNotFoundError):
        return Problem("no such file or directory", name, "check the path; `-` means standard input")
    if isinstance(error, PermissionError):
        return Problem("permission denied", name, "make it readable for your user")
    return Problem(f"cannot be read: {reason(error)}", name, "use another file, or a pipe: `-f -`")
