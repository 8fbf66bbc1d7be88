"""Whether a job is worth trying after a like one has failed: by the same demands on nodes, and smaller pods.

Example: a job of two pods of 4 GPUs has failed. Another of two such pods is not tried in this action, one of two pods
of 2 is.
Source: https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/common/minimal_job_comparison.go;
"kai solver" in ``docs/laws.md``.
"""

from collections.abc import Iterator
from functools import cmp_to_key

from kubectl_fairshare.schedulers.kai.solver.gangs import Gang
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.machines import Vector
from kubectl_fairshare.schedulers.kai.solver.statuses import ACTIVE


def signature(gang: Gang) -> tuple[str, ...]:
    """What two jobs that are as hard to place have in common, as the session began; amounts are left out."""
    return tuple(sorted(_leaf_signatures(gang)))


def _leaf_signatures(gang: Gang) -> Iterator[str]:
    for leaf in gang.root.leaves():
        tasks = [gang.tasks[pod] for pod in leaf.pods]
        waiting = [task.signature for task in tasks if task.status not in ACTIVE]
        yield repr(sorted(waiting)) if waiting else ""


class FailedJobs:
    """The smallest jobs that failed in an action, by signature."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], str] = {}

    def easier(self, layer: Layer, gang: Gang) -> bool:
        """Whether the job may do better than the like one that failed."""
        failed = self._found.get(signature(gang))
        if failed is None:
            return True
        mine, theirs = _waiting(layer, gang), _waiting(layer, layer.ground.gangs[failed])
        # Nothing to compare, and KAI takes it for no easier.
        if not mine or not theirs:
            return False
        if len(theirs) > len(mine):
            return True
        pairs = zip(mine, theirs, strict=False)
        return any(_within(a, b) and not _within(b, a) for a, b in pairs)

    def add(self, layer: Layer, gang: Gang) -> None:
        """Notes that the job failed."""
        key = signature(gang)
        if key not in self._found or _smaller(layer, gang, layer.ground.gangs[self._found[key]]):
            self._found[key] = gang.name


def _smaller(layer: Layer, gang: Gang, other: Gang) -> bool:
    mine, theirs = _waiting(layer, gang), _waiting(layer, other)
    if not mine or not theirs or len(mine) > len(theirs):
        return False
    return all(_within(a, b) for a, b in zip(mine, theirs, strict=False))


def _waiting(layer: Layer, gang: Gang) -> list[Vector]:
    """What the pods that wait ask for, smallest first."""
    requests = [task.request for pod, task in gang.tasks.items() if layer.pending(pod)]
    return sorted(requests, key=cmp_to_key(_larger))


def _larger(a: Vector, b: Vector) -> int:
    return _within(b, a) - _within(a, b)


def _within(a: Vector, b: Vector) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))
