"""One round of measurements inside a process of its own: parsing, loading, and the decisions alone.

``python -m tests.bench.inside STATE JOB…`` prints one JSON object: seconds of processor time by name.
Parsing is measured twice, as anybody would call orjson and with the collector off, which halves it. The
program loads with the collector off, and so it is here.
"""

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

import orjson

from kubectl_fairshare.input.assemble import Assembled, assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.jobs import pending_of
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.laws import Preemptor
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.preemption.fair_targets import fair_targets
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of

T = TypeVar("T")
Figures = dict[str, float]


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of processor time that ``work`` takes, and what it yields."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def asked(assembled: Assembled, job: str) -> tuple[State, Pending]:
    """A state fresh from loading in which the job of a file waits."""
    (manifest,) = read((job,), schedulers=known_schedulers()).manifests
    workload = pending_of(manifest, assembled.snapshot.part(Context))
    return state_of(with_pending(assembled.snapshot, [workload])), workload


def searches(state: State, nomination: Nomination, name: str) -> Figures:
    """Seconds of all searches for one flavor-resource, each alone, and each after the others (see ``replay``)."""

    def all_of(replay: Callable[[], Replay]) -> None:
        for pair, amount, _ in nomination.simulations:
            workload, queue = nomination.workload, nomination.queue or 0
            preemptor = Preemptor(queue, workload.priority, workload.queued, frozenset((pair,)), {pair: amount})
            fair_targets(state, preemptor, replay())

    shared = Replay()
    replayed, _ = timed(lambda: all_of(lambda: shared))
    alone, _ = timed(lambda: all_of(Replay))
    return {f"replayed {name}": replayed, f"alone {name}": alone}


def round_of(state: str, jobs: list[str]) -> Figures:
    """All figures of one round. A decision is the first of its state: nothing is known from an earlier one."""
    data = Path(state).read_bytes()
    found: Figures = {"parse": median(timed(lambda: orjson.loads(data))[0] for _ in range(3))}
    gc.disable()
    found["bare parse"] = median(timed(lambda: orjson.loads(data))[0] for _ in range(3))
    found["read"], reading = timed(lambda: read((state,), schedulers=known_schedulers()))
    found["assemble"], assembled = timed(lambda: assemble(reading.manifests, known_schedulers()))
    found["state"], _ = timed(lambda: state_of(assembled.snapshot))
    for job in jobs:
        fresh, workload = asked(assembled, job)
        seconds, nomination = timed(lambda: nominate(fresh, workload))  # noqa: B023 - called at once
        found[f"decision {Path(job).stem}"] = seconds
        found[f"victims {Path(job).stem}"] = len(nomination.search.targets) if nomination.search else 0
        found |= searches(fresh, nomination, Path(job).stem)
        fresh, workload = asked(assembled, job)
        found[f"plan {Path(job).stem}"], _ = timed(lambda: plan(fresh, workload))  # noqa: B023
    return found


if __name__ == "__main__":
    print(json.dumps(round_of(sys.argv[1], sys.argv[2:])))
