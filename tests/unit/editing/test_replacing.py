"""Files get new content whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from kubectl_fairshare.editing.replacing import not_replaceable, replace_files
from kubectl_fairshare.model.errors import FairshareError


def test_nothing_is_replaced_where_one_of_the_files_cannot_be_written(tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "missing" / "b.yaml"
    first.write_text("old")
    with pytest.raises(FairshareError, match="can't be written: no such file or directory"):
        replace_files({str(first): b"new", str(second): b"new"})
    assert first.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]


def test_a_directory_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").mkdir()
    with pytest.raises(FairshareError, match="can't be written"):
        replace_files({str(tmp_path / "a.yaml"): b"new"})
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]


def test_a_pipe_gets_the_bytes_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        replace_files({str(link): b"new"})
        assert os.read(reader, 10) == b"new"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


def test_a_new_file_has_the_mode_that_the_process_gives(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    mask = os.umask(0o027)
    try:
        replace_files({str(path): b"new"})
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_file_that_has_changed_is_not_replaceable(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"now")
    assert not_replaceable(str(path), b"now") is None
    assert not_replaceable(str(path), b"then") == "the file has changed since it was read"
    path.unlink()
    assert not_replaceable(str(path), b"now") == "the file can't be read again: no such file or directory"
