"""Measures the program on a made-up organisation and on one ten times as large, and prints ratios.

Everything is measured several times in turn, in processes of their own, by processor time; what is
printed are medians, as ratios to ``orjson.loads`` of the same bytes in a fresh process. Absolute times
say more about the machine, so only that one is told in seconds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import orjson

from tests.bench.manifests import Extent, in_one_file
from tests.bench.organisation import LARGE, Organisation, asking, listed, with_other_policy
from tests.screens import ROOT

# Pods of the three jobs, by how many times the organisation is as large: with nine victims, with some seven
# hundred, and with more than all that may be asked would free.
JOBS = {1: {"easy": 22, "large": 1540, "never": 12_000}, 10: {"easy": 18, "large": 1500, "never": 120_000}}
COMPLETED = {
    "commands": ("sh",),
    "options": ("plan", "--"),
    "names in files": ("why", "-f", "testdata/demo/org", ""),
    "names in a large file": ("why", "-f", "state.json", "workload/"),
    "names in a large file, first": ("why", "-f", "state.json", "workload/"),
    "names in a manifest of 8 MB, first": ("shares", "-f", "state.yaml", "--queue", "queue-"),
}
"""Words of which the last is to be completed; ``state.json`` and ``state.yaml`` stand for organisations.

They were asked about before, and their names are known, unless it is the ``first`` time.
"""
ASKED = {
    "shares": ("shares", "-f", "state.json", "-o", "json"),
    "why -A": ("why", "-A", "-f", "state.json", "-o", "json"),
    "lint": ("lint", "state.json", "-o", "json"),
    "snapshot": ("snapshot", "-f", "state.json"),
}
"""Other questions about a state, whose memory is measured."""
POLICY = {
    "report": ("report", "-f", "state.json"),
    **{
        f"diff -o {form}": ("diff", "state.json", "changed.json", "-o", form)
        for form in ("text", "wide", "markdown", "html", "json", "yaml", "name", "csv", "svg")
    },
}
"""Questions about who may preempt whom, in every form: their memory to the size of all that they read.

They are asked about the smaller organisation: their time grows with the queues, 2.5 ms for each in a report.
"""
_ANSWERS = (0, 1, 4, 5)
"""The exit codes of an answer, whatever it is."""
COMPLETE = "import kubectl_fairshare.cli.completing.program as program; program.console()"
Medians = dict[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; ``goal`` is what the ratio must stay below, None where none is set."""

    what: str
    reached: float
    goal: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the goal is reached."""
        return self.goal is None or self.reached < self.goal

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"< {self.goal:g}"
        mark = "" if self.goal is None else ("yes" if self.holds else "NO")
        return f"{self.what:52}{self.reached:>9.3f}  {goal:>7}  {mark:>3}"


def main(arguments: Sequence[str]) -> int:
    """Prints the table; 1 when a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured [5]")
    parser.add_argument("--small", action="store_true", help="leave out the organisation ten times as large")
    parser.add_argument("--only", choices=["engine", "lint"], help="measure one of the two [both]")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="compare with another checkout, in turn")
    options = parser.parse_args(arguments)
    rows = []
    for row in _rows(options):
        print(row, flush=True)
        rows.append(row)
    return 0 if all(row.holds for row in rows) else 1


