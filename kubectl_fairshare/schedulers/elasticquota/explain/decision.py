"""The answer to "what happens to this pod", with its proof. Types only.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_citation.py``.
"""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import PossibleEviction
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import Spread
from kubectl_fairshare.schedulers.kubescheduler.plan import PluginPlan


class Plan(PluginPlan, frozen=True, kw_only=True):
    """The decision for one pod.

    ``over_min`` are the resources in which the pod takes its namespace above the minimum. ``spread`` is set if
    preemption finds no node. ``ends`` are the outcomes of all ends of the cycle that ties allow.
    """

    attempt: Attempt
    over_min: tuple[Excess, ...]
    spread: Spread | None
    possible: tuple[PossibleEviction, ...] = ()
    ends: tuple[Outcome, ...] = ()
