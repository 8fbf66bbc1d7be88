"""What a forecast costs next to a plan on the same state, and how it grows.

``python -m tests.bench.forecasting [QUEUES] [SEEDS]`` prints ratios of processor time, next to the goals: plays of so
many seeds to as many plans, and the growth of one play from half as many queues. For each queue there are ten running
workloads and one that waits; all queues share one tree, which is the dearest case, as all their heads are tried again
after each end of a workload. Durations are drawn from a past of 2 to 13 hours, so that each seed has other ones;
another row is for one duration of all, where seeds differ only if they decide something. The same without fair sharing,
and with all queues in one cohort. Of KAI and Koordinator there is one play, with durations that are told, of a smaller
state that is full, next to a plan on it. Everything runs in processes of their own, in one process each.
"""

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import orjson

from tests.bench import kai, koordinator
from tests.bench.organisation import Object, Organisation, Size, asking, classical, flat, listed
from tests.bench.run import Row, cost

QUEUES, SEEDS = 100, 2
_PODS = 2
_BEGAN, _HOURS = "2026-02-01T00:00:00Z", (2, 3, 5, 8, 13)


def organisation_of(queues: int) -> Organisation:
    """One tree of so many queues, ten running workloads in each."""
    return Organisation(Size(queues, max(4, queues // 10), 10 * queues, max(2, queues // 33)))


Shape: TypeAlias = Callable[[Iterable[Object]], list[Object]]


class Costs(NamedTuple):
    """Processor time in seconds on one state: forecasts with drawn durations and with one of all, and a plan."""

    drawn: float
    alike: float
    plan: float


def past(objects: Iterable[Object]) -> bytes:
    """A trace with jobs of every LocalQueue that ran for some hours: durations are drawn from these."""
    queues = [each["metadata"] for each in objects if each["kind"] == "LocalQueue"]
    jobs = [
        {
            "name": f"{queue['name']}-{hours}",
            "namespace": queue["namespace"],
            "queue": queue["name"],
            "created": _BEGAN,
            "podSets": [{"name": "main", "count": 1, "requests": {"cpu": "8"}}],
            "durationSeconds": hours * 3600,
            "admitted": _BEGAN,
            "finished": f"2026-02-01T{hours:02}:00:00Z",
        }
        for queue in queues
        for hours in _HOURS
    ]
    head: dict[str, object] = {
        "apiVersion": "fairshare.dev/v1alpha1",
        "kind": "Trace",
        "scheduler": "kueue",
        "source": "cluster",
        "redacted": "none",
        "jobs": len(jobs),
        "from": _BEGAN,
        "until": "2026-02-02T00:00:00Z",
        "lost": {"jobs": 0, "since": None},
        "notes": [],
    }
    return b"\n".join(map(orjson.dumps, (head, *jobs)))


def seconds(queues: int, seeds: int, shaped: Shape = list) -> Costs:
    """What forecasts and a plan cost on a state, or one that is ``shaped`` of it."""
    with tempfile.TemporaryDirectory() as folder:
        state, job, trace = Path(folder, "state.json"), Path(folder, "job.json"), Path(folder, "past.jsonl")
        organisation = organisation_of(queues)
        objects = organisation.objects(heads=True)
        state.write_bytes(listed(shaped(objects)))
        trace.write_bytes(past(objects))
        job.write_bytes(listed([asking(organisation, _PODS)]))
        program = [sys.executable, "-m", "kubectl_fairshare"]
        played = [*program, "forecast", "-f", str(state), "--seeds", str(seeds), "--jobs", "1"]
        drawn, _ = cost([*played, "--trace", str(trace)])
        alike, _ = cost([*played, "--default-duration", "2h"])
        plan = min(cost([*program, "plan", "-f", str(state), "-w", str(job)])[0] for _ in range(3))
        return Costs(drawn, alike, plan)


def forecast_table(queues: int = QUEUES, seeds: int = SEEDS) -> Iterator[Row]:
    """All rows. The goal is that of 20 seeds in the time of 20 plans."""
    for shaped, words in ((list, ""), (classical, ", no fair sharing"), (flat, ", one cohort")):
        yield from _rows(queues, seeds, shaped, words)
    yield from _pod_rows(queues)


def _rows(queues: int, seeds: int, shaped: Shape, words: str) -> Iterator[Row]:
    half, whole = seconds(queues // 2, seeds, shaped), seconds(queues, seeds, shaped)
    yield Row(f"plan with {queues:,} queues{words}, seconds", whole.plan)
    for what, name in (("drawn", "drawn durations"), ("alike", "one duration")):
        forecast, before = getattr(whole, what), getattr(half, what)
        yield Row(f"forecast of {seeds} seeds, {name}, seconds", forecast)
        yield Row("  … to as many plans", forecast / (seeds * whole.plan), 1)
        yield Row(f"  … to one of {queues // 2:,} queues", forecast / before, 2.6)


def _pod_rows(queues: int) -> Iterator[Row]:
    """One play of KAI with five jobs for each node, and of Koordinator with five pods for each quota."""
    for title, made, asked in (
        ("KAI", kai.waiting_jobs, ("--queue", "owed", "--request", "nvidia.com/gpu=1")),
        (
            "Koordinator",
            lambda count: koordinator.objects(1, (1, 2, count // 10, count)),
            ("--queue", "level-3-00001", "--request", "cpu=1"),
        ),
    ):
        half, _ = _play_of(made(queues // 2), asked)
        play, plan = _play_of(made(queues), asked)
        yield Row(f"forecast of one play of {title}, seconds", play)
        yield Row("  … to a plan", play / plan, 1)
        yield Row("  … to one of half of it", play / half, 2.6)


def _play_of(objects: Iterable[Object], asked: Sequence[str]) -> tuple[float, float]:
    """What one play costs, and a plan. A pod runs for two to six hours, by the last figure of its name."""
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder, "state.json")
        state.write_bytes(listed([*objects]))
        program = [sys.executable, "-m", "kubectl_fairshare"]
        spans = [word for figure in range(5) for word in ("--duration", f"*{figure}={2 + figure}h")]
        span = ["--default-duration", "2h", "--seeds", "1", "--jobs", "1"]
        play, _ = cost([*program, "forecast", "-f", str(state), *spans, *span])
        plan = min(cost([*program, "plan", "-f", str(state), "-n", "team", *asked])[0] for _ in range(3))
        return play, plan


def main(arguments: list[str]) -> int:
    """Prints the table; 1 where a goal is missed."""
    rows = []
    for row in forecast_table(*map(int, arguments)):
        print(row, flush=True)
        rows.append(row)
    return int(any(not row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
