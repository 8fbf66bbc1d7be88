"""Manifests of a revision in a git repository, read from its objects: neither the work tree nor the index counts.

Tested in ``tests/unit/input/files/test_git.py`` and ``tests/unit/policy/test_diff.py``.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final

from kubectl_fairshare.input.files.git_folder import check_git_folder
from kubectl_fairshare.input.files.git_links import LONGEST, TreeLinks
from kubectl_fairshare.input.files.opening import small_file
from kubectl_fairshare.input.files.paths import KUSTOMIZATIONS, STDIN, is_manifest, shown_path
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
_SECONDS_FIRST: Final = 15.0
"""For the first call, which reads the configuration alone: what that includes may be a pipe of the work tree."""
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
    check_git_folder()
    root = os.path.realpath(os.fsdecode(_git(word, ["rev-parse", "--show-toplevel"]).rstrip(b"\n")))
    real = os.path.realpath(other)
    if real != root and not real.startswith(os.path.join(root, "")):
        return ""
    return os.path.relpath(real, os.path.realpath(os.curdir))


def within(word: str, path: str) -> str:
    """A path that counts from a folder, which may be a revision's."""
    if not is_revision(word):
        return os.path.normpath(os.path.join(word, path))
    revision, _, folder = word.removeprefix(PREFIX).partition(":")
    return f"{PREFIX}{revision}:{os.path.normpath(os.path.join(folder, path))}"


def is_missing(word: str) -> bool:
    """Whether the path of a revision has no file. Raises ``FairshareError`` where git refuses."""
    return bool(word.removeprefix(PREFIX).partition(":")[2]) and not RevisionTree(word).named


def lacks_manifests(word: str) -> bool:
    """Whether a revision has no manifest and no kustomization at its path.

    Raises ``FairshareError`` where git refuses.
    """
    return is_missing(word) or not RevisionTree(word).with_names(KUSTOMIZATIONS)


def file_at(word: str, budget: Budget) -> bytes | None:
    """The content of ``git:REV:FILE``; None if the revision lacks it. Raises ``FairshareError`` where git refuses."""
    return None if is_missing(word) else next(iter(contents(word, budget).values()))


def beside(word: str, path: str) -> str:
    """A path that counts from the folder of ``git:REV:FILE``, in the same revision."""
    revision, _, file = word.removeprefix(PREFIX).partition(":")
    return f"{PREFIX}{revision}:{os.path.normpath(os.path.join(os.path.dirname(file), path))}"


def contents(word: str, budget: Budget) -> dict[str, bytes]:
    """The manifests below the path of a revision, by name. Raises ``FairshareError`` where there are none.

    Paths are below the current directory. Links in a folder and submodules are passed over.
    """
    tree = RevisionTree(word)
    names = tree.manifests()
    found = {}
    for name, data in tree.contents(names, budget):
        shown = f"{tree.prefix}{shown_path(name)}"
        found[shown] = inflated(shown, data, budget)
    return found


