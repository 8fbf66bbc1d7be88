"""What a program of the user's own prints: read up to the limit of the input. The one place that starts programs.

Tested in ``tests/unit/input/files/test_kustomize.py`` and ``tests/unit/input/files/test_charts.py``.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import IO, TYPE_CHECKING, Final

from kubectl_fairshare.input.files.raw_bytes import Budget, of_stream
from kubectl_fairshare.model.errors import FairshareError, Problem

if TYPE_CHECKING:
    from subprocess import Popen
    from threading import Event

_MOST_SAID: Final = 2000
_NO_MEMORY: Final = ("out of memory", "cannot allocate memory", "MemoryError")
STRANGERS_MEMORY: Final = 2 << 30
"""Bytes that a program may take for what a stranger wrote: a few lines of a patch double a document many times."""
_REST: Final = 2.0
"""Seconds in which what a program has started may print the rest of its output, as a filter does."""


def output_of(  # noqa: PLR0913 -- how a program is run, all in one place
    command: Sequence[str],
    name: str,
    budget: Budget,
    remedy: str,
    failed: Callable[[str], Problem],
    seconds: float = 0,
    *,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
    memory: int = 0,
) -> bytes:
    """What ``command`` prints; ``name`` is that of the source that it becomes.

    ``given`` is its standard input, ``environment`` all that it knows of ours; None gives it everything. The program is
    looked for in absolute folders of the path alone: a repository may hold one of its name. It has a session of its
    own, which ends two seconds after it: a filter writes the rest, and a child that keeps its output open holds up no
    answer.

    Raises ``FairshareError`` with ``remedy`` if the program cannot be run, with ``failed`` of what it says if it fails,
    and if it prints too much. It is killed after ``seconds``, if not 0; on Linux it gets no more than ``memory`` bytes,
    if not 0.
    """
    from threading import Event

    if any("\0" in word for word in command):  # as a suite may name a revision; no system passes one on
        raise FairshareError(failed("there is a null byte in its name"))
    try:
        process = _started(command, environment, feeds=bool(given))
    except OSError:
        raise FairshareError(Problem(f"cannot run {command[0]}", name, remedy)) from None
    _bound(process.pid, memory)
    complaints: list[bytes] = []
    end = partial(_kill, process.pid)
    limit = _limited(end, seconds)
    is_read = Event()
    with (
        process,
        limit,
        _beside(partial(_end_after, process, is_read, end)),
        _beside(partial(_feed, process.stdin, given)),
        _beside(partial(_drain, process.stderr, complaints)),
    ):
        try:
            data = of_stream(name, process.stdout, budget) if process.stdout else b""
            is_read.set()
            process.wait()
        finally:  # an interruption does not reach another session; a child may keep what is read next to open
            is_read.set()
            end()
    if process.returncode:
        said = b"".join(complaints).decode("utf-8", "replace")
        reason = f"it took more than {seconds:g}s" if limit.is_exceeded else _ending(process.returncode, said, memory)
        raise FairshareError(failed(reason or said))
    return budget.spend(data)


def _started(command: Sequence[str], environment: Mapping[str, str] | None, *, feeds: bool) -> "Popen[bytes]":
    """The program, in a session of its own. Raises ``OSError`` if it cannot be run."""
    import subprocess

    return subprocess.Popen(
        [_found(command[0]), *command[1:]],
        stdin=subprocess.PIPE if feeds else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=None if environment is None else dict(environment),
        start_new_session=True,
    )


def _bound(process: int, memory: int) -> None:
    """Bounds what a program, and all that it starts, may write to in memory; what it only reserves does not count."""
    if memory and sys.platform == "linux":
        import resource

        with suppress(OSError):
            resource.prlimit(process, resource.RLIMIT_DATA, (memory, memory))


def _ending(code: int, said: str, memory: int) -> str:
    """What ended a program that did not end itself, or had no more memory; empty for one that did."""
    if memory and any(each in said for each in _NO_MEMORY):
        return f"it needs more than {memory / 1e9:.1f} GB of memory"
    if code > 0:
        return ""
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"


def _end_after(process: "Popen[bytes]", is_read: "Event", end: Callable[[], None]) -> None:
    """Ends what a program leaves behind, which may keep its output open, once the rest of the output had time."""
    process.wait()
    is_read.wait(_REST)
    end()


def shown_by(command: Sequence[str], text: bytes, terminal: int, environment: Mapping[str, str]) -> bool:
    """Shows a text with a program on a terminal, whose file has that number; False if the program cannot be run.

    The program decides when it ends: an interruption is for it, and it need not read all of the text.
    """
    import subprocess

    try:
        process = subprocess.Popen(
            [_found(command[0]), *command[1:]], stdin=subprocess.PIPE, stdout=terminal, env=dict(environment)
        )
    except OSError:
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _feed(process.stdin, text)
        process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return True


def _kill(session: int) -> None:
    """Ends a program with all that it started in its session."""
    with suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)


@contextmanager
def _beside(work: Callable[[], None]) -> Iterator[None]:
    """Works in a thread while the block does; both have ended where it ends."""
    import threading

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _feed(stdin: IO[bytes] | None, given: bytes) -> None:
    """Writes standard input; a program that does not read all of it has its reasons."""
    if stdin is not None:
        with suppress(OSError), stdin:
            stdin.write(given)


def _drain(stderr: IO[bytes] | None, complaints: list[bytes]) -> None:
    """Reads all that a program complains, and keeps its beginning."""
    while stderr is not None and (piece := stderr.read(_MOST_SAID)):
        if not complaints:
            complaints.append(piece)


def has(program: str) -> bool:
    """Whether the user has a program."""
    try:
        return bool(_found(program))
    except FileNotFoundError:
        return False


def _found(program: str) -> str:
    """The path of a program. Raises ``FileNotFoundError`` if it is in no absolute folder of the path."""
    import shutil

    folders = [each for each in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(each)]
    path = shutil.which(program, path=os.pathsep.join(folders)) if folders else None
    if path is None or not os.path.isabs(path):
        raise FileNotFoundError(program)
    return path


class _limited:  # noqa: N801 -- read as a word of the with statement
    """Calls ``kill`` if the block takes more than ``seconds``; never if that is 0."""

    def __init__(self, kill: Callable[[], None], seconds: float) -> None:
        import threading

        self._kill = kill
        self._timer = threading.Timer(seconds, self._exceed) if seconds else None
        self.is_exceeded = False

    def _exceed(self) -> None:
        self.is_exceeded = True
        self._kill()

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.start()

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
