#!/usr/bin/env python3
"""Runs the live tests once; what failed is asked once more, alone, and named: ``.ci/live.py PYTEST-ARGUMENTS``.

Real programs keep real time, so a test may fail on a busy machine and nothing be wrong. That is said at the end of the
run, not hidden: more than three such tests fail it, as does one that fails again.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

MOST = 3
FAILED = 1
"""What pytest returns where tests failed, and nothing else went wrong."""


def run(cache: Path, *arguments: str) -> int:
    """The exit code of pytest, which keeps in ``cache`` what failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-m", "live", "-o", f"cache_dir={cache}"]
    return subprocess.run([*command, *arguments], check=False).returncode


def failed(cache: Path) -> list[str]:
    """The tests that failed in the last run, sorted."""
    path = cache / "v" / "cache" / "lastfailed"
    return sorted(json.loads(path.read_text("utf-8"))) if path.exists() else []


def live(arguments: Sequence[str], cache: Path) -> tuple[int, list[str]]:
    """The exit code, and the tests that were asked a second time."""
    code = run(cache, *arguments)
    names = failed(cache)
    if code != FAILED or len(names) > MOST:
        return code, []
    return run(cache, *arguments, "-n", "0", "--last-failed"), names


def main(arguments: list[str]) -> int:
    """The exit code of the last run."""
    with tempfile.TemporaryDirectory() as folder:
        code, retried = live(arguments, Path(folder))
        again = failed(Path(folder))
    if code == FAILED and not retried:
        print(f"{len(again)} live tests failed: more than {MOST} are not asked again")
        return code
    print(f"live tests asked a second time: {len(retried)}")
    for name in retried:
        print(f"  {name}: {'failed again' if name in again else 'passed alone'}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