def _rows(options: argparse.Namespace) -> Iterator[Row]:
    if options.against is not None:
        from tests.bench.against import against  # which takes its commands from here

        yield from against(options.against, options.rounds)
        return
    scales = [1] if options.small else [1, 10]
    if options.only != "lint":
        yield from table(options.rounds, scales)
        from tests.bench.waiting import waiting_row

        yield waiting_row(max(1, options.rounds // 2))
    if options.only != "engine":
        from tests.bench.linting import lint_table  # which takes its rows from here

        with tempfile.TemporaryDirectory() as folder:
            yield from lint_table(Path(folder), options.rounds, scales)


def table(rounds: int, scales: Sequence[int]) -> Iterator[Row]:
    """All rows, size by size."""
    with tempfile.TemporaryDirectory() as folder:
        found = {}
        for scale in scales:
            place = Path(folder) / str(scale)
            size = make(place, scale)
            found[scale] = measure(place, rounds if scale == 1 else max(1, rounds // 2))
            yield from size_rows(scale, size, found[scale])
        yield Row("start-up (--version) to bare interpreter", found[1]["version"] / found[1]["bare"], 6)
        for what in COMPLETED:
            yield Row(f"completion of {what}, to that", found[1][f"complete {what}"] / found[1]["bare"], 8)
        if 10 in found:
            yield from growth_rows(found[1], found[10])


def make(place: Path, scale: int) -> int:
    """Writes an organisation and its jobs; the size of the former in bytes.

    A process of its own does it: the peak memory of a process that is started counts that of its parent.
    """
    place.mkdir()
    run([sys.executable, "-m", "tests.bench.run", str(place), str(scale)])
    return (place / "state.json").stat().st_size


def write(place: Path, scale: int) -> None:
    """Writes the files of one size."""
    organisation = Organisation(LARGE.times(scale))
    objects = organisation.objects()
    (place / "state.json").write_bytes(listed(objects))
    if scale == 1:
        (place / "changed.json").write_bytes(listed(with_other_policy(objects)))
    in_one_file(Extent().times(9), place / "state.yaml")
    for name, pods in JOBS[scale].items():
        (place / f"{name}.json").write_bytes(orjson.dumps(asking(organisation, pods)))


def measure(place: Path, rounds: int) -> Medians:
    """The medians of all figures of one size."""
    state, jobs = str(place / "state.json"), [str(place / f"{name}.json") for name in JOBS[1]]
    program = [sys.executable, "-m", "kubectl_fairshare"]
    inside = [sys.executable, "-m", "tests.bench.inside", state, *jobs]
    wholes = {Path(job).stem: [*program, "plan", "-f", state, "-w", job, "-o", "json"] for job in jobs}
    cost([*program, "plan", "-f", jobs[0], "-w", jobs[0]])  # leaves compiled modules behind
    figures: list[Medians] = []
    for _ in range(rounds):
        found: Medians = json.loads(run(inside))
        for name, command in wholes.items():
            found[f"whole {name}"], found[f"peak {name}"] = cost(command)
        found["bare"] = median(cost([sys.executable, "-c", "pass"])[0] for _ in range(5))
        found["version"] = median(cost([*program, "--version"])[0] for _ in range(5))
        for what, words in COMPLETED.items():
            asked = [str(place / word) if word.startswith("state.") else word for word in words]
            command = [sys.executable, "-c", COMPLETE, *asked]
            found[f"complete {what}"] = median(completion(command, what) for _ in range(5))
        figures.append(found)
    return {**_peaks(place, program), **{name: median(f[name] for f in figures) for name in figures[0]}}


def _peaks(place: Path, program: Sequence[str]) -> Medians:
    """The memory of other questions about a state; it is the same each time."""
    questions = ASKED | (POLICY if (place / "changed.json").exists() else {})
    return {f"peak {name}": cost([*program, *_placed(words, place)])[1] for name, words in questions.items()}


def _placed(words: Sequence[str], place: Path) -> list[str]:
    return [str(place / word) if word.endswith(".json") else word for word in words]


def size_rows(scale: int, size: int, found: Medians) -> Iterator[Row]:
    """The rows of one size; each is a ratio to the parse unless it says otherwise."""
    parse, times = found["parse"], "" if scale == 1 else f", {scale} times as large"
    yield Row(f"input in MB{times}", size / 1e6)
    yield Row("  orjson.loads of the same bytes in seconds", parse)
    yield Row("  … with the collector off, to that", found["bare parse"] / parse)
    for name in ("read", "assemble", "state"):
        yield Row(f"  loading: {name}", found[name] / parse)
    for name, goal in (("easy", 0.1), ("large", 1.0), ("never", 1.0)):
        yield Row(
            f"  decision, {name} ({found[f'victims {name}']:.0f} victims)", found[f"decision {name}"] / parse, goal
        )
        yield Row(
            f"  … its searches, each alone, to replayed, {name}", found[f"alone {name}"] / found[f"replayed {name}"]
        )
        yield Row(f"  … with proof and remedies, {name}", found[f"plan {name}"] / parse)
    for name, goal in (("easy", 2), ("large", 2.5), ("never", 2.5)):
        yield Row(f"  whole process, {name}", found[f"whole {name}"] / parse, goal)
    yield Row("  peak memory to file size", max(found[f"peak {name}"] for name in JOBS[scale]) / size, 6)
    for name in ASKED:
        yield Row(f"  … of {name}", found[f"peak {name}"] / size, 6)
    for name, words in POLICY.items() if scale == 1 else ():
        files = sum(word.endswith(".json") for word in words)  # of one size
        yield Row(f"  … of {name}", found[f"peak {name}"] / (files * size), 6)


def growth_rows(small: Medians, large: Medians) -> Iterator[Row]:
    """How much longer the tenfold organisation takes."""
    for what in ("decision", "whole"):
        for name in JOBS[1]:
            yield Row(f"growth of {what}, {name}", large[f"{what} {name}"] / small[f"{what} {name}"], 12)


def completion(command: Sequence[str], what: str) -> float:
    """Seconds of processor time of a completion, with names that are known, or none where it is the first."""
    if not what.endswith("first"):
        return cost(command)[0]
    with tempfile.TemporaryDirectory() as cache:
        return cost(command, XDG_CACHE_HOME=cache)[0]


def environment() -> dict[str, str]:
    """Compiled modules are kept, as an installed program has them."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def run(command: Sequence[str]) -> str:
    """What a command of ours prints."""
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def cost(command: Sequence[str], *, cwd: Path = ROOT, **more: str) -> tuple[float, float]:
    """Seconds of processor time and bytes of peak memory of a command, whatever it answers; ``more`` is environment.

    Raises ``ChildProcessError`` where it has no answer: an error takes less time.
    """
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=cwd, env={**environment(), **more}, stdout=quiet, stderr=quiet)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in _ANSWERS:
        raise ChildProcessError(f"exit {process.returncode}: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
