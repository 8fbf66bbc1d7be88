"""What a forecast costs next to a plan on the same state, and how it grows.

``python -m tests.bench.forecasting [QUEUES] [SEEDS]`` prints ratios of processor time, next to the goals: plays of so
many seeds to as many plans, and the growth of one play from half as many queues. For each queue there are ten running
workloads and one that waits; all queues share one tree, which is the dearest case, as all their heads are tried again
after each end of a workload. Everything runs in processes of their own, in one process each.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.organisation import Organisation, Size, asking, listed
from tests.bench.run import Row, cost

QUEUES, SEEDS = 100, 2
_PODS = 2


def organisation_of(queues: int) -> Organisation:
    """One tree of so many queues, ten running workloads in each."""
    return Organisation(Size(queues, max(4, queues // 10), 10 * queues, max(2, queues // 33)))


def seconds(queues: int, seeds: int) -> tuple[float, float]:
    """Processor time of a forecast and of a plan on one state."""
    with tempfile.TemporaryDirectory() as folder:
        state, job = Path(folder, "state.json"), Path(folder, "job.json")
        organisation = organisation_of(queues)
        state.write_bytes(listed(organisation.objects(heads=True)))
        job.write_bytes(listed([asking(organisation, _PODS)]))
        program = [sys.executable, "-m", "kubectl_fairshare"]
        played = ["forecast", "-f", str(state), "--default-duration", "2h", "--seeds", str(seeds), "--jobs", "1"]
        forecast, _ = cost([*program, *played])
        plan = min(cost([*program, "plan", "-f", str(state), "-w", str(job)])[0] for _ in range(3))
        return forecast, plan


def forecast_table(queues: int = QUEUES, seeds: int = SEEDS) -> Iterator[Row]:
    """All rows. The goal is that of 20 seeds in the time of 20 plans."""
    half, _ = seconds(queues // 2, seeds)
    forecast, plan = seconds(queues, seeds)
    yield Row(f"plan with {queues:,} queues, seconds", plan)
    yield Row(f"forecast of {seeds} seeds, seconds", forecast)
    yield Row("  … to as many plans", forecast / (seeds * plan), 1)
    yield Row(f"  … to one of {queues // 2:,} queues", forecast / half, 2.6)


def main(arguments: list[str]) -> int:
    """Prints the table; 1 where a goal is missed."""
    rows = []
    for row in forecast_table(*map(int, arguments)):
        print(row, flush=True)
        rows.append(row)
    return int(any(not row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