class RevisionTree:
    """The files of a revision by their paths from the current directory on; their contents are read on demand.

    ``prefix`` comes before a path in its name. ``links`` says where symbolic links lead; submodules are passed over.
    Raises ``FairshareError`` where git refuses, and for a path that leads out of the repository.
    """

    def __init__(self, word: str) -> None:
        self.word = word
        self._revision, _, self.path = word.removeprefix(PREFIX).partition(":")
        self.prefix = f"{PREFIX}{self._revision}:"
        if not self._revision:
            raise FairshareError(Problem("names no revision", word, "write `git:main`, or `git:HEAD~1:org/`"))
        _check_repository(word)
        self._links: dict[str, tuple[str, int]] = {}
        self.has_links = False
        """Whether there are links in what was listed."""
        self._files = self._listed(*([self.path] if self.path else []))
        self.place = self.path
        """The path with links followed."""
        if self.path and not self._files and (place := self._followed()) != self.path:
            self.place = place
            self._files = self._listed(place)
        self.named = tuple(sorted(self._files))
        """The files below the path."""

    def _followed(self) -> str:
        """The path with links followed. Raises ``FairshareError`` if it leads out."""
        if not self.links.texts:
            return self.path
        real = self.links.real(self.from_top(self.path))
        if real is None:
            remedy = "name what it leads to yourself, if it is yours"
            raise FairshareError(Problem("a link there leads out of the repository: not read", self.word, remedy))
        return self.from_here(real)

    def from_top(self, path: str) -> str:
        """A path from the current directory on, as one from the top of the repository on; empty for the top."""
        found = os.path.normpath(os.path.join(self.here, path))
        return "" if found == os.curdir else found

    def from_here(self, path: str) -> str:
        """The other way around."""
        return os.path.relpath(os.path.join(os.sep, path), os.path.join(os.sep, self.here))

    def manifests(self, also: Collection[str] = ()) -> list[str]:
        """The manifests below the path, or the file that it names, and files that are called as ``also``.

        Raises ``FairshareError`` if there are none.
        """
        names = self.with_names(also)
        if not names:
            remedy = "manifests are files named *.yaml, *.yml or *.json, perhaps with .gz after it"
            raise FairshareError(Problem("the revision holds no manifests there", self.word, remedy))
        return names

    def with_names(self, also: Collection[str]) -> list[str]:
        """The same; empty if there are none."""
        wanted = (self.path, os.path.normpath(self.path) if self.path else "", self.place)
        return [n for n in self.named if is_manifest(n) or n in wanted or os.path.basename(n) in also]

    @cached_property
    def here(self) -> str:
        """The current directory, from the top of the repository on; empty at the top."""
        said = _git(self.word, ["rev-parse", "--show-prefix"])
        return os.fsdecode(said.removesuffix(b"\n")).rstrip("/")

    @cached_property
    def whole(self) -> tuple[str, ...]:
        """All files of the revision: also those next to and above the path."""
        self._files |= {self.from_here(name): of for name, of in self._of_all.items()}
        return tuple(sorted(self._files))

    @cached_property
    def _of_all(self) -> dict[str, tuple[str, int]]:
        """The files of the revision by their paths from the top on; its links are kept, too."""
        return self._listed(option="--full-tree")

    @cached_property
    def links(self) -> TreeLinks:
        """The symbolic links of the revision."""
        self._of_all  # noqa: B018 -- which lists them
        short = {name: identity for name, (identity, size) in self._links.items() if size <= LONGEST}
        if not short:
            return TreeLinks()
        wanted = "".join(f"{identity}\n" for identity in short.values()).encode()
        batch = _git(self.word, ["cat-file", "--batch"], wanted, (LONGEST + _HEADER) * len(short))
        texts: dict[str, str] = {}
        for name in short:
            header, _, batch = batch.partition(b"\n")
            length = int(header.rpartition(b" ")[2])
            texts[name] = os.fsdecode(batch[:length])
            batch = batch[length + 1 :]
        return TreeLinks(texts)

    def _listed(self, *paths: str, option: str = "-r") -> dict[str, tuple[str, int]]:
        """The identity and the size of each file that ``git ls-tree`` lists."""
        command = ["ls-tree", "-r", "-l", "-z", option, "--end-of-options", self._revision, *paths]
        listing = _git(self.word, command).decode("utf-8", "surrogateescape")
        found = [_blob(line) for line in listing.split("\0") if " blob " in line]
        links = {name: of for name, of, is_link in found if is_link}
        if option == "--full-tree":
            self._links = links
        self.has_links = self.has_links or bool(links)
        return {name: of for name, of, is_link in found if not is_link}

    def contents(self, names: Sequence[str], budget: Budget) -> Iterator[tuple[str, bytes]]:
        """The names with their contents as they are kept. Raises ``FairshareError`` past the limit."""
        size = sum(self._files[name][1] for name in names)
        if size > budget.left:  # known before the first byte is read
            raise budget.exceeded(self.word, f"{size:,} bytes")
        wanted = "".join(f"{self._files[name][0]}\n" for name in names).encode()
        batch = memoryview(_git(self.word, ["cat-file", "--batch"], wanted, size + _HEADER * len(names)))
        for name in names:
            header = bytes(batch[:_HEADER]).partition(b"\n")[0]
            kind, _, length = header.decode().partition(" ")[2].partition(" ")
            if kind != "blob" or not length.isdecimal():
                shown = f"{self.prefix}{shown_path(name)}"
                remedy = "the repository is damaged, or not whole"
                raise FairshareError(Problem("git has no such content", shown, remedy))
            start, end = len(header) + 1, len(header) + 1 + int(length)
            yield name, bytes(batch[start:end])
            batch = batch[end + 1 :]


def _check_repository(word: str) -> None:
    """Raises ``FairshareError`` if ``.git`` leads into a repository that does not know of this work tree.

    Who writes a folder may point its ``.git`` at a repository of its reader. Git itself keeps in the repository where a
    linked work tree and a submodule are.
    """
    check_git_folder()
    asked = ["rev-parse", "--show-toplevel", "--git-common-dir", "--git-dir"]
    found = _git(word, asked, seconds=_SECONDS_FIRST).decode("utf-8", "replace")
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


def _blob(line: str) -> tuple[str, tuple[str, int], bool]:
    """A file of a line ``mode blob identity size<TAB>name``: its name, its identity and size, and if it is a link."""
    about, _, name = line.partition("\t")
    mode, _, identity, size = about.split()
    return name, (identity, int(size) if size.isdecimal() else 0), mode == "120000"


def _git(word: str, arguments: list[str], given: bytes = b"", most: int = _LISTED, seconds: float = _SECONDS) -> bytes:
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
        seconds,
        given=given,
        environment=environment,
    )
