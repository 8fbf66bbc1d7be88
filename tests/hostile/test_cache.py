"""Another user of the machine gets nothing from, and puts nothing into, what is kept for completion."""

import os
import stat
from pathlib import Path

import pytest

from kubectl_fairshare.input import remembered

NAMES = [("Job", "team", "secret-name")]


@pytest.fixture(name="cache")
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "kubectl-fairshare"


def kept() -> list[tuple[str, str, str]]:
    remembered.keep("who", "label", NAMES)
    return list(remembered.remembered("who"))


def test_names_are_kept_for_their_user_alone(cache: Path) -> None:
    assert kept() == NAMES
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    (file,) = cache.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722, 0o1777, 0o702, 0o720])
def test_a_folder_that_others_may_write_is_not_used(cache: Path, mode: int) -> None:
    cache.mkdir()
    cache.chmod(mode)
    assert kept() == []
    assert list(cache.iterdir()) == []


def test_a_folder_that_is_a_link_is_not_used(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir(mode=0o700)
    cache.symlink_to("other")
    assert kept() == []
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_another_user_is_not_used(cache: Path) -> None:
    cache.mkdir(mode=0o700)
    os.chown(cache, 12345, -1)
    assert kept() == []


@pytest.mark.parametrize("what", ["link", "dangling link", "pipe", "file"])
def test_a_file_that_is_there_already_is_not_written(
    cache: Path, tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "target"
    cache.mkdir(mode=0o700)
    monkeypatch.setattr(os, "getpid", lambda: 7)
    beside = Path(f"{remembered._start(str(cache), 'who')}label.7")
    if what == "pipe":
        os.mkfifo(beside)
    elif what == "file":
        beside.write_text("mine")
    else:
        if what == "link":
            target.write_text("mine")
        beside.symlink_to(target)
    remembered.keep("who", "label", NAMES)
    assert not target.exists() or target.read_text() == "mine"
    assert what != "file" or beside.read_text() == "mine"


def test_a_pipe_among_the_files_is_not_waited_for(cache: Path) -> None:
    cache.mkdir(mode=0o700)
    os.mkfifo(f"{remembered._start(str(cache), 'who')}label")
    assert list(remembered.remembered("who")) == []
