"""What gets installed is whole: program, schemas, demo and examples, from a wheel and from a checkout."""

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

import kubectl_fairshare
from tests.meta.repository import ROOT

pytestmark = pytest.mark.xdist_group("wheel")

BUILD = "import sys, hatchling.build as backend; print(getattr(backend, sys.argv[1])(sys.argv[2]))"
FOLDERS = "from kubectl_fairshare import shipped as s; print(s.schemas(), s.demo(), s.examples(), sep=chr(10))"


@dataclass(frozen=True)
class Installation:
    """A virtual environment into which the program alone was installed."""

    kind: str
    folder: Path

    def output(self, name: str, *arguments: str) -> str:
        """What a program of the environment prints, called from a folder that holds nothing of ours."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
        command = [str(self.folder / "bin" / name), *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def called(*command: str | Path) -> str:
    """What a command prints at the top of the repository; it has to succeed."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=["wheel", "editable"])
def installation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The program, installed without network: built by the backend, its dependencies borrowed from here."""
    kind = str(request.param)
    folder = tmp_path_factory.mktemp(kind)
    wheel = called(sys.executable, "-c", BUILD, f"build_{kind}", folder).split()[-1]
    environment = folder / "venv"
    called(sys.executable, "-m", "venv", "--without-pip", environment)
    python = environment / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    called(*pip, "install", "-q", "--no-deps", "--no-index", folder / wheel)
    packages = called(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    borrowed = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    Path(packages, "zz_borrowed.pth").write_text("\n".join(borrowed))
    return Installation(kind, environment)


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
