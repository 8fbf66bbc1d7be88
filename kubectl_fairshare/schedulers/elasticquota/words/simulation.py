"""What a simulation of CapacityScheduling assumes, in words.

Tested in ``tests/unit/policy/simulation/test_quotas.py``.
"""

from typing import Final

from kubectl_fairshare.schedulers.elasticquota.motion.replay import Assumption, Sayings
from kubectl_fairshare.schedulers.elasticquota.words.sentences import RULES

_ASSUMPTIONS: Final = {
    Assumption.PODS: "pods start as soon as they are placed; each pod of a job runs for the job's duration",
    Assumption.CYCLES: "scheduling cycles take no time",
    Assumption.BACKOFF: "a pod without a place is tried again after a change, 1 s to 10 s after its last attempt",
    Assumption.AGAIN: "the job of a preempted pod makes another one at once",
}


def sayings() -> Sayings:
    """How the replay speaks."""
    return Sayings(_ASSUMPTIONS.__getitem__, lambda law: RULES.get(law, str(law)))
