"""The root that no file in a folder leads out of: that of its repository, or the folder itself where it is in none.

Who writes a repository decides what its files name: a path with ``../``, an absolute one, or a link may lead to a
kubeconfig of the reader. What leads out is named and not read, as kustomize restricts what a kustomization loads.
Source: kustomize, ``LoadRestrictionsRootOnly``.
Tested in ``tests/hostile/test_files_outside.py``.
"""

import os
from collections.abc import Iterable
from itertools import accumulate


def root_of(folder: str) -> str:
    """The real path of the repository that holds a folder, or of the folder if no repository does."""
    return _repository_of(folder) or os.path.realpath(folder or os.curdir)


def root_for(folder: str, paths: Iterable[str]) -> str:
    """The root for paths that a file in ``folder`` names: its own, or the repository where its reader is.

    The latter where all of the paths are in that: what was found in a repository may be kept elsewhere.
    """
    own, here = root_of(folder), _repository_of(os.curdir)
    return here if here and all(is_within(path, here) for path in paths) else own


def _repository_of(folder: str) -> str:
    """The real path of the repository that holds a folder; empty if none does."""
    at = os.path.realpath(folder or os.curdir)
    while not os.path.lexists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return ""
        at = above
    return at


def is_within(path: str, root: str) -> bool:
    """Whether a path, followed through all of its links, is in the folder ``root`` or that folder itself."""
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):  # a null byte
        return False
    return real == root or real.startswith(os.path.join(root, ""))


def link_out(path: str) -> str:
    """The first link on the way to a file that leads out of the root of its folder; empty without one.

    Of an absolute path only the file may be one: links above, as of a home, are its reader's.
    """
    steps = [path] if os.path.isabs(path) else accumulate(path.split(os.sep), os.path.join)
    return next((at for at in steps if os.path.islink(at) and not is_within(at, root_of(os.path.dirname(at)))), "")
