"""A stranger's ``.git`` holds nothing up, and lends no objects of another repository."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.test_git import TOKEN, _repository, asked, git  # noqa: F401 -- a fixture

PIPES = (
    *("refs/heads/pipe", "refs/pipe", "packed-refs", "config", "HEAD", "index", "shallow", "info/grafts"),
    *("objects/ab/pipe", "objects/pack/pack-1.idx", "objects/info/alternates", "commondir", "config.worktree"),
)


@pytest.mark.parametrize("place", PIPES)
@pytest.mark.parametrize("linked", [False, True], ids=["a pipe", "a link to one"])
def test_a_pipe_is_named_and_not_waited_for(repository: Path, place: str, linked: bool) -> None:
    path = repository / ".git" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    pipe = repository / "pipe" if linked else path
    os.mkfifo(pipe)
    if linked:
        path.symlink_to(pipe)
    start = time.monotonic()
    screen = asked()
    assert time.monotonic() - start < 10
    assert screen.code == 3
    assert f".git/{place}: not a regular file" in screen.stderr


def test_a_pipe_for_a_folder_is_named(repository: Path) -> None:
    shutil.rmtree(repository / ".git")
    os.mkfifo(repository / ".git")
    screen = asked()
    assert (screen.code, ".git: not a regular file" in screen.stderr) == (3, True)


def test_a_socket_of_gits_own_monitor_is_no_obstacle(repository: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as monitor:
        monitor.bind(os.path.relpath(repository / ".git" / "fsmonitor--daemon.ipc"))
        assert asked().code == 0


def by_alternates(own: Path, private: Path) -> None:
    (own / "info").mkdir(exist_ok=True)
    (own / "info" / "alternates").write_text(f"{private}\n")


def by_a_link(own: Path, private: Path) -> None:
    shutil.rmtree(own)
    own.symlink_to(private)


def by_links_below(own: Path, private: Path) -> None:
    for each in private.iterdir():
        if not (own / each.name).exists():
            (own / each.name).symlink_to(each)


def by_a_link_to_each(own: Path, private: Path) -> None:
    for each in private.glob("??/*"):
        (own / each.parent.name).mkdir(exist_ok=True)
        (own / each.parent.name / each.name).symlink_to(each)


@pytest.mark.parametrize("lend", [by_alternates, by_a_link, by_links_below, by_a_link_to_each])
def test_objects_of_another_repository_are_not_read(repository: Path, lend: Callable[[Path, Path], None]) -> None:
    private = repository.parent / "private"
    commit = git(private, "rev-parse", "HEAD")
    lend(repository / ".git" / "objects", private / ".git" / "objects")
    for word in (f"git:{commit}", f"git:{commit}:secret.yaml"):
        screen = asked(word)
        assert screen.code == 3
        assert TOKEN not in screen.stdout + screen.stderr
        assert ".git/objects" in screen.stderr


def test_an_included_pipe_of_the_work_tree_ends_soon(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_fairshare.input.files.git._SECONDS_FIRST", 1.0)
    os.mkfifo(repository / "pipe")
    git(repository, "config", "include.path", "../pipe")
    start = time.monotonic()
    assert asked().code == 3
    assert time.monotonic() - start < 10
