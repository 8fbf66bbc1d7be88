"""Where the program finds the data that travels with it."""

import re
from pathlib import Path

import pytest

from kubectl_fairshare import shipped
from kubectl_fairshare.model.errors import FairshareError
from tests.screens import ROOT


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package in an empty folder."""
    folder = tmp_path / "kubectl_fairshare"
    folder.mkdir()
    monkeypatch.setattr(shipped, "_PACKAGE", f"{folder}/")
    return folder


def test_a_wheel_has_them_inside_the_package(package: Path) -> None:
    (package / "_shipped" / "schemas").mkdir(parents=True)
    assert shipped.schemas() == package / "_shipped" / "schemas"


def test_a_checkout_has_them_at_its_top(package: Path) -> None:
    (package.parent / "pyproject.toml").touch()
    (package.parent / "testdata" / "demo").mkdir(parents=True)
    assert shipped.demo() == package.parent / "testdata" / "demo"


def test_a_neighbour_of_that_name_is_not_ours(package: Path) -> None:
    (package.parent / "schemas").mkdir()
    with pytest.raises(FairshareError):
        shipped.schemas()


def test_a_broken_installation_is_told_with_a_remedy(package: Path) -> None:
    with pytest.raises(FairshareError) as raised:
        shipped.demo()
    (problem,) = raised.value.problems
    assert problem.message == "the installation lacks its folder `demo`"
    assert problem.place == str(package)
    assert problem.help is not None
    assert "pip install" in problem.help


def test_no_text_installs_by_a_name_that_is_not_ours() -> None:
    named = re.compile(r"(?:install|inject|uvx|docker (?:run|pull))[^`\n]* kubectl-fairshare\b")
    sources = [*(ROOT / "kubectl_fairshare").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    said = [(path, named.search(path.read_text("utf-8"))) for path in sources]
    assert [(str(path), found[0]) for path, found in said if found] == []


def test_a_data_file_stands_in_the_package(package: Path) -> None:
    (package / "room").mkdir()
    (package / "room" / "some.json").write_text("{}")
    assert shipped.content("room/some.json") == b"{}"


def test_a_data_file_that_is_missing_is_a_broken_installation(package: Path) -> None:
    with pytest.raises(FairshareError) as raised:
        shipped.content("room/some.json")
    (problem,) = raised.value.problems
    assert (problem.message, problem.place) == ("the installation lacks its file `room/some.json`", str(package))
