"""The folders that an agent may read: names are checked before a call, and files as they are opened.

Tested in ``tests/unit/cli/agents/test_tools.py``.
"""

import errno
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kubectl_fairshare import shipped
from kubectl_fairshare.input.files.git import PREFIX, is_revision
from kubectl_fairshare.input.files.paths import STDIN, expand
from kubectl_fairshare.model.errors import Problem, UsageError

_OUTSIDE: Final = "outside of the folders of this server"
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PROGRAMS: Final = ("git",)


class Folders:
    """The folders that were named at the start, by their real paths."""

    def __init__(self, names: Sequence[str]) -> None:
        self._roots = tuple(os.path.realpath(name) for name in names)

    def holds(self, path: str) -> bool:
        """Whether the real path of a file is in one of the folders."""
        return _within(os.path.realpath(path), self._roots)

    def check(self, words: Iterable[str]) -> None:
        """Raises ``UsageError`` if a word names a file outside, directly or through a link, a glob or a revision."""
        for word in words:
            if word == STDIN or _is_amount(word):
                continue
            if "\0" in word or not all(self.holds(path) for path in _named(word)):
                remedy = "name a file in the folders of this server; its user chooses them at the start"
                raise UsageError(Problem(_OUTSIDE, word.replace("\0", "?"), remedy))

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """While it lasts, this process opens no other file, writes none, connects nowhere, and starts only git."""
        call = threading.get_ident()
        _GUARD.held[call] = (*self._roots, *_own_folders())
        try:
            yield
        finally:
            _GUARD.held.pop(call, None)  # a call that was stopped may end while the next one is guarded


def _is_amount(word: str) -> bool:
    """Whether a word is an amount, as `--usage` takes it, and no file, glob or revision."""
    return "=" in word and not os.path.lexists(word) and not set(word) & {"/", os.sep, "*", "?", "[", ":"}


def _named(word: str) -> Iterator[str]:
    """The files behind a word; a revision has the path in the work tree.

    The first is where a look for the others begins: if that is outside, no other is asked for, and nothing is listed.
    """
    if is_revision(word):
        yield os.path.join(os.curdir, word.removeprefix(PREFIX).partition(":")[2])
        return
    fixed = word
    for sign in "*?[":
        fixed = fixed.partition(sign)[0]
    start = word if os.path.lexists(word) or fixed == word else os.path.dirname(fixed) or os.curdir
    wrong: list[Problem] = []  # a link that leads out of its root is one
    yield start
    yield from expand([word], wrong)
    yield from (str(each.place) for each in wrong)


def _within(real: str, roots: Iterable[str]) -> bool:
    return any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _own_folders() -> Iterator[str]:
    """The folders of Python and of this program."""
    packages = [path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")]
    files = [shipped.schemas(), shipped.examples(), Path(shipped.__file__).parent]
    for path in (sys.prefix, sys.base_prefix, *packages, *map(str, files), os.devnull):
        yield os.path.realpath(path)


class _Guard:
    """An audit hook of Python, which can't be removed: it looks on while no call is guarded."""

    def __init__(self) -> None:
        self.held: dict[int, tuple[str, ...]] = {}
        self._installed = False

    def install(self) -> None:
        """Installs the hook once in this process."""
        if not self._installed:
            self._installed = True
            sys.addaudithook(self._audit)

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        roots = next(iter([*self.held.values()]), None)
        if roots is None:
            return
        if event == "open":
            path, _, flags = args
            writes = isinstance(flags, int) and flags & _WRITING and path != os.devnull
            if isinstance(path, str | bytes | os.PathLike) and (writes or not _inside(path, roots)):
                raise PermissionError(errno.EACCES, _OUTSIDE, os.fsdecode(path))
        elif event in ("os.scandir", "os.listdir") and isinstance(args[0], str | bytes) and not _inside(args[0], roots):
            raise PermissionError(errno.EACCES, _OUTSIDE, os.fsdecode(args[0]))
        elif event == "socket.connect" or (event == "subprocess.Popen" and not _is_allowed(args[0])):
            raise PermissionError(errno.EACCES, "this server may not do that")


def _is_allowed(program: Any) -> bool:
    """Whether a program is one that this server starts; its folder is one of the user's path."""
    return os.path.basename(os.fsdecode(program)) in _PROGRAMS


def _inside(path: Any, roots: tuple[str, ...]) -> bool:
    return _within(os.path.realpath(os.fsdecode(path)), roots)


_GUARD: Final = _Guard()


def install_guard() -> None:
    """Makes ``Folders.guarded`` hold in this process."""
    _GUARD.install()
