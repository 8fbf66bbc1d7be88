#!/usr/bin/env python3
"""Writes the lists with hashes from which the action, the image and a release install: ``.ci/lock.py [PACKAGE…]``.

Each list holds for all platforms and Pythons that we serve. Packages that are named get their newest version, the
others stay. Needs uv (``pip install uv``).
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKED = ROOT / ".ci" / "locked"
BUILDS = ("hatchling>=1.26.3",)
LISTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "runtime": (("pyproject.toml",), ()),
    "action": (("pyproject.toml",), BUILDS),
    "archive": (("--extra", "release", "pyproject.toml"), ("cyclonedx-bom",)),
    "test": (("--extra", "test", "pyproject.toml"), ("build", "cyclonedx-bom", *BUILDS)),
    "sign": ((), ("sigstore~=3.6",)),
}
"""Of each list what uv reads, and what it holds besides."""


def main(packages: list[str]) -> int:
    """Writes the lists; uv's exit code where it fails."""
    options = [
        "--universal",
        "--generate-hashes",
        "--no-header",
        "--no-annotate",
        "--python-version",
        "3.11",
        "--quiet",
    ]
    options += [word for package in packages for word in ("--upgrade-package", package)]
    for name, (read, more) in LISTS.items():
        given = ["-"] if more else []
        command = ["uv", "pip", "compile", *options, *read, *given, "--output-file", str(LOCKED / f"{name}.txt")]
        done = subprocess.run(command, cwd=ROOT, input="\n".join(more), text=True, check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
