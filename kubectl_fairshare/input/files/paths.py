"""From what the user named to the files to read: directories walked, globs matched, each file once.

Tested in ``tests/unit/cli/linting/test_settings.py``.
"""

import fnmatch
import glob
import os
from collections.abc import Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.model.errors import Problem

STDIN: Final = "-"
SETTINGS: Final = ".fairshare.yaml"
"""The settings file that lint finds in the repository."""
TESTS: Final = "fairshare-test.yaml"
"""The tests of the policy next to it."""
_SUFFIXES: Final = (".yaml", ".yml", ".json", ".yaml.gz", ".yml.gz", ".json.gz")
_KUSTOMIZATIONS: Final = ("kustomization.yaml", "kustomization.yml")


def shown_path(path: str) -> str:
    """A path as it can be printed: bytes that are not UTF-8 as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def is_there(path: str) -> bool:
    """Whether ``path`` exists, even as a broken link."""
    return os.path.lexists(path)


def folder_of(path: str) -> str:
    """The directory that holds ``path``, absolute."""
    return os.path.dirname(os.path.abspath(path))


def find_settings(directory: str) -> str | None:
    """The settings of ``directory``: in it, or above it up to the root of its git repository."""
    paths = (os.path.join(at, SETTINGS) for at in _up_to_root(directory))
    found = next(filter(os.path.lexists, paths), None)
    return None if found is None else os.path.relpath(found, directory)


def _up_to_root(directory: str) -> list[str]:
    """The directory and those above it in its repository; outside of one, the directory alone."""
    ways = [os.path.abspath(directory)]
    while not os.path.lexists(os.path.join(ways[-1], ".git")):
        above = os.path.dirname(ways[-1])
        if above == ways[-1]:
            return ways[:1]
        ways.append(above)
    return ways


def expand(filenames: Sequence[str], problems: list[Problem]) -> list[str]:
    """The files to read, in the order named and each once; ``-`` stays. What is wrong goes to ``problems``."""
    return _Expansion(problems).expand(filenames)


class _Directory(NamedTuple):
    """A directory on the way down, with the one above it."""

    path: str
    identity: tuple[int, int]
    above: "_Directory | None"

    def leads_back_to(self, identity: tuple[int, int]) -> str | None:
        """The path of this directory or one above it that is the very one."""
        here: _Directory | None = self
        while here is not None:
            if here.identity == identity:
                return here.path
            here = here.above
        return None


class _Expansion:
    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems
        self._files: dict[str, str] = {}  # real path -> path as named
        self._real: dict[str, str] = {}  # paths met on the way -> real path, where no link leads there

    def expand(self, filenames: Sequence[str]) -> list[str]:
        for filename in filenames:
            if filename == STDIN:
                self._files[STDIN] = STDIN
            elif "\0" in filename:
                self._problem("no path has a null byte", filename.replace("\0", "?"), "write the path of a file")
            elif "://" in filename:
                remedy = f"fetch it first: `curl -sSfL {filename} | kubectl fairshare … -f -`"
                self._problem("URLs are not supported", filename, remedy)
            elif os.path.lexists(filename) or not glob.has_magic(filename):
                self._named(filename)
            else:
                self._matched(filename)
        return list(self._files.values())

    def _problem(self, message: str, path: str, remedy: str) -> None:
        self._problems.append(Problem(message, shown_path(path), remedy))

    def _named(self, path: str) -> None:
        """Takes a file whatever its name, and of a directory the manifests."""
        if not os.path.isdir(path):
            self._take(path)
            return
        known = len(self._problems)
        found = [file for file in self._walk(path) if is_manifest(file)]
        if not found and len(self._problems) == known:
            remedy = "manifests are files named *.yaml, *.yml or *.json, also with .gz"
            self._problem("no manifests in this directory", path, remedy)
        for file in found:
            real = self._real.get(file) or os.path.realpath(file)
            self._files.setdefault(real, file.removeprefix("./") if path in (".", "./") else file)

    def _take(self, path: str) -> None:
        self._files.setdefault(os.path.realpath(path), path)

    def _matched(self, pattern: str) -> None:
        """Takes what a glob matches; where its last part ends with ``*``, files named as manifests only."""
        matches = self._below(pattern) if "**" in pattern else sorted(glob.glob(pattern))
        if pattern.endswith("*"):
            matches = [m for m in matches if os.path.isdir(m) or is_manifest(m)]
        if glob.has_magic(os.path.basename(pattern)):
            matches = [m for m in matches if os.path.basename(m) not in _KUSTOMIZATIONS]
        if not matches:
            remedy = "`*` matches within one directory, `**/` at any depth"
            self._problem("no file matches this pattern", pattern, remedy)
        for match in matches:
            self._named(match)

    def _below(self, pattern: str) -> list[str]:
        """The files that a pattern with ``**`` matches, by a walk that no loop of links can hold up."""
        parts = pattern.split("/")
        fixed = next(i for i, part in enumerate(parts) if glob.has_magic(part))
        base = "/".join(parts[:fixed]) or ("/" if fixed else ".")
        if not os.path.isdir(base):
            return []
        found = [f for f in self._walk(base) if _matches(f[len(base.rstrip("/")) + 1 :].split("/"), parts[fixed:])]
        return found if fixed else [file.removeprefix("./") for file in found]

    def _walk(self, top: str) -> list[str]:
        """Every file under a directory, sorted, each directory entered once; hidden ones are left out."""
        files: list[str] = []
        entered: set[tuple[int, int]] = set()
        todo = [_Directory(top, _identity(top), None)]
        while todo:
            directory = todo.pop()
            if directory.identity in entered:
                continue
            entered.add(directory.identity)
            below, real = [], os.path.realpath(directory.path)
            for entry in self._entries(directory.path):
                if not _is_directory(entry):
                    files.append(entry.path)
                    if not entry.is_symlink():
                        self._real[entry.path] = os.path.join(real, entry.name)
                elif not entry.name.startswith("."):
                    below.append(entry.path)
            children = [self._entered(path, directory) for path in reversed(below)]
            todo.extend(child for child in children if child is not None)
        return sorted(files)

    def _entries(self, directory: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(directory) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            remedy = "make it readable, or pass the files in it"
            self._problem(f"cannot read the directory: {reason(error)}", directory, remedy)
            return []

    def _entered(self, path: str, above: _Directory) -> _Directory | None:
        identity = _identity(path)
        back = above.leads_back_to(identity)
        if back is None:
            return _Directory(path, identity, above)
        message = f"a directory loop: this link points back to `{shown_path(back)}`"
        self._problem(message, path, "remove the link, or pass the files instead of the directory")
        return None


def reason(error: OSError) -> str:
    """Why the operating system refused, as it says it."""
    return (error.strerror or str(error)).lower()


def _is_directory(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a directory, or a link that leads to one."""
    try:
        return entry.is_dir()
    except OSError:  # a link that leads nowhere
        return False


def _identity(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


def is_manifest(path: str) -> bool:
    """Whether a file in a directory is read: kustomize's own instructions are not, they are for ``-k``."""
    return path.endswith(_SUFFIXES) and os.path.basename(path) not in (*_KUSTOMIZATIONS, SETTINGS, TESTS)


def matches(path: str, pattern: str) -> bool:
    """Whether a relative path matches a glob in which ``**`` means any number of directories."""
    return _matches(path.split("/"), pattern.split("/"))


def _matches(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the parts of a path match those of a pattern, ``**`` standing for any number of them."""
    if not pattern:
        return not path
    first = pattern[0]
    if first == "**":
        return any(_matches(path[skip:], pattern[1:] or ["*"]) for skip in range(len(path)))
    if not path or (path[0].startswith(".") and not first.startswith(".")):
        return False
    return fnmatch.fnmatchcase(path[0], first) and _matches(path[1:], pattern[1:])
