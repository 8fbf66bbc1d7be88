"""``python -m tests.bench.large``: states of a hundred thousand workloads, as ratios to a parse of the same bytes.

Each command is a process of its own, and so is each parse by orjson: the least processor time of the rounds, and peak
memory to the size of the file. The goals are those of ``GOALS``; ``--doublings`` prints how the processor time of each
command grows from ten thousand workloads on. ``--queues`` makes another size, ``--command`` asks for some alone.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import orjson

from tests.bench.organisation import Organisation, Size, asking, listed
from tests.bench.run import Row, cost, run

GOALS: Final = (4.0, 3.0, 2.2)
"""Parses, file sizes of memory, and the growth with each doubling."""
_QUEUES: Final = 10_000
_FIRST: Final = 1_000
_PARSE: Final = (
    "import sys, time, orjson; data = open(sys.argv[1], 'rb').read(); "
    "start = time.process_time(); orjson.loads(data); print(time.process_time() - start)"
)
_STATE: Final = "state.json"
COMMANDS: Final = {
    "shares": ("shares", "-f", _STATE),
    "why NAME": ("why", "workload/job-wait-00007", "-n", "team-0007", "-f", _STATE),
    "plan": ("plan", "-f", _STATE, "-w", "job.json"),
    "cycle": ("cycle", "-f", _STATE),
    "lint": ("lint", _STATE),
    "why -A --limit 20": ("why", "-A", "--limit", "20", "-f", _STATE),
}


def size_of(queues: int) -> Size:
    """The organisation with so many queues: ten workloads for each, nine that run and one that waits."""
    return Size(queues=queues, cohorts=queues // 10, running=queues * 9, departments=max(1, queues * 9 // 1000))


def write(place: Path, queues: int) -> None:
    """Writes the state and the job that is asked about; in a process of its own, whose memory does not count."""
    organisation = Organisation(size_of(queues))
    (place / _STATE).write_bytes(listed(organisation.objects(heads=True)))
    (place / "job.json").write_bytes(orjson.dumps(asking(organisation, 20)))


def measured(queues: int, commands: Sequence[str], rounds: int) -> tuple[float, float, dict[str, tuple[float, float]]]:
    """Seconds of a parse, megabytes of the file, and of each command seconds and bytes of memory."""
    with tempfile.TemporaryDirectory() as folder:
        run([sys.executable, "-m", "tests.bench.large", "--write", folder, "--queues", str(queues)])
        state = Path(folder) / _STATE
        parse = min(float(run([sys.executable, "-c", _PARSE, str(state)])) for _ in range(rounds))
        costs = {name: _least(COMMANDS[name], Path(folder), rounds) for name in commands}
        return parse, state.stat().st_size, costs


def _least(words: Sequence[str], folder: Path, rounds: int) -> tuple[float, float]:
    placed = [str(folder / word) if word.endswith(".json") else word for word in words]
    taken = [cost([sys.executable, "-m", "kubectl_fairshare", *placed]) for _ in range(rounds)]
    return min(seconds for seconds, _ in taken), min(memory for _, memory in taken)


def rows(queues: int, commands: Sequence[str], rounds: int) -> Iterator[Row]:
    """The time and the memory of each command."""
    parse, size, costs = measured(queues, commands, rounds)
    yield Row(f"{queues:,} queues, {queues * 10:,} workloads: MB", size / 1e6)
    yield Row("  orjson.loads of the same bytes in seconds", parse)
    for name, (seconds, memory) in costs.items():
        yield Row(f"  {name}, in parses", seconds / parse, GOALS[0])
        yield Row("    … peak memory to file size", memory / size, GOALS[1])


def growth_rows(doublings: int, commands: Sequence[str], rounds: int) -> Iterator[Row]:
    """The growth of each command's processor time and memory with each doubling."""
    before: dict[str, tuple[float, float]] = {}
    for queues in (_FIRST << power for power in range(doublings + 1)):
        _, size, costs = measured(queues, commands, rounds)
        for name, (seconds, memory) in costs.items():
            if name in before:
                yield Row(f"growth to {queues * 10:,} workloads, {name}", seconds / before[name][0], GOALS[2])
                yield Row("  … of its memory", memory / before[name][1], GOALS[2])
                yield Row("  … its memory to file size", memory / size)
        before = costs


def main(arguments: Sequence[str]) -> int:
    """Prints the rows; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    parser.add_argument("--queues", type=int, default=_QUEUES, help=f"queues of the state [{_QUEUES}]")
    parser.add_argument("--rounds", type=int, default=2, help="how often everything is measured [2]")
    parser.add_argument("--doublings", type=int, default=0, help="print growth over so many doublings instead [0]")
    parser.add_argument("--command", action="append", choices=[*COMMANDS], help="only this one; may be repeated")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.write is not None:
        write(options.write, options.queues)
        return 0
    commands, found = options.command or [*COMMANDS], []
    more = options.doublings
    made = growth_rows(more, commands, options.rounds) if more else rows(options.queues, commands, options.rounds)
    for row in made:
        print(row, flush=True)
        found.append(row)
    return 0 if all(row.holds for row in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
