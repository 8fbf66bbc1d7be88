"""What git's own folder must not hold before git is started on it: a pipe holds it up, other objects leak.

Who writes a folder writes its ``.git``, too. A named pipe in it is waited for, and objects of another repository, which
a link or ``objects/info/alternates`` lends, are read with the name of a commit.
Tested in ``tests/hostile/test_git_folder.py``.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from kubectl_fairshare.input.files.opening import small_file
from kubectl_fairshare.input.files.paths import shown_path
from kubectl_fairshare.input.files.roots import is_within
from kubectl_fairshare.model.errors import FairshareError, Problem

_POINTER: Final = 1 << 16
_UNREAD: Final = frozenset({"hooks", "modules", "worktrees", "lfs"})
"""Folders of programs, of submodules and of other work trees: git reads none of them for a revision."""
_REMEDY: Final = "clone the repository, or name files"


def check_git_folder() -> None:
    """Raises ``FairshareError`` for what git must not meet in a repository of the current directory, or above it.

    Git goes on upwards from a ``.git`` without a repository, so each is looked at.
    """
    at = os.path.realpath(os.curdir)
    while True:
        entry = os.path.join(at, ".git")
        if os.path.lexists(entry):
            for folder in dict.fromkeys(_folders(entry)):
                _check(folder, at)
        if at == os.path.dirname(at):
            return
        at = os.path.dirname(at)


def _folders(entry: str) -> Iterator[str]:
    """The folder that ``.git`` is, or names, and the one that its work trees have in common."""
    _check_file(entry)
    folder = entry if os.path.isdir(entry) else _named(entry, b"gitdir:")
    if folder:
        yield folder
        shared = os.path.join(folder, "commondir")
        _check_file(shared)
        common = _named(shared, b"")
        if common:
            yield common


def _named(path: str, mark: bytes) -> str:
    """The path that a short file names, from its own folder on; empty if there is none."""
    with suppress(OSError, FairshareError, ValueError):
        said = small_file(path, _POINTER).strip()
        if said.startswith(mark):
            return os.path.join(os.path.dirname(path), os.fsdecode(said.removeprefix(mark).strip()))
    return ""


def _check(folder: str, top: str) -> None:
    objects = os.path.join(folder, "objects")
    lent = os.path.join(objects, "info", "alternates")
    own = os.path.realpath(folder)
    waiting = [(folder, False)]
    while waiting:
        at, within = waiting.pop()
        with suppress(OSError), os.scandir(at) as entries:
            for each in entries:
                if at == folder and each.name in _UNREAD:
                    continue
                inner = within or each.path == objects
                if inner and each.is_symlink() and not (is_within(each.path, top) or is_within(each.path, own)):
                    raise FairshareError(Problem("its objects are those of another folder", _shown(each.path), _REMEDY))
                if each.is_dir(follow_symlinks=False) or (inner and each.is_dir()):
                    waiting.append((each.path, inner))
                elif not each.is_file(follow_symlinks=False):
                    _check_file(each.path)
    if _named(lent, b""):
        remedy = "`git repack -a -d` makes the repository whole, then remove the file; or name files"
        raise FairshareError(Problem("it lends the repository objects of another one: not read", _shown(lent), remedy))


def _check_file(path: str) -> None:
    """Raises ``FairshareError`` for a pipe or a device. A socket holds nothing up: git's own monitor has one."""
    with suppress(OSError, ValueError):
        mode = os.stat(path).st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise FairshareError(Problem("not a regular file: git would wait for it", _shown(path), _REMEDY))


def _shown(path: str) -> str:
    return shown_path(os.path.relpath(path))
