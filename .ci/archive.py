#!/usr/bin/env python3
"""Freezes the program for this platform and packs it: ``.ci/archive.py FOLDER``.

FOLDER gets ``kubectl-fairshare/``, which runs without any Python, and ``kubectl-fairshare-OS-ARCH.tar.gz``, the
archive that krew's manifest points to. Needs the ``release`` extra. Its libc is that of this machine: build on the
oldest that is to be served.
"""

import gzip
import os
import platform
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "kubectl-fairshare"
DATA = {"schemas": "schemas", "testdata/demo": "demo", "testdata/rules": "rules"}
"""Folders of the checkout, and as what ``shipped.py`` finds them inside the package."""
LEFT_OUT = ("hypothesis", "mypy", "pip", "pytest", "setuptools", "tkinter", "unittest", "xmlrpc")
UNHOOKED = ("inspect", "multiprocessing")
"""What PyInstaller would prepare at every start for modules that look at sources or start Pythons."""
MACHINES = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64", "ARM64": "arm64"}
REPEATABLE = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "315532800"}
"""With these, the same sources on the same machine make the same bytes; a moment that is set already counts."""
PAGES = ("laws.md", "vocabulary.md")
"""Pages of ``docs`` that ``help`` reads."""


def frozen(folder: Path) -> Path:
    """The folder that PyInstaller makes: the program, and beside it what it needs."""
    package = ROOT / "kubectl_fairshare"
    arguments = ["--onedir", "--noconfirm", "--clean", "--log-level", "WARN", "--name", NAME, "--paths", str(ROOT)]
    # Commands and engines are imported by name, so nobody sees them by looking.
    arguments += ["--collect-submodules", "kubectl_fairshare"]
    arguments += ["--collect-data", "kubectl_fairshare"]  # the structures of the APIs
    for kept, name in DATA.items():
        arguments += ["--add-data", f"{ROOT / kept}{os.pathsep}kubectl_fairshare/_shipped/{name}"]
    for name in PAGES:
        arguments += ["--add-data", f"{ROOT / 'docs' / name}{os.pathsep}kubectl_fairshare/_shipped/pages"]
    for name in LEFT_OUT:
        arguments += ["--exclude-module", name]
    with tempfile.TemporaryDirectory() as scratch:
        arguments += ["--additional-hooks-dir", str(unhooked(Path(scratch, "hooks")))]
        places = ["--distpath", str(folder), "--workpath", scratch, "--specpath", scratch]
        command = [sys.executable, "-m", "PyInstaller", *arguments, *places, str(package / "__main__.py")]
        subprocess.run(command, check=True, env={**REPEATABLE, **os.environ})
    return folder / NAME


def unhooked(folder: Path) -> Path:
    """A folder of hooks in which those that only cost start-up are empty ones."""
    (folder / "rthooks").mkdir(parents=True)
    (folder / "rthooks" / "nothing.py").touch()
    (folder / "rthooks.dat").write_text(repr({name: ["nothing.py"] for name in UNHOOKED}), "utf-8")
    return folder


def packed(program: Path) -> Path:
    """The archive beside the program; the same files make the same bytes."""
    system, machine = platform.system().lower(), platform.machine()
    archive = program.parent / f"{NAME}-{system}-{MACHINES.get(machine, machine)}.tar.gz"
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w") as tar,
    ):
        tar.add(ROOT / "LICENSE", f"{NAME}/LICENSE", filter=anonymous)
        for path in sorted(program.rglob("*")):
            tar.add(path, str(path.relative_to(program.parent)), recursive=False, filter=anonymous)
    return archive


def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """An entry without who made it and when."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def main(arguments: list[str]) -> int:
    """Builds; 2 for a wrong call."""
    if len(arguments) != 1:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    print(packed(frozen(Path(arguments[0]).absolute())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
