#!/usr/bin/env python3
"""Runs the live tests once; what failed is asked once more, alone, and named: ``.ci/live.py PYTEST-ARGUMENTS``.

Real programs keep real time: most of a run is waiting, so three stages are played at once, and then, one by one, the
tests that compare times (``alone``). FAIRSHARE_LIVE_STAGES says how many are played at once.

A test may fail on a busy machine and nothing be wrong. That is said at the end of the run, not hidden: more than three
such tests fail it, as does one that fails again.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

STAGES = os.environ.get("FAIRSHARE_LIVE_STAGES", "3")
MOST = 3
FAILED = 1
"""What pytest returns where tests failed, and nothing else went wrong."""
NOTHING = 5
"""What it returns where it was to run no test."""


def run(cache: Path, marks: str, *arguments: str) -> int:
    """The exit code of pytest, which keeps in ``cache`` what failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-m", marks, "-o", f"cache_dir={cache}"]
    return subprocess.run([*command, *arguments], check=False).returncode


def failed(cache: Path) -> list[str]:
    """The tests that failed so far, sorted."""
    path = cache / "v" / "cache" / "lastfailed"
    return sorted(json.loads(path.read_text("utf-8"))) if path.exists() else []


def live(arguments: Sequence[str], cache: Path) -> tuple[int, list[str]]:
    """The exit code, and the tests that were asked a second time."""
    modules = ("--dist=loadfile", "--no-loadscope-reorder")  # of a module, one process starts its stage, once
    together = run(cache, "live and not alone", "-n", STAGES, *modules, *arguments)
    names = set(failed(cache))
    alone = run(cache, "live and alone", "-n", "0", *arguments)
    names |= set(failed(cache))
    codes = {together, alone} - ({NOTHING} if together != alone else set())
    if codes - {0} != {FAILED} or len(names) > MOST:
        return max(codes), []
    return run(cache, "live", "-n", "0", "--last-failed", *arguments), sorted(names)


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
