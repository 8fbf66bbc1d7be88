"""Fixes are written where their reader asked for them, and an error names what is written already."""

import os
from pathlib import Path

import pytest

from kubectl_fairshare.editing.replacing import replace_files
from kubectl_fairshare.model.errors import FairshareError
from tests.screens import Screen, shown

QUEUE = (
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {queueingStrateg: StrictFIFO}\n"
)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("home", "work"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "q.yaml").write_text(QUEUE)
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def fixed(words: str) -> Screen:
    return shown(f"kubectl-fairshare lint {words} --fix --unsafe-fixes")


def test_a_file_is_fixed(folder: Path) -> None:
    fixed("q.yaml")
    assert (folder / "work" / "q.yaml").read_text() != QUEUE


@pytest.mark.parametrize("target", ["../home/q.yaml", "absolute", "chain", "through"])
@pytest.mark.parametrize("words", ["a.yaml", ".", "'*.yaml'"])
def test_a_link_out_of_the_folder_is_not_written_through(folder: Path, target: str, words: str) -> None:
    here, there = folder / "work", folder / "home" / "q.yaml"
    if target == "chain":
        (here / "b.txt").symlink_to(there)
    if target == "through":
        (here / "d").symlink_to("../home")
    named = {"absolute": str(there), "chain": "b.txt", "through": "d/q.yaml"}
    (here / "a.yaml").symlink_to(named.get(target, target))
    screen = fixed(words)
    assert there.read_text() == QUEUE
    assert "leads out of" in screen.stderr


@pytest.mark.parametrize("way", ["../home", "absolute", "chain", "deep"])
@pytest.mark.parametrize("words", ["{}/q.yaml", "./{}/q.yaml", "{}"])
def test_a_folder_that_is_a_link_out_is_not_written_through(folder: Path, way: str, words: str) -> None:
    """As a shell names it where it expands ``*/q.yaml``."""
    here, there, name = folder / "work", folder / "home" / "q.yaml", "d"
    if way == "chain":
        (here / "e").symlink_to("../home")
    if way == "deep":
        (here / "sub").mkdir()
        name = "sub/d"
    targets = {"absolute": str(folder / "home"), "chain": "e", "deep": "../../home"}
    (here / name).symlink_to(targets.get(way, way))
    screen = fixed(words.format(name))
    assert there.read_text() == QUEUE
    assert "leads out of" in screen.stderr, screen


def test_a_folder_that_is_a_link_within_is_written_through(folder: Path) -> None:
    (folder / "work" / "real").mkdir()
    (folder / "work" / "q.yaml").rename(folder / "work" / "real" / "q.yaml")
    (folder / "work" / "d").symlink_to("real")
    fixed("d/q.yaml")
    assert (folder / "work" / "real" / "q.yaml").read_text() != QUEUE


def test_a_file_elsewhere_that_is_named_itself_is_written(folder: Path) -> None:
    fixed("../home/q.yaml")
    assert (folder / "home" / "q.yaml").read_text() != QUEUE


def test_a_link_within_the_folder_is_written_through(folder: Path) -> None:
    (folder / "work" / "a.yaml").symlink_to("q.yaml")
    fixed("a.yaml")
    assert (folder / "work" / "a.yaml").is_symlink()
    assert (folder / "work" / "q.yaml").read_text() != QUEUE


@pytest.mark.parametrize("fails", [0, 1, 2])
def test_an_error_names_what_is_written_already(folder: Path, fails: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = os.replace, list[str]()

    def replaced(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) > fails:
            raise PermissionError(13, "Permission denied")
        real(source, target)

    monkeypatch.setattr(os, "replace", replaced)
    names = [str(folder / "work" / name) for name in ("a", "b", "c")]
    with pytest.raises(FairshareError) as raised:
        replace_files(dict.fromkeys(names, b"new"))
    (problem,) = raised.value.problems
    assert problem.place == names[fails]
    written = [name for name in names if os.path.exists(name)]
    assert written == names[:fails]
    assert all(name in (problem.help or "") for name in written)
    assert sorted(os.listdir(folder / "work")) == sorted([*map(os.path.basename, written), "q.yaml"])
