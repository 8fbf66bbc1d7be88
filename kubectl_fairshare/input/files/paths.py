"""From what the user named to the files to read: directories walked, globs matched, each file once.

Tested in ``tests/unit/cli/linting/test_settings.py``.
"""

import glob
import os
from collections.abc import Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.input.files.globs import matches_parts
from kubectl_fairshare.input.files.roots import is_within, root_of
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import Location

STDIN: Final = "-"
SETTINGS: Final = ".fairshare.yaml"
"""The settings file that lint finds in the repository."""
TESTS: Final = "fairshare-test.yaml"
"""The tests of the policy next to it."""
_SUFFIXES: Final = (".yaml", ".yml", ".json", ".yaml.gz", ".yml.gz", ".json.gz")
KUSTOMIZATIONS: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def shown_path(path: str) -> str:
    """A path as it can be printed: bytes that are not UTF-8 as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def outside(path: str, root: str, place: Location | str | None = None) -> Problem:
    """What is said of a path that leads out of its root, or that no file can have."""
    shown = shown_path(path.replace("\0", "?"))
    if "\0" in path:
        message = f"`{shown}`: no path has a null byte"
        return Problem(message, shown if place is None else place, "write the path of a file")
    message = f"`{shown}` leads out of `{shown_path(os.path.basename(root) or root)}`: not read"
    remedy = "files name only what is in their repository, or in the folder given; pass others yourself: `-f PATH`"
    return Problem(message, shown if place is None else place, remedy)


def is_there(path: str) -> bool:
    """Whether ``path`` exists, even as a broken link."""
    return os.path.lexists(path)


def folder_of(path: str) -> str:
    """The directory that holds ``path``, absolute."""
    return os.path.dirname(os.path.abspath(path))


def find_settings(directory: str) -> str | None:
    """The settings of ``directory``: in it, or above it up to the root of its git repository.

    Raises ``UsageError`` for a link that leads out of that.
    """
    paths = (os.path.join(at, SETTINGS) for at in _up_to_root(directory))
    found = next(filter(os.path.lexists, paths), None)
    if found is None:
        return None
    if not is_within(found, root_of(os.path.dirname(found))):
        raise UsageError(outside(found, root_of(os.path.dirname(found))))
    return os.path.relpath(found, directory)


def _up_to_root(directory: str) -> list[str]:
    """The directory and those above it in its repository; outside of one, the directory alone."""
    ways = [os.path.abspath(directory)]
    while not os.path.lexists(os.path.join(ways[-1], ".git")):
        above = os.path.dirname(ways[-1])
        if above == ways[-1]:
            return ways[:1]
        ways.append(above)
    return ways


def expand(
    filenames: Sequence[str], problems: list[Problem], outside: list[Problem] | None = None, root: str = ""
) -> list[str]:
    """The files to read, in the order named and each once; ``-`` stays. What is wrong goes to ``problems``.

    No link in a directory leads out of its root: one to a file is a problem, one to a directory goes to ``outside`` (or
    to ``problems``). With ``root`` the names themselves are those of a stranger, and none leads out of it.
    """
    return _Expansion(problems, problems if outside is None else outside, root).expand(filenames)


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
    def __init__(self, problems: list[Problem], outside: list[Problem], root: str) -> None:
        self._problems = problems
        self._outside = outside
        self._root = root
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
                self._within(filename, self._root)
            else:
                self._matched(filename)
        return list(self._files.values())

    def _within(self, path: str, root: str) -> None:
        """Takes what was named; where there is a root, only what does not lead out of it."""
        if root and not is_within(path, root):
            self._problems.append(outside(path, root))
        else:
            self._named(path)

    def _problem(self, message: str, path: str, remedy: str) -> None:
        self._problems.append(Problem(message, shown_path(path), remedy))

    def _named(self, path: str) -> None:
        """Takes a file whatever its name, and of a directory the manifests."""
        if not os.path.isdir(path):
            self._take(path)
            return
        known = len(self._problems)
        every = self._walk(path)
        found = [file for file in every if is_manifest(file)]
        holds_names = any(os.path.basename(file) in KUSTOMIZATIONS for file in every)
        if not (found or holds_names) and len(self._problems) == known:
            remedy = "manifests are files named *.yaml, *.yml or *.json, also with .gz"
            self._problem("no manifests in this directory", path, remedy)
        own = {real: file for file in found if (real := self._real.get(file))}
        for file in found:
            real = self._real.get(file) or os.path.realpath(file)
            named = own.get(real, file)  # and not that of a link
            self._files.setdefault(real, named.removeprefix("./") if path in (".", "./") else named)

    def _take(self, path: str) -> None:
        self._files.setdefault(os.path.realpath(path), path)

    def _matched(self, pattern: str) -> None:
        """Takes what a glob matches; where its last part ends with ``*``, files named as manifests only."""
        fixed = pattern[: next(n for n, sign in enumerate(pattern) if sign in "*?[")]
        if self._root and os.pardir in pattern.removeprefix(fixed).split("/"):
            self._problem("this pattern climbs", pattern, "write `..` at its beginning only")
            return
        root = self._root or root_of(os.path.dirname(fixed))
        matches = self._below(pattern) if "**" in pattern else sorted(glob.glob(pattern))
        if pattern.endswith("*"):
            matches = [m for m in matches if os.path.isdir(m) or is_manifest(m)]
        if glob.has_magic(os.path.basename(pattern)):
            matches = [m for m in matches if os.path.basename(m) not in KUSTOMIZATIONS]
        if not matches:
            remedy = "`*` matches within one directory, `**/` at any depth"
            self._problem("no file matches this pattern", pattern, remedy)
        for match in matches:
            self._within(match, root)

    def _below(self, pattern: str) -> list[str]:
        """The files that a pattern with ``**`` matches, by a walk that no loop of links can hold up."""
        parts = pattern.split("/")
        fixed = next(i for i, part in enumerate(parts) if glob.has_magic(part))
        base = "/".join(parts[:fixed]) or ("/" if fixed else ".")
        if not os.path.isdir(base):
            return []
        start = len(base.rstrip("/")) + 1
        found = [file for file in self._walk(base) if matches_parts(file[start:].split("/"), parts[fixed:])]
        return found if fixed else [file.removeprefix("./") for file in found]

    def _walk(self, top: str) -> list[str]:
        """Every file under a directory, sorted, each directory entered once; hidden ones are left out.

        A directory that a link leads to has its own path, where that is under the directory, too.
        """
        files: list[str] = []
        linked: list[_Directory] = []
        entered: set[tuple[int, int]] = set()
        root = self._root or root_of(top)
        todo = [_Directory(top, _identity(top), None)]
        while todo or linked:
            directory = todo.pop() if todo else linked.pop(0)
            if directory.identity in entered:
                continue
            entered.add(directory.identity)
            below, real = [], os.path.realpath(directory.path)
            for entry in self._entries(directory.path):
                if entry.is_symlink() and _is_followed(entry) and not is_within(entry.path, root):
                    found = self._outside if _is_directory(entry) else self._problems
                    found.append(outside(entry.path, root))
                elif not _is_directory(entry):
                    files.append(entry.path)
                    if not entry.is_symlink():
                        self._real[entry.path] = os.path.join(real, entry.name)
                elif not entry.name.startswith("."):
                    below.append(entry.path)
            for path in reversed(below):
                child = self._entered(path, directory)
                if child is not None:
                    (linked if os.path.islink(path) else todo).append(child)
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


def _is_followed(entry: os.DirEntry[str]) -> bool:
    """Whether a link would be read: one to a directory that is not hidden, or one with the name of a manifest."""
    return not entry.name.startswith(".") if _is_directory(entry) else is_manifest(entry.path)


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
    return path.endswith(_SUFFIXES) and os.path.basename(path) not in (*KUSTOMIZATIONS, SETTINGS, TESTS)
