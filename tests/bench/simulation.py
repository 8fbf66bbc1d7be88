"""How fast a simulation is: its growth with jobs, what it costs beside the decisions, what a second core brings.

``python -m tests.bench.simulation`` prints ratios, next to the goals; ``… JOBS [QUEUES]`` one run's figures as JSON.
Everything runs in processes of their own, on one core, by processor time. ``python -m tests.bench.peer`` plays jobs on
Kueue's own manager and in a simulation.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, Self

from kubectl_fairshare.input.traces.writing import trace_text
from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.policy.simulation import run as run_module
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.policy.simulation.series import SeriesRecorder
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.kueue.cycle.motion import replay
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from tests.bench.run import Medians, Row, cost, run
from tests.bench.week import SECOND, Week

FEW, MANY = 1_000, 10_000
MANY_QUEUES = 1_000
PLANS = 60
CELLS = 24
LOAD = 0.75
_MEBIBYTE = 1 << 20


class Nominations:
    """Counts the time that decisions take, by replacing the function that makes them."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, *words: Any) -> Any:
        start = time.process_time()
        found = nominate(*words)
        self.seconds += time.process_time() - start
        return found


class Samples:
    """Counts the time that samples take, by replacing the class that records them."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def recorder(self, *words: Any) -> Any:
        """A recorder whose methods are timed."""
        found = SeriesRecorder(*words)
        return Timed(found, self)


class Timed:
    """A recorder; the time of each of its methods is added up."""

    def __init__(self, of: SeriesRecorder, into: Samples) -> None:
        self._of = of
        self._into = into

    def __getattr__(self, name: str) -> Any:
        wanted = getattr(self._of, name)
        return partial(self._timed, wanted) if callable(wanted) else wanted

    def _timed(self, call: Callable[..., Any], *words: Any) -> Any:
        start = time.process_time()
        found = call(*words)
        self._into.seconds += time.process_time() - start
        return found


def sweep_seconds(jobs: int) -> float:
    """Elapsed seconds of a sweep of ``CELLS`` cells over some thousand jobs, with so many workers.

    About half a minute on one core: a second is spent on workers, whatever they do. All loads stay below the quota.
    """
    with tempfile.TemporaryDirectory() as folder:
        week = Week(3 * FEW, load=LOAD)
        week.snapshot(folder)
        trace = Path(folder, "week.jsonl")
        trace.write_bytes(trace_text(PastWork("kueue", "bench", tuple(week.trace())), {}, "none", str))
        files = ["-f", f"{folder}/policy.json", "--trace", str(trace), "--results", f"{folder}/results"]
        scales = ",".join(f"{0.6 + number / 100:.2f}" for number in range(CELLS))
        grid = ["--vary", f"arrivals={scales}", "--jobs", str(jobs)]
        start = time.monotonic()
        run([sys.executable, "-m", "kubectl_fairshare", "simulate", "sweep", *files, *grid, "-o", "json"])
        return time.monotonic() - start


class PlannedAlone:
    """A replay that decides the head of every so many cycles once more, as ``plan`` does: on a state of its own."""

    def __init__(self, every: int) -> None:
        self.seconds: list[float] = []
        self._every = every
        self._cycles = 0
        self._decide = vars(replay.KueueReplay)["_cycle"]

    def __enter__(self) -> Self:
        alone = self

        def cycle(this: Any, group: Any, heads: Any, now: int) -> Any:
            alone.plan(this, heads[0][1].workload)
            return alone._decide(this, group, heads, now)

        setattr(replay.KueueReplay, "_cycle", cycle)  # noqa: B010 -- a method is replaced on purpose
        return self

    def __exit__(self, *failure: object) -> None:
        setattr(replay.KueueReplay, "_cycle", self._decide)  # noqa: B010

    def plan(self, this: Any, workload: Any) -> None:
        """Decides a workload on the state of the moment, of which nothing is known yet."""
        self._cycles += 1
        if self._cycles % self._every == 0:
            state = state_of(this.eligible())
            start = time.process_time()
            nominate(state, workload)
            self.seconds.append(time.process_time() - start)


def round_of(jobs: int, queues: int = 100) -> Medians:
    """Seconds of one simulation in this process, in all and for decisions alone, and what it did.

    ``planning``: seconds of a decision of ``plan`` on states of the same simulation.
    """
    week = Week(jobs, queues, queues // 10, load=LOAD)
    with tempfile.TemporaryDirectory() as folder:
        snapshot = week.snapshot(folder)
    trace = list(week.trace())
    with PlannedAlone(max(1, jobs // PLANS)) as alone:
        simulate(scheduler_named("kueue"), snapshot, trace, Parameters(stopping=30 * SECOND))
    counting, sampling = Nominations(), Samples()
    vars(replay)["nominate"] = counting
    vars(run_module)["SeriesRecorder"] = sampling.recorder
    start = time.process_time()
    found = simulate(scheduler_named("kueue"), snapshot, trace, Parameters(stopping=30 * SECOND))
    seconds = time.process_time() - start
    evictions = sum(len(each.evictions) for each in found.jobs)
    return {
        "seconds": seconds,
        "deciding": counting.seconds,
        "sampling": sampling.seconds,
        "planning": mean(alone.seconds),
        "decisions": found.decisions,
        "evictions": evictions,
        "events": 2 * jobs + evictions,
    }


def whole_to_plan(figures: Medians) -> float:
    """The whole simulation for each of its decisions, as parts of a decision of ``plan``."""
    return figures["seconds"] / figures["decisions"] / figures["planning"]


def simulation_table(few: int = FEW, many: int = MANY) -> Iterator[Row]:
    """All rows. The goals are those of a week of 100,000 jobs in ten minutes, 6 ms a job."""
    program = [sys.executable, "-m", "tests.bench.simulation"]
    small: Medians = json.loads(run([*program, str(few)]))
    large: Medians = json.loads(run([*program, str(many)]))
    _, peak = cost([*program, str(few)])
    yield Row(f"simulation of {many:,} jobs, decisions", large["decisions"])
    yield Row("  … evictions", large["evictions"])
    yield Row("  … ms of processor time for a job", 1000 * large["seconds"] / many, 6)
    yield Row("  … all of it to its decisions alone", large["seconds"] / large["deciding"], 2)
    yield Row("  … a decision with all of it, to one of plan", whole_to_plan(large), 2)
    wide: Medians = json.loads(run([*program, str(few * 3), str(MANY_QUEUES)]))
    yield Row(f"  … the same with {MANY_QUEUES:,} queues", whole_to_plan(wide), 2)
    yield Row(f"samples of {MANY_QUEUES:,} queues to their decisions", wide["sampling"] / wide["deciding"], 2)
    per_event = [figures["seconds"] / figures["decisions"] for figures in (small, large)]
    yield Row(f"growth of a decision from {few:,} jobs to {many:,}", per_event[1] / per_event[0], 3)
    yield Row(f"samples of {few:,} jobs to their decisions", small["sampling"] / small["deciding"], 2)
    one, two = sweep_seconds(1), sweep_seconds(2)
    yield Row(f"sweep of {CELLS} cells on one core, seconds", one)
    yield Row("  … on two cores, part of that", two / one, 1 / 1.8)
    yield Row(f"peak memory of {few:,} jobs in MB", peak / _MEBIBYTE)


def main(arguments: list[str]) -> int:
    """Prints the table, 1 where a goal is missed; with a number, the figures of one run."""
    if arguments:
        print(json.dumps(round_of(*map(int, arguments))))
        return 0
    rows = []
    for row in simulation_table():
        print(row, flush=True)
        rows.append(row)
    return int(any(not row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
