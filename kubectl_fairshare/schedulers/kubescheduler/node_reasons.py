"""Why a pod does not get each node: what the node lacks, why preemption does not help there, what another has less of.

Decides nothing: it has words only.
Tested in ``tests/unit/cli/commands/test_never.py``.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.schedulers.kubescheduler.choice import FIGURES
from kubectl_fairshare.schedulers.kubescheduler.cycle import CycleAttempt
from kubectl_fairshare.schedulers.kubescheduler.fit import Lack
from kubectl_fairshare.schedulers.kubescheduler.plan import PluginPlan
from kubectl_fairshare.schedulers.shared_words import node_reason_blocks
from kubectl_fairshare.trace import Step


class NodeSentences(NamedTuple):
    """How a scheduler says a step, and which steps a lack and a rejected node are."""

    sentence: Callable[[Step], str]
    lack_step: Callable[[str, Lack], Step]
    rejection_step: Callable[[Any], Step]


def blocks_of_nodes(plan: PluginPlan, words: NodeSentences) -> Group:
    """The nodes that the pod does not get, each with its reason."""
    placed = plan.chosen is not None or bool(plan.feasible)
    return node_reason_blocks(_reasons(plan.attempt, plan.proof, words), placed=placed)


def _reasons(tried: CycleAttempt[Any, Any, Any], proof: Iterable[Step], words: NodeSentences) -> dict[str, str]:
    lacking = {
        name: "; ".join(words.sentence(words.lack_step(name, lack)) for lack in found.lacks)
        for name, found in tried.filters.items()
        if not found.passed
    }
    if tried.choice is not None:
        lost = (step for step in proof if getattr(step.law, "name", "") in FIGURES)
        lacking |= {str(step.operand("node")): words.sentence(step) for step in lost}
    for name, trial in tried.trials.items():
        if trial.rejected is not None and trial.rejected.name == "NO_VICTIMS" and name in lacking:
            lacking[name] += "; no pod there can be preempted"
        elif trial.rejected is not None:
            lacking[name] = _rejection(words.rejection_step(trial), words)
        elif tried.choice is not None and name in tried.choice.nodes:
            lacking.pop(name, None)
    return lacking


def _rejection(step: Step, words: NodeSentences) -> str:
    below = [words.sentence(part) for part in step.rests_on if isinstance(part, Step)]
    return ": ".join((words.sentence(step), *below))
