"""The program as it is installed, by wheel or from a checkout, in an environment of its own."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.meta.repository import ROOT

BUILD = "import sys, hatchling.build as backend; print(getattr(backend, sys.argv[1])(sys.argv[2]))"


@dataclass(frozen=True)
class Installation:
    """A virtual environment into which the program alone was installed."""

    kind: str
    folder: Path

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of a user who has the programs on the PATH."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
        return {**kept, "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}", **more}

    def output(self, name: str, *arguments: str) -> str:
        """What a program of the environment prints, called from a folder that holds nothing of ours."""
        command = [str(self.folder / "bin" / name), *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def package_folders() -> list[str]:
    """Where the packages of this interpreter are, with those that a ``.pth`` file adds."""
    return [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]


def called(*command: str | Path) -> str:
    """What a command prints at the top of the repository; it has to succeed."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(kind: str, folder: Path) -> Installation:
    """The program, installed without network: built by the backend, its dependencies borrowed from here."""
    wheel = called(sys.executable, "-c", BUILD, f"build_{kind}", folder).split()[-1]
    environment = folder / "venv"
    called(sys.executable, "-m", "venv", "--without-pip", environment)
    python = environment / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    called(*pip, "install", "-q", "--no-deps", "--no-index", folder / wheel)
    packages = called(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(packages, "zz_borrowed.pth").write_text("\n".join(package_folders()))
    return Installation(kind, environment)
