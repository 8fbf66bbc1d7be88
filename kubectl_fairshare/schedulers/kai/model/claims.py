"""A ResourceClaim (DRA) as KAI counts it.

Tested in ``tests/unit/schedulers/kai/jobs/test_claims.py``.
"""

from typing import NamedTuple


class DeviceClaim(NamedTuple):
    """A ResourceClaim: its GPUs, the pod that owns it or has reserved it first, and the devices that it has got."""

    namespace: str
    name: str
    gpus: int
    pod: str
    devices: tuple[str, ...] = ()
