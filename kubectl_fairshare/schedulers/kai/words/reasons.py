"""Why a job does not get in, in a clause.

Tested in ``tests/unit/cli/commands/test_never.py``.
"""

from typing import Final

from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, failing_step
from kubectl_fairshare.schedulers.kai.session.room import Misfits
from kubectl_fairshare.schedulers.kai.words.screens.figures import with_unit
from kubectl_fairshare.schedulers.kai.words.screens.plan import comparison
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.schedulers.shared_words import barred_clause

_NAMED: Final = 2
"""Pods of a kind that the clause names."""


def reason_clause(plan: Plan) -> str:
    """The reason why the job does not get in."""
    binding = failing_step(plan)
    if plan.barred is not None:
        return barred_clause(plan.barred)
    return _why(plan) if binding is None else sentence(binding)


def _why(plan: Plan) -> str:
    """The reason why a job gets nothing although every test passes."""
    reclaim = plan.reclaim
    if plan.crowd:
        number, pods = len(plan.crowd), some_of(plan.crowd, _NAMED)
        if number == 1:
            return f"no node can hold its pod {pods}, not even while it is empty"
        return f"it needs {number} pods that are equal at once ({pods}), and all nodes hold fewer even while empty"
    if reclaim is None:
        return _too_large(plan.misfits) if plan.misfits else "it requests more than the cluster has"
    if reclaim.left_out and not reclaim.enough:
        return "evicting every job that fairness allows is not enough"
    if not reclaim.candidates:
        return "no job of another queue can be reclaimed"
    if not reclaim.enough:
        return "reclaiming every candidate is not enough"
    if plan.placement is not None and (reclaim.verdict is None or reclaim.verdict.allowed):
        return "no set of victims frees nodes that fit all its pods"
    refused = next((one for one in reclaim.verdict.compared if not one.allowed), None) if reclaim.verdict else None
    if refused is not None:
        return f"no set of victims passes the fairness test: {comparison(refused)}"
    return "no set of victims that would be enough is allowed"


def _too_large(misfits: Misfits) -> str:
    clause = "it has a pod that no node is large enough for"
    if not misfits.resource:
        return clause
    asked, most = (with_unit(misfits.resource, value) for value in (misfits.asked, misfits.most))
    return f"{clause}: it needs {asked}, the largest has {most}"
