"""The end of a planned pod in its turn.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.answers.answer import InTurn
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.asking import AskedPod
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.turns import RuntimeTurnRules
from kubectl_fairshare.schedulers.koordinator.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.turns.in_turn import PlanInTurn


def in_turn(asked: AskedPod, outcome: Outcome, manifests: Mapping[ObjectKey, Manifest]) -> InTurn | None:
    """The end among all pods that wait; None if that is ``outcome``, or if the pod does not wait."""
    pod, source = asked.pod, asked.state.source
    if pod.gated or pod.leaving or asked.origin.node or asked.origin.refusals:
        return None

    def planned(at: State, each: Pod) -> Plan:
        return plan(at, each, asked.demand, asked.origin, remedied=False)

    waiting = (other for other in source.pods if not (other.node or other.gated or other.leaving))
    turn = PlanInTurn(RuntimeTurnRules(), planned, WORDS.verdict)
    return turn.end(_with(asked), pod, waiting, outcome, profiles=source.profiles, manifests=manifests)


def _with(asked: AskedPod) -> State:
    """The state in which the pod waits."""
    source = asked.state.source
    return replace(asked.state, source=replace(source, demands={**source.demands, asked.pod.key: asked.demand}))
