"""One matcher of globs, without backtracking, for paths that strangers write and for those of the user.

``*``, ``?`` and ``[…]`` match within one part of a path, ``**`` any number of directories. Hidden parts are matched by
patterns that name their point. Tested in ``tests/unit/input/files/test_globs.py``.
"""

import fnmatch
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

_DEEP: Final = "**"
_MAGIC: Final = re.compile(r"[*?[]")


def has_magic(pattern: str) -> bool:
    """Whether a text is a pattern."""
    return _MAGIC.search(pattern) is not None


def matches(path: str, pattern: str) -> bool:
    """Whether a relative path matches a glob in which ``**`` means any number of directories."""
    return matches_parts(path.split("/"), pattern.split("/"))


def matches_parts(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the parts of a path match those of a pattern; all ways are followed at once."""
    wanted = _without_repetitions(tuple(pattern))
    ways = _opened({0}, wanted)
    for number, part in enumerate(path):
        ways = {then for way in ways for then in _after(part, way, wanted, last=number == len(path) - 1)}
        ways = _opened(ways, wanted) if number < len(path) - 1 else ways
        if not ways:
            return False
    return len(wanted) in ways


@lru_cache(1024)
def _without_repetitions(pattern: tuple[str, ...]) -> tuple[str, ...]:
    """The pattern with one ``**`` for several in a row."""
    return tuple(part for n, part in enumerate(pattern) if part != _DEEP or n == 0 or pattern[n - 1] != _DEEP)


def _opened(ways: set[int], pattern: Sequence[str]) -> set[int]:
    """The places in the pattern, and those after a ``**`` that matches nothing."""
    return ways | {way + 1 for way in ways if way + 1 < len(pattern) and pattern[way] == _DEEP}


def _after(part: str, way: int, pattern: Sequence[str], *, last: bool) -> Iterator[int]:
    """The places in the pattern after one part of the path."""
    if way == len(pattern):
        return
    if pattern[way] != _DEEP:
        if part_matches(part, pattern[way]):
            yield way + 1
        return
    if not last:
        yield way
    elif way + 1 == len(pattern) and part_matches(part, "*"):  # at the end it is the files below
        yield way + 1


def part_matches(part: str, pattern: str) -> bool:
    """Whether one part of a path matches; a hidden one only a pattern that begins with its point."""
    if part.startswith(".") and not pattern.startswith("."):
        return False
    return _compiled(pattern)(part) is not None


@lru_cache(1024)
def _compiled(pattern: str) -> "Callable[[str], re.Match[str] | None]":
    """Python translates a part so that it never goes back over what a ``*`` has matched."""
    return re.compile(fnmatch.translate(os.path.normcase(pattern))).match


def folders_matching(pattern: str, top: str) -> list[str]:
    """The folders below ``top`` that a pattern without ``**`` matches, sorted; a folder that two links name once.

    A pattern of a stranger does not climb: one with ``..`` matches nothing.
    """
    parts = [part for part in pattern.split("/") if part not in ("", os.curdir)]
    if os.pardir in parts or "\0" in pattern:
        return []
    found = [top]
    for part in parts:
        below = (path for folder in found for path in _below(folder, part))
        found = list({os.path.realpath(path): path for path in reversed(list(below))}.values())
    return sorted(os.path.normpath(path) for path in found)


def _below(folder: str, pattern: str) -> list[str]:
    if not has_magic(pattern):
        path = os.path.join(folder, pattern)
        return [path] if os.path.isdir(path) else []
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if part_matches(entry.name, pattern) and _is_folder(entry)]
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names)]


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
