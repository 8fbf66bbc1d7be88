"""Saturated play: scheduling cycles with evictions carried out, until nothing moves any more."""

from datetime import datetime
from typing import Any

from tests.property.obvious.cycle import heads, run_cycle
from tests.property.obvious.tree import initial_state, usage
from tests.property.obvious.world import Workload, World, read_world

Manifest = dict[str, Any]


def saturated_usage(case: Manifest, most_cycles: int = 10_000) -> dict[str, int]:
    """GPUs held by each queue once cycles no longer admit or evict anything.

    Before each cycle every pending workload is eligible again; an evicted one leaves at once and waits again with its
    old age. The clock stands still, so whatever is admitted reserves quota at the same moment. A queue keeps the
    workload whose preemptions were issued as its head until that workload is admitted.
    Raises ``RuntimeError`` when the play does not come to rest within ``most_cycles``.
    """
    world = read_world(case)
    now = datetime.fromisoformat(case["now"])
    sticky: dict[str, str] = {}
    for _ in range(most_cycles):
        if not _play_one_cycle(world, sticky, now):
            state = initial_state(world)
            fr = ("default", "nvidia.com/gpu")
            return {name: usage(state, ("ClusterQueue", name), fr) for name in sorted(world.queues)}
    raise RuntimeError("the play does not come to rest")


def _play_one_cycle(world: World, sticky: dict[str, str], now: datetime) -> bool:
    """Run one cycle and carry it out; whether anything moved."""
    chosen = heads(world)
    for queue, key in sticky.items():
        chosen[queue] = world.pending[key]
    moved = False
    for outcome in run_cycle(initial_state(world), chosen):
        workload = outcome.workload
        if outcome.status == "assumed" and outcome.nomination is not None:
            _admit(world, workload, now)
            workload.usage = outcome.nomination.assignment.usage()
            workload.assigned = set(workload.usage)
            if sticky.get(workload.queue) == workload.key:
                del sticky[workload.queue]
            moved = True
        if outcome.reason == "WaitingForPreemptedWorkloads" and outcome.nomination is not None:
            sticky[workload.queue] = workload.key
            for target in outcome.nomination.targets:
                _evict(world, target.victim)
            moved = True
    return moved


def _admit(world: World, workload: Workload, now: datetime) -> None:
    del world.pending[workload.key]
    world.running[workload.key] = workload
    workload.reserved_at = now


def _evict(world: World, workload: Workload) -> None:
    del world.running[workload.key]
    world.pending[workload.key] = workload
    workload.usage, workload.assigned = {}, set()
