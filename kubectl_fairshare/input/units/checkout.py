"""A revision of a git repository as a folder, so that it is read and divided as any other folder is.

The folder is private and goes when the reading ends. It holds the manifests below the path of the revision, and what
their kustomizations and links name elsewhere in the same revision. Links are there as in a work tree: what leads out is
named, and not read: it leads to an empty folder. They are made last, so that nothing is written through one. Submodules
are passed over, and what has the name of a way out is not written.
Tested in ``tests/unit/input/units/test_checkout.py``, ``tests/unit/input/files/test_git_links.py`` and
``tests/hostile/test_git.py``.
"""

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from kubectl_fairshare.input.files.git import RevisionTree
from kubectl_fairshare.input.files.paths import is_manifest, reason, shown_path
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.text.known_texts import KnownTexts
from kubectl_fairshare.input.units.kustomizations import NAMES, kustomization_in
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.values import Value

_ROOT: Final = ".git"
"""What marks the folder as a repository of its own: nothing that is read leads out of it."""
_CHART: Final = "Chart.yaml"
_WAYS: Final = frozenset({"", os.curdir, os.pardir, _ROOT})
"""Parts of a path that no file of a revision has, unless its tree was written by hand."""


class Checkout(Value, frozen=True):
    """A revision as a folder: ``root`` has all of it, ``here`` what is below the current directory.

    ``named`` is the file or folder that was asked for. ``prefix`` comes before a path in the name of its source.
    """

    root: str
    here: str
    named: str
    prefix: str

    def source(self, text: str) -> str:
        """A text in which files of the folder have the names that they have in the revision."""
        above = os.path.join(os.path.relpath(self.root, self.here), "")
        above = "" if above == os.path.join(os.curdir, "") else above
        pairs = ((self.here, self.prefix), (self.root, f"{self.prefix}{above}"))
        for folder, name in pairs:
            text = text.replace(f"{folder}{os.sep}", name).replace(folder, name)
        return text.replace(os.path.basename(self.root), self.prefix.rstrip(":"))

    def path(self, text: str) -> str:
        """A path in the folder as one from the current directory on: the name of a unit."""
        within = text == self.root or text.startswith(f"{self.root}{os.sep}")
        return os.path.relpath(text, self.here) if within else text


@contextmanager
def checked_out(word: str, budget: Budget, known: KnownTexts | None = None) -> Iterator[Checkout]:
    """The revision that ``git:REV:PATH`` names, as a folder, with all files of charts.

    ``known`` are texts that were decoded before.
    Raises ``FairshareError`` where git refuses, where there are no manifests, and past the limit.
    """
    import tempfile

    tree = RevisionTree(word)
    names = tree.manifests(NAMES)
    names += _of_charts(tree.named)
    names += _linked(tree)
    with tempfile.TemporaryDirectory(prefix="fairshare-git-") as folder:
        root = os.path.realpath(folder)
        here = os.path.normpath(os.path.join(root, tree.here))
        os.makedirs(here, exist_ok=True)
        _write(os.path.join(root, _ROOT), b"", word)
        written: set[str] = set()
        left = Budget(budget.limit)
        left.left = budget.left
        while names := sorted({*names} - written):
            for name, data in tree.contents(names, left):
                path = os.path.normpath(os.path.join(here, name))
                if _is_below(path, root):
                    _write(path, left.spend(data), f"{tree.prefix}{shown_path(name)}")
            written |= {*names}
            names = [*_further(tree, names, here, root, known)]
        with tempfile.TemporaryDirectory(prefix="fairshare-git-") as nothing:
            _make_links(tree, root, nothing)
            yield Checkout(root, here, os.path.normpath(os.path.join(here, tree.path)), tree.prefix)


def _of_charts(names: Sequence[str]) -> Iterator[str]:
    """The files of charts."""
    folders = [os.path.join(os.path.dirname(name), "") for name in names if os.path.basename(name) == _CHART]
    return (name for name in names if any(name.startswith(folder) for folder in folders))


def _linked(tree: RevisionTree) -> Iterator[str]:
    """The files to which links below the path lead."""
    if tree.has_links:
        for real in tree.links.reached(tree.from_top(tree.place)):
            yield from _at(tree.whole, tree.from_here(real))


def _make_links(tree: RevisionTree, root: str, nothing: str) -> None:
    """Makes the links of the revision, each in a folder that no other one leads to; ``nothing`` is an empty folder."""
    if not tree.has_links:
        return
    for name, text in sorted(tree.links.texts.items()):
        path = os.path.normpath(os.path.join(root, name))
        if _is_below(path, root) and not os.path.lexists(path) and "\0" not in text:
            folder = os.path.dirname(path)
            if os.path.realpath(folder) != folder:
                continue
            os.makedirs(folder, exist_ok=True)
            os.symlink(nothing if tree.links.leads_out(name) else text, path)


def _further(tree: RevisionTree, names: Iterable[str], here: str, root: str, known: KnownTexts | None) -> Iterator[str]:
    """What the kustomizations among the files name and is not there yet: files, and the manifests of folders."""
    named = os.path.normpath(os.path.join(here, tree.place))
    for name in names:
        each = kustomization_in(os.path.normpath(os.path.join(here, name)), root, known)
        for path in each.references() if each is not None else ():
            there = os.path.isfile(path) or (os.path.isdir(path) and f"{path}{os.sep}".startswith(f"{named}{os.sep}"))
            if not there and _is_below(path, root):
                found = [*_at(tree.whole, os.path.relpath(path, here))]
                if not found and (real := tree.links.real(os.path.relpath(path, root))) is not None:
                    found += _at(tree.whole, tree.from_here(real))
                yield from found


def _at(names: Sequence[str], path: str) -> Iterator[str]:
    """The file of a path among sorted names, or the manifests and kustomizations of the folder."""
    first = bisect_left(names, path)
    if names[first : first + 1] == (path,):
        yield path
    below = os.path.join(path, "")
    for number in range(bisect_left(names, below), len(names)):
        name = names[number]
        if not name.startswith(below):
            break
        if is_manifest(name) or os.path.basename(name) in NAMES:
            yield name


def _is_below(path: str, root: str) -> bool:
    """Whether a path is one below the folder, and no part of it is a way out or that of a repository."""
    within = path.startswith(f"{root}{os.sep}")
    return within and _WAYS.isdisjoint(os.path.relpath(path, root).split(os.sep))


def _write(path: str, data: bytes, name: str) -> None:
    """Writes a new file. Raises ``FairshareError`` where the system refuses."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
    except OSError as error:
        remedy = "name a path of the revision that is smaller: `git:REV:PATH`"
        raise FairshareError(Problem(f"cannot be written to a new folder: {reason(error)}", name, remedy)) from None
