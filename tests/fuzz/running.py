"""Runs one call in this process, and says what is wrong with how it ended."""

import gc
import io
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from types import FrameType, TracebackType
from typing import Final
from xml.etree import ElementTree

from tests.fuzz.calls import Call
from tests.screens import stream, written

CODES: Final = frozenset({0, 1, 2, 3, 4, 5})
"""The exit codes of docs/reference/exit-codes.md, but for an interruption."""
LONGEST: Final = 10
_AUTHOR: Final = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
MOST_MEMORY: Final = 1 << 30
_QUICK: Final = 0.05
"""Seconds in which no call fills so much memory; to ask for the peak takes longer than most calls where a
sandbox answers."""


class HangError(BaseException):
    """A call took longer than it may."""


def fault(call: Call) -> str | None:
    """What is wrong with how a call ends; None if it ends as it should."""
    with tempfile.TemporaryDirectory(dir=_place()) as folder:
        for name, data in call.contents().items():
            (Path(folder) / name).parent.mkdir(exist_ok=True)
            (Path(folder) / name).write_bytes(data)
        if any(word.startswith("git:") for word in call.words):
            with _committed(folder):
                return _fault(call, folder)
        return _fault(call, folder)


@contextmanager
def _committed(folder: str) -> Iterator[None]:
    """The process inside of the folder, as a repository with one commit."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        for words in (["init", "-q"], ["add", "."], [*_AUTHOR, "commit", "-qm", "x", "--allow-empty"]):
            subprocess.run(["git", *words], check=True, capture_output=True)
        yield
    finally:
        os.chdir(before)


@contextmanager
def _served(call: Call) -> Iterator[str]:
    """The address of a server that gives the replies of a call in turn; empty where it asks none."""
    if "replies" not in call.files:
        yield ""
        return
    said = cycle(json.loads(call.files["replies"]))

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing: the campaign says what it finds."""

        def do_GET(self) -> None:
            status, body = next(said)
            data = body.encode("utf-8", "surrogateescape")
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _place() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _fault(call: Call, folder: str) -> str | None:
    code, out, err = _run(call, folder)
    if code not in CODES:
        return f"exit {code}: {err.strip().splitlines()[0][:300] if err.strip() else 'nothing on standard error'}"
    if "Traceback" in err or "this is a bug" in err:
        return f"traceback: {err.strip()[:300]}"
    if "not enough memory" in err:
        return "memory"
    if (wrong := _unreadable(call.words, out)) is not None:
        return wrong
    if "--fix" in call.words and code in (0, 1):
        return _unsettled(call, folder)
    if call.words[0] == "snapshot" and code == 0:
        return _unread(call, folder)
    return None


def _run(call: Call, folder: str) -> tuple[int, str, str]:
    from kubectl_fairshare.cli.main import main

    out, err = stream(b""), stream(b"")
    with _served(call) as server, _watched():
        words = [word.replace("{}", folder).replace("{server}", server) for word in call.words]
        if words[0] == "__complete":
            return _completed(words[1:]), "", ""
        code = main(words, stream(b""), out, err)
    return code, written(out), written(err)


def _completed(words: list[str]) -> int:
    from kubectl_fairshare.cli.completing.program import complete

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return complete(words)


@contextmanager
def _watched() -> Iterator[None]:
    """Ends what takes too long; processor time, so a busy machine is no hang."""

    def ring(_: int, frame: FrameType | None) -> None:
        where = traceback.extract_stack(frame)[-1] if frame else None
        raise HangError(f"{LONGEST} s of processor time, at {where and where.filename}:{where and where.lineno}")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _unreadable(words: list[str], out: str) -> str | None:
    """Whether a document is not well-formed."""
    form = words[words.index("-o") + 1] if "-o" in words else ""
    if not out.strip() or "--diff" in words:
        return None
    try:
        if form in ("json", "sarif", "gitlab"):
            json.loads(out)
        elif form in ("junit", "svg"):
            ElementTree.fromstring(out)
    except (ValueError, ElementTree.ParseError) as error:
        return f"-o {form} is not well-formed: {error}"
    return None


def _unsettled(call: Call, folder: str) -> str | None:
    """A second ``--fix`` finds nothing to fix."""
    once = (Path(folder) / "in.yaml").read_bytes()
    _run(call, folder)
    twice = (Path(folder) / "in.yaml").read_bytes()
    return None if once == twice else "a second --fix changes the file again"


def _unread(call: Call, folder: str) -> str | None:
    """A snapshot can be read."""
    again = Call(["shares", "-f", "{}/out.gz", "-o", "json"], call.files)
    code, _, err = _run(again, folder)
    if code in CODES - {2} or "no quotas" in err:
        return None
    return f"the snapshot cannot be asked: exit {code}: {err.strip()[:200]}"


class _Ended:
    """A context that keeps what leaves it: whatever that is, it is the result of a call."""

    said: str | None = None

    def __enter__(self) -> "_Ended":
        return self

    def __exit__(self, _: object, error: BaseException | None, where: TracebackType | None) -> bool:
        if isinstance(error, HangError):
            self.said = f"hang: {error}"
        elif isinstance(error, Exception):
            last = traceback.extract_tb(where)[-1]
            self.said = f"{type(error).__name__} leaves main at {Path(last.filename).name}:{last.lineno}: {error}"
        return self.said is not None


def outcome(call: Call) -> str | None:
    """As ``fault``, also for hangs, errors that leave ``main`` and too much memory."""
    found, start = None, time.process_time()
    ended = _Ended()
    with ended:
        found = fault(call)
    slow = time.process_time() - start > _QUICK
    if ended.said is None and found is None and slow and peak() > MOST_MEMORY:
        return _excess(call)
    return ended.said or found


def _excess(call: Call) -> str | None:
    """How much memory a call needs, if too much; run once more, as the peak of a process may be of an earlier call."""
    tracemalloc.start()
    with _Ended():
        fault(call)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return f"memory: {taken >> 20} MB" if taken > MOST_MEMORY else None


def peak() -> int:
    """Bytes that the process has needed at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def tidy() -> None:
    """Gives back what cycles hold: the program turns the collector off, as its process ends soon.

    What the collection leaves is the program itself and the seeds: the next one does not look at them.
    """
    gc.collect()
    gc.freeze()
