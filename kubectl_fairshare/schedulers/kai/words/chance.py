"""What is said of an answer that KAI itself may give otherwise in another run."""

from typing import Final

from kubectl_fairshare.answers.outcome import outcome_counts
from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.explain.placement import outcome_of

_VARIES: Final = "KAI's own choice of victims and nodes varies from run to run: it follows the order of a Go map"
_MAY_VARY: Final = (
    "KAI's own choice may vary from run to run: the search is so long that few of the orders of its Go maps were tried"
)
_ANY_ORDER: Final = "its pods differ and may be created in any order, so each may get another node, and other victims"


def chance_text(plan: Plan) -> str:
    """Why the plan is not the only one: other runs differ, or too few were tried."""
    where = plan.placement
    if where is not None and where.unordered:
        return _ANY_ORDER
    return _MAY_VARY if where is not None and where.few and not where.varies else _VARIES


def orders_clause(plan: Plan) -> str:
    """How many of the orders that were tried, of KAI's maps or of the pods, admit the job, before a colon.

    Empty if all agree.
    """
    counts = "" if plan.placement is None else outcome_counts(map(outcome_of, plan.placement.orders), "order")
    return f"{counts}: " if counts else ""
