"""Names of objects that a cluster, or a large file, was seen to hold, kept for some minutes for shell completion.

A file begins with a line that identifies cluster and user; each other line is a
kind, a namespace and a name. Light on purpose: a shell waits for what is read here.
"""

import os
import stat
import time
import zlib

from kubectl_fairshare.input.files.opening import opened

TYPE_CHECKING = False  # typing's own costs more than all else here
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from kubectl_fairshare.input.cluster.access import Access

Name = tuple[str, str, str]
"""Kind, namespace (empty for a cluster-scoped one) and name of an object."""
FRESH: "Final" = 600
"""For how many seconds names are offered."""
_PREFIX: "Final" = "names-"


def remember(access: "Access", command: str, names: "Iterable[Name]") -> None:
    """Keeps the names that a command has read from a cluster; a failure is silent.

    Nothing is kept with `--token`: a token does not say which user it is for.
    """
    if access.token:
        return
    who = identity(
        kubeconfig=access.kubeconfig,
        choices=(access.context, access.cluster, access.user, access.server, access.as_user),
        groups=access.as_groups,
    )
    keep(who, command, names)


def keep(who: str, label: str, names: "Iterable[Name]") -> None:
    """Keeps names below one line for cluster and user; new names of a label replace its earlier ones."""
    folder = _folder()
    lines = [who, *dict.fromkeys(" ".join(name) for name in names)]
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not _is_own(folder):
            return
        _forget_old(folder)
        _write(f"{_start(folder, who)}{label}", "\n".join(lines) + "\n")
    except OSError:
        return


def labels(who: str) -> list[str]:
    """The labels under which names are known from the last minutes, under such a line."""
    prefix = _start(_folder(), who)
    return [path.removeprefix(prefix) for path in _fresh(who)]


def remembered(who: str) -> "Iterator[Name]":
    """The names that are known from the last minutes under such a line; none where nothing can be read."""
    for path in _fresh(who):
        try:
            with opened(path) as stream:
                first, *lines = stream.read().decode("utf-8", "replace").split("\n")
        except OSError:  # gone by now, or none of ours
            continue
        if first != who:
            continue
        for line in lines:
            parts = line.split(" ")
            if len(parts) == 3:
                yield parts[0], parts[1], parts[2]


def identity(*, kubeconfig: str | None, choices: "Sequence[str | None]", groups: "Sequence[str]") -> str:
    """One line for cluster and user: the kubeconfig as it is now, and what options choose from it.

    The files' times are part of it, so that another current context is another line. ``choices`` are context,
    cluster, user, server and the user to be.
    """
    files = [(path, *version(path)) for path in _kubeconfigs(kubeconfig)]
    inside = os.environ.get("KUBERNETES_SERVICE_HOST", "")
    return repr((files, inside, tuple(choice or "" for choice in choices), tuple(groups)))


def _kubeconfigs(named: str | None) -> list[str]:
    if named is not None:
        return [os.path.abspath(named)]
    found = os.environ.get("KUBECONFIG") or os.path.join("~", ".kube", "config")
    return [os.path.abspath(os.path.expanduser(path)) for path in found.split(os.pathsep) if path]


def version(path: str) -> tuple[int, int]:
    """Size in bytes and time of the last change in nanoseconds; zeros where there is no such file."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def _fresh(who: str) -> "Iterator[str]":
    """The files of the last minutes whose names are those of such a line."""
    folder = _folder()
    if not os.path.isdir(folder) or not _is_own(folder):
        return
    start = os.path.basename(_start(folder, who))
    for entry in sorted(os.listdir(folder)):
        path = os.path.join(folder, entry)
        if entry.startswith(start) and _is_fresh(path):
            yield path


def _folder() -> str:
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "kubectl-fairshare")


def _start(folder: str, who: str) -> str:
    """What the paths of one cluster's files begin with; their first line settles it."""
    return os.path.join(folder, f"{_PREFIX}{zlib.crc32(who.encode()):08x}-")


def _is_own(folder: str) -> bool:
    """Whether no other user can put files or links into a folder: it is the user's, and no other may write to it."""
    status = os.lstat(folder)
    own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return own and stat.S_ISDIR(status.st_mode) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _is_fresh(path: str) -> bool:
    return 0 <= time.time() - os.stat(path).st_mtime + 1 <= FRESH


def _forget_old(folder: str) -> None:
    for entry in os.listdir(folder):
        path = os.path.join(folder, entry)
        if entry.startswith(_PREFIX) and not _is_fresh(path):
            os.unlink(path)


def _write(path: str, text: str) -> None:
    """Writes a file that only its owner may read, completely or not at all."""
    made = f"{path}.{os.getpid()}"
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # follows no link, and takes no other's file
    with open(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(made, path)
