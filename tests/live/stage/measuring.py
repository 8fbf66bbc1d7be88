"""How long a program takes, and how much memory it holds."""

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

TIMES = 3


def measured(command: Sequence[str], path: Path) -> tuple[float, int]:
    """Seconds and megabytes of a program that prints to ``path``: the quickest of some runs.

    The first leaves compiled modules behind, as an installed program has them.
    """
    return min(_once(command, path) for _ in range(TIMES))


def _once(command: Sequence[str], path: Path) -> tuple[float, int]:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with path.open("wb") as out:
        begun = time.perf_counter()
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        most = 0
        while child.poll() is None:
            most = max(most, resident(child.pid))
            time.sleep(0.005)
        took = time.perf_counter() - begun
    assert child.returncode == 0
    return took, most


def resident(process: int) -> int:
    """The most memory that a process held so far, in megabytes; its parent's, as rusage has it, left out."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) >> 10 for line in status.splitlines() if line.startswith("VmHWM")), 0)
