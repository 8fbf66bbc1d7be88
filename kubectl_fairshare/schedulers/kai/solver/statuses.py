"""The status of a pod in a session, including the session's own decisions, and sets of statuses that KAI tests.

Why a terminating pod may not be waited for: it should have ended three minutes ago and still runs. After two minutes
KAI takes it for stuck, and nothing is placed on its room.
Source: https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/pod_info/pod_info.go,
https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/api/pod_status; "kai solver" in ``docs/laws.md``.
"""

from enum import IntEnum
from typing import Final

from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kai.model.objects import Phase, Pod

STUCK_AFTER: Final = 120 * 10**9


class Status(IntEnum):
    """A pod's status. A stuck pod is terminating for so long that nothing waits for it."""

    PENDING = 1
    GATED = 2
    ALLOCATED = 3
    PIPELINED = 4
    BINDING = 5
    BOUND = 6
    RUNNING = 7
    RELEASING = 8
    STUCK = 9
    SUCCEEDED = 10
    FAILED = 11
    UNKNOWN = 12


ACTIVE: Final = frozenset({Status.ALLOCATED, Status.PIPELINED, Status.BINDING, Status.BOUND, Status.RUNNING})
"""Placed and not on the way out: what minimums count."""
ALIVE: Final = ACTIVE | {Status.PENDING}
"""Placed, or waiting without a gate: what a job needs to be looked at."""
USED: Final = ACTIVE | {Status.RELEASING, Status.STUCK}
"""Holds room on a node."""
_BY_PHASE: Final = {
    Phase.PENDING: Status.PENDING,
    Phase.GATED: Status.GATED,
    Phase.BINDING: Status.BINDING,
    Phase.BOUND: Status.BOUND,
    Phase.RUNNING: Status.RUNNING,
    Phase.RELEASING: Status.RELEASING,
    Phase.SUCCEEDED: Status.SUCCEEDED,
    Phase.FAILED: Status.FAILED,
    Phase.UNKNOWN: Status.UNKNOWN,
}


def status_of(pod: Pod, phase: Phase, now: int | None) -> Status:
    """The status of a pod at the start of a session; without a current moment, no pod is stuck."""
    status = _BY_PHASE[phase]
    if status is not Status.RELEASING or now is None or (pod.raw.get("status") or {}).get("phase") != "Running":
        return status
    since = (pod.raw.get("metadata") or {}).get("deletionTimestamp")
    return Status.STUCK if since and now - nanoseconds(since) > STUCK_AFTER else status
