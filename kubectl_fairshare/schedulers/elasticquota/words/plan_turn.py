"""The end of a planned pod in its turn.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.answers.answer import InTurn
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.asking import PodQuestion
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, with_pods
from kubectl_fairshare.schedulers.elasticquota.why.turns import QuotaTurnRules
from kubectl_fairshare.schedulers.elasticquota.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.turns.in_turn import PlanInTurn


def in_turn(asked: PodQuestion, outcome: Outcome, manifests: Mapping[ObjectKey, Manifest]) -> InTurn | None:
    """The end among all pods that wait; None if that is ``outcome``, or if the pod does not wait."""
    pod, source = asked.pod, asked.state.source
    if pod.gated or pod.terminating or asked.origin.node or asked.origin.refusals:
        return None

    def planned(at: State, each: Pod) -> Plan:
        return plan(at, each, asked.demand, asked.origin, remedied=False)

    waiting = (other for other in source.pods if not (other.node or other.gated or other.terminating))
    turn = PlanInTurn(QuotaTurnRules(), planned, WORDS.verdict)
    return turn.end(_with(asked), pod, waiting, outcome, profiles=source.profiles, manifests=manifests)


def _with(asked: PodQuestion) -> State:
    """The state in which the pod waits."""
    source = asked.state.source
    demands = {**source.demands, asked.pod.key: asked.demand}
    pods = [pod for pod in source.pods if pod.key != asked.pod.key]
    return with_pods(replace(asked.state, source=replace(source, demands=demands)), [*pods, asked.pod])
