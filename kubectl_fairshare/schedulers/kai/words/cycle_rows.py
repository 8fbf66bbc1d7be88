"""What attempts of a cycle say of pods and rules, for screens and documents.

Tested in ``tests/unit/schedulers/kai/words/test_cycle_answer.py``.
"""

from collections import Counter
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, Tried
from kubectl_fairshare.schedulers.kai.solver.scenarios import ScenarioEnd
from kubectl_fairshare.schedulers.kai.solver.statuses import Status

CONSOLIDATE: Final = "consolidation"
PREEMPT: Final = "preempt"
MAINTAIN: Final = "MaintainFairShare"
GUARANTEE: Final = "GuaranteeDeservedQuota"
RULES: Final = {
    CONSOLIDATE: "pods move so that the job fits, and none is lost",
    PREEMPT: "same queue, lower priority",
    MAINTAIN: "its queue or a parent queue is over its fair share",
    GUARANTEE: "its queue or a parent queue is over its quota; the job stays within its own",
}
_ENDS: Final = {
    ScenarioEnd.NO_PLACE: "left no place for the job",
    ScenarioEnd.REFUSED: "not allowed",
    ScenarioEnd.SOLVED: "made room",
}


def rule_of(tried: Tried, job: str) -> str:
    """The rule that lets an action take pods of a job."""
    if tried.action is Action.RECLAIM:
        return MAINTAIN if tried.rules.get(job, True) else GUARANTEE
    return PREEMPT if tried.action is Action.PREEMPT else CONSOLIDATE


def moved_to(tried: Tried, pod: str) -> str:
    """The node that an evicted pod is planned on; empty if it is lost."""
    now = next((one.now for one in tried.changes if one.pod == pod), None)
    return now.node if now is not None and now.status is Status.PIPELINED else ""


def own_pods(tried: Tried, status: Status) -> dict[str, str]:
    """The nodes of the job's own pods that the attempt placed, by pod name: those that it left in ``status``."""
    mine = tried.ground.gangs[tried.job].tasks
    return {mine[one.pod].name: one.now.node for one in tried.changes if one.pod in mine and one.now.status is status}


def runs_text(tried: Tried) -> str:
    """How many sets of victims KAI simulated, and how these ended; empty for none."""
    ends = Counter(run.end for run in tried.runs)
    parts = [f"{ends[end]} {words}" for end, words in _ENDS.items() if ends[end]]
    if not parts:
        return ""
    kept = "all rolled back" if not tried.done else "all but the last rolled back" if len(tried.runs) > 1 else ""
    return "; ".join(filter(None, (f"simulated {count(len(tried.runs), 'set')} of victims: {', '.join(parts)}", kept)))


def pods_text(nodes: dict[str, str]) -> str:
    """Pods with their nodes, a few of them."""
    return some_of([f"{pod} → {node}" for pod, node in nodes.items()], 6)
