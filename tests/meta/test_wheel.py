"""What gets installed is whole: program, schemas, demo and examples, from a wheel and from a checkout."""

from pathlib import Path

import pytest

import kubectl_fairshare
from tests.meta.installation import Installation
from tests.meta.repository import ROOT

pytestmark = pytest.mark.slow

FOLDERS = "from kubectl_fairshare import shipped as s; print(s.schemas(), s.demo(), s.examples(), sep=chr(10))"


def files(folder: Path) -> dict[str, bytes]:
    """All files under a folder, by relative path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_program_is_the_installed_one(installation: Installation) -> None:
    place = Path(installation.output("python", "-c", "import kubectl_fairshare as k; print(k.__file__)").strip())
    home = installation.folder if installation.kind == "wheel" else ROOT
    assert place.is_relative_to(home)


def test_it_tells_its_version(installation: Installation) -> None:
    by_name = installation.output("kubectl-fairshare", "--version")
    assert kubectl_fairshare.__version__ in by_name
    assert installation.output("python", "-m", "kubectl_fairshare", "--version") == by_name


def test_the_demo_runs_anywhere(installation: Installation) -> None:
    assert installation.output("kubectl-fairshare", "demo").strip() != ""


def test_schemas_demo_and_examples_come_along(installation: Installation) -> None:
    schemas, demo, rules = (Path(line) for line in installation.output("python", "-c", FOLDERS).splitlines())
    assert files(schemas) == files(ROOT / "schemas") != {}
    assert files(demo) == files(ROOT / "testdata" / "demo") != {}
    assert files(rules) == files(ROOT / "testdata" / "rules") != {}


def test_the_data_files_of_the_package_come_along(installation: Installation) -> None:
    home = Path(installation.output("python", "-c", "import kubectl_fairshare as k; print(*k.__path__)").strip())
    kept = {path.relative_to(ROOT / "kubectl_fairshare") for path in ROOT.glob("kubectl_fairshare/**/*.json")}
    assert kept == {path.relative_to(home) for path in home.glob("**/*.json") if "_shipped" not in path.parts} != set()


def test_help_finds_its_pages(installation: Installation) -> None:
    assert "kueue-s2a" in installation.output("kubectl-fairshare", "help", "s2-a")
    assert "the most that a queue could ever use" in installation.output("kubectl-fairshare", "help", "potential")


def test_a_wheel_brings_its_own_folders(installation: Installation) -> None:
    folders = [Path(line) for line in installation.output("python", "-c", FOLDERS).splitlines()]
    home = installation.folder if installation.kind == "wheel" else ROOT
    assert all(folder.is_relative_to(home) for folder in folders)


def test_nothing_lands_outside_the_package(installation: Installation) -> None:
    listing = "import importlib.metadata as m; print(*[f.parts[0] for f in m.files('kubectl-fairshare')])"
    tops = set(installation.output("python", "-c", listing).split())
    own = {top for top in tops if top.startswith("kubectl_fairshare")}
    # ".." leads to bin, where the console script stands; the .pth file is how an editable install points here.
    assert tops - own <= {"..", "_kubectl_fairshare.pth"}
