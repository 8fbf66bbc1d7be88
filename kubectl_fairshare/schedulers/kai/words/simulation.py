"""What a simulation of KAI's sessions assumes, in words.

Tested in ``tests/unit/policy/simulation/test_sessions.py``.
"""

from typing import Final

from kubectl_fairshare.schedulers.kai.solver.attempts import Action
from kubectl_fairshare.schedulers.kai.solver.motion.replay import Assumption, Sayings

_ASSUMPTIONS: Final = {
    Assumption.PODS: "pods that are bound run at once, and the job of an evicted pod makes another one at once",
    Assumption.SESSIONS: "a session runs at each change, at most once in a second, and takes no time",
    Assumption.OTHERS: "pods that belong to no PodGroup run on",
    Assumption.USAGE: "past usage does not grow: KAI counts it only with a usage database",
}
_RULES: Final[dict[str, str]] = {
    Action.RECLAIM: "reclaim",
    Action.PREEMPT: "priority",
    Action.CONSOLIDATION: "consolidation",
}


def sayings() -> Sayings:
    """How the replay speaks."""
    return Sayings(_ASSUMPTIONS.__getitem__, lambda action: _RULES.get(action, action))
