"""Compares this checkout with another one: whole processes, in turn, on the same files.

What is printed are ratios of the least processor time and of the least peak memory of all rounds. Turns and least
figures make the ratio hold on a machine that others use as well, where medians of two separate runs do not.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.bench.run import COMPLETE, COMPLETED, JOBS, Row, cost, make, run
from tests.screens import ROOT

SLOWER = 1.05
"""What a ratio must stay below."""
MODULE = (sys.executable, "-m", "kubectl_fairshare")


def against(other: Path, rounds: int) -> Iterator[Row]:
    """A row for each command: the time here to the time there; for plans also the memory.

    ``other`` is the top of a checkout that has the same commands. Raises ``FileNotFoundError`` where it is none.
    """
    if not (other / "kubectl_fairshare").is_dir():
        raise FileNotFoundError(f"{other} is no checkout of this program")
    with tempfile.TemporaryDirectory() as folder:
        for name, command in commands(Path(folder), other).items():
            here, there = least(command, other, rounds)
            yield Row(f"{name}: time", here[0] / there[0], SLOWER)
            if name.startswith("plan"):  # a smaller process than this one counts the memory of this one
                yield Row(f"{name}: peak memory", here[1] / there[1], SLOWER)


def commands(folder: Path, other: Path) -> Mapping[str, Sequence[str]]:
    """What is compared, by name; the files are written into ``folder``, and the demo is that of ``other``.

    An earlier version may not read what our demo has today.
    """
    place = folder / "1"
    make(place, 1)
    one, each = folder / "one", folder / "each"
    run([sys.executable, "-m", "tests.bench.linting", str(one), str(each), "1"])
    demo, job = (str(other / "testdata" / "demo" / name) for name in ("org", "jobs/finetune.yaml"))
    state = str(place / "state.json")
    plans = {name: ("plan", "-f", state, "-w", str(place / f"{name}.json"), "-o", "json") for name in JOBS[1]}
    return {
        "--version": (*MODULE, "--version"),
        "shares of the demo": (*MODULE, "shares", "-f", demo),
        "lint of the demo": (*MODULE, "lint", demo),
        "a plan for the demo": (*MODULE, "plan", "-f", demo, "-w", job),
        "why for the demo": (*MODULE, "why", "-f", demo, "-A"),
        **{f"plan, {name}": (*MODULE, *words) for name, words in plans.items()},
        "lint, in one file": (*MODULE, "lint", "-q", str(one)),
        "lint, in a file each": (*MODULE, "lint", "-q", str(each)),
        **{f"completion of {what}": completing(words, place) for what, words in COMPLETED.items()},
    }


def completing(words: Sequence[str], place: Path) -> Sequence[str]:
    """The command that completes the last of some words."""
    return (sys.executable, "-c", COMPLETE, *(str(place / w) if w.startswith("state.") else w for w in words))


def least(command: Sequence[str], other: Path, rounds: int) -> list[tuple[float, float]]:
    """Seconds and bytes of a command here and there."""
    found: list[list[tuple[float, float]]] = [[], []]
    for _ in range(rounds + 1):  # the first leaves compiled modules behind
        for number, root in enumerate((ROOT, other)):
            found[number].append(cost(command, cwd=root, PYTHONPATH=os.fspath(root)))
    return [(min(seconds for seconds, _ in each), min(size for _, size in each)) for each in found]
