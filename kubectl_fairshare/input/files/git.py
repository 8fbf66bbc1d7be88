"""Manifests of a revision in a git repository, read from its objects: neither the work tree nor the index counts.

Tested in ``tests/unit/input/files/test_git.py`` and ``tests/unit/policy/test_diff.py``.
"""

import os
from contextlib import suppress
from typing import Final

from kubectl_fairshare.input.files.opening import small_file
from kubectl_fairshare.input.files.paths import STDIN, is_manifest
from kubectl_fairshare.input.files.programs import output_of
from kubectl_fairshare.input.files.raw_bytes import Budget, inflated
from kubectl_fairshare.input.files.roots import is_within
from kubectl_fairshare.model.errors import FairshareError, Problem

PREFIX: Final = "git:"
_COMMAND: Final = (
    "git",
    "--no-pager",
    "--literal-pathspecs",  # a path is not a pattern, and does not start at the top
    *("-c", "safe.bareRepository=explicit"),  # a folder that looks like a repository has its own configuration
    *("-c", "protocol.allow=never"),
    *("-c", "core.fsmonitor=false"),
)
"""How git is started: it reads what is there, and neither fetches nor runs what a repository's configuration names."""
_LISTED: Final = 64 << 20
"""The most bytes of a list of files: trees that name each other list more than a machine has memory for."""
_HEADER: Final = 128
"""More bytes than git writes before a content."""
_SECONDS: Final = 120.0
_KEPT: Final = ("PATH", "HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "LANG", "LC_ALL", "TMPDIR", "GIT_CEILING_DIRECTORIES")
_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


def is_revision(word: str) -> bool:
    """Whether a word names a revision, ``git:REF`` or ``git:REF:PATH``.

    A file of that name is written ``./git:REF``: who adds it to a repository does not change what the word means.
    """
    return word.startswith(PREFIX)


def path_of(word: str) -> str:
    """The path that ``git:REF:PATH`` names, or the word itself if it is a path, from the current directory on."""
    path = word.removeprefix(PREFIX).partition(":")[2] if is_revision(word) else word
    return os.path.relpath(path) if path else ""


def with_path_of(word: str, other: str) -> str:
    """A revision without a path, ``git:REF``, with the path of what it is compared with; other words as they are.

    Raises ``FairshareError`` for a file that the revision lacks: nothing may be meant, or all of the revision.
    """
    revision = word.removeprefix(PREFIX)
    if not is_revision(word) or not revision or ":" in revision:
        return word
    path = _path_in_repository(word, other)
    if path in ("", os.curdir):
        return word
    named = f"{word}:{path}"
    if not is_revision(other) and not os.path.isdir(other) and is_missing(named):
        remedy = f"write `{named}` to compare with nothing, or `{word}:` with all of the revision"
        raise FairshareError(Problem(f"the revision has no `{path}`", word, remedy))
    return named


def _path_in_repository(word: str, other: str) -> str:
    """The path of a word, from the current directory on; empty where it lies outside of the repository."""
    if is_revision(other):
        return path_of(other)
    if other == STDIN:
        return ""
    root = os.path.realpath(os.fsdecode(_git(word, ["rev-parse", "--show-toplevel"]).rstrip(b"\n")))
    real = os.path.realpath(other)
    if real != root and not real.startswith(os.path.join(root, "")):
        return ""
    return os.path.relpath(real, os.path.realpath(os.curdir))


def is_missing(word: str) -> bool:
    """Whether the path of a revision has no file. Raises ``FairshareError`` where git refuses."""
    revision, _, path = word.removeprefix(PREFIX).partition(":")
    return bool(path) and not _git(word, ["ls-tree", "-r", "-z", "--end-of-options", revision, path])


def file_at(word: str, budget: Budget) -> bytes | None:
    """The content of ``git:REV:FILE``; None if the revision lacks it. Raises ``FairshareError`` where git refuses."""
    return None if is_missing(word) else next(iter(contents(word, budget).values()))


def beside(word: str, path: str) -> str:
    """A path that counts from the folder of ``git:REV:FILE``, in the same revision."""
    revision, _, file = word.removeprefix(PREFIX).partition(":")
    return f"{PREFIX}{revision}:{os.path.normpath(os.path.join(os.path.dirname(file), path))}"


def contents(word: str, budget: Budget) -> dict[str, bytes]:
    """The manifests below the path of a revision, by name. Raises ``FairshareError`` where there are none.

    Paths are below the current directory. Links and submodules are passed over.
    """
    revision, _, path = word.removeprefix(PREFIX).partition(":")
    if not revision:
        raise FairshareError(Problem("names no revision", word, "write `git:main`, or `git:HEAD~1:org/`"))
    _check_repository(word)
    listing = _git(word, ["ls-tree", "-r", "-l", "-z", "--end-of-options", revision, *([path] if path else [])])
    blobs = dict(_blob(line) for line in listing.decode("utf-8", "backslashreplace").split("\0") if " blob " in line)
    names = [name for name in sorted(blobs) if is_manifest(name) or name == path]
    if not names:
        remedy = "manifests are files named *.yaml, *.yml or *.json, perhaps with .gz after it"
        raise FairshareError(Problem("the revision holds no manifests there", word, remedy))
    size = sum(blobs[name][1] for name in names)
    if size > budget.left:  # known before the first byte is read
        raise budget.exceeded(word, f"{size:,} bytes")
    wanted = "".join(f"{blobs[name][0]}\n" for name in names).encode()
    batch = memoryview(_git(word, ["cat-file", "--batch"], wanted, size + _HEADER * len(names)))
    found = {}
    for name in names:
        shown = f"{PREFIX}{revision}:{name}"
        header = bytes(batch[:_HEADER]).partition(b"\n")[0]
        kind, _, length = header.decode().partition(" ")[2].partition(" ")
        if kind != "blob" or not length.isdecimal():
            raise FairshareError(Problem("git has no such content", shown, "the repository is damaged, or not whole"))
        start, end = len(header) + 1, len(header) + 1 + int(length)
        found[shown] = inflated(shown, bytes(batch[start:end]), budget)
        batch = batch[end + 1 :]
    return found


def _check_repository(word: str) -> None:
    """Raises ``FairshareError`` if ``.git`` leads into a repository that does not know of this work tree.

    Who writes a folder may point its ``.git`` at a repository of its reader. Git itself keeps in the repository where a
    linked work tree and a submodule are.
    """
    found = _git(word, ["rev-parse", "--show-toplevel", "--git-common-dir", "--git-dir"]).decode("utf-8", "replace")
    top, common, own = (*found.split("\n"), "", "")[:3]
    if is_within(common, os.path.realpath(top)):
        return
    entry = os.path.join(top, ".git")
    with suppress(OSError):
        linked = os.fsdecode(small_file(os.path.join(own, "gitdir"), 1 << 16).strip())
        if os.path.isfile(entry) and os.path.realpath(linked) == os.path.realpath(entry):
            return
    above = _git(word, ["rev-parse", "--show-superproject-working-tree"]).decode("utf-8", "replace").strip()
    if not above or not is_within(common, os.path.realpath(above)):
        remedy = "clone the repository, or name files"
        raise FairshareError(Problem("`.git` leads into a repository of another folder", word, remedy))


def _blob(line: str) -> tuple[str, tuple[str, int]]:
    """A file of a line ``mode blob identity size<TAB>name``: its name, empty for a link; its identity and size."""
    about, _, name = line.partition("\t")
    mode, _, identity, size = about.split()
    return ("" if mode == "120000" else name), (identity, int(size) if size.isdecimal() else 0)


def _git(word: str, arguments: list[str], given: bytes = b"", most: int = _LISTED) -> bytes:
    """What git prints. Raises ``FairshareError`` where it refuses, is not there, or prints more than ``most`` bytes."""

    def failed(said: str) -> Problem:
        reason = said.strip().partition("\n")[0].removeprefix("fatal: ")
        return Problem(f"git could not read it: {reason}", word, "see `git log`; paths are below the current directory")

    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | _ENVIRONMENT
    return output_of(
        [*_COMMAND, *arguments],
        word,
        Budget(most),
        "install git, or name files",
        failed,
        _SECONDS,
        given=given,
        environment=environment,
    )
