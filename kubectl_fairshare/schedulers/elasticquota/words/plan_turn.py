"""The end of a planned pod after the pods that wait before it.

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
from kubectl_fairshare.schedulers.elasticquota.words.plan_clauses import verdict
from kubectl_fairshare.schedulers.pod_standing import PodManifests
from kubectl_fairshare.schedulers.turns.line import QueueEntry, line_before
from kubectl_fairshare.schedulers.turns.plans import TurnPlans


def in_turn(asked: PodQuestion, outcome: Outcome, manifests: Mapping[ObjectKey, Manifest]) -> InTurn | None:
    """The end after the pods that wait before it; None if that is the same, or if the pod does not wait.

    ``outcome`` is what it comes to if no other one is before it, which may be unknown where the end in turn is not.
    """
    pod, source, objects = asked.pod, asked.state.source, PodManifests(manifests)
    waiting = [other for other in source.pods if not (other.node or other.gated or other.terminating)]

    def queued(each: Pod) -> QueueEntry:
        return objects.queued(each.key, each.scheduler, source.profiles)

    line = line_before(pod, waiting, queued)
    if len(line.pods) == 1 or pod.gated or pod.terminating or asked.origin.node:
        return None

    def planned(at: State, each: Pod) -> Plan:
        return plan(at, each, asked.demand, asked.origin, remedied=False)

    plans = TurnPlans(QuotaTurnRules(), _with(asked), line, planned, {pod.key})
    first, gaps = plans.turns.before(pod), plans.turns.gaps(pod)
    turn, (found, _) = plans.turns.of(pod), plans.of(pod)
    ahead = 0 if turn is None else turn.number
    if not first and not gaps and (not ahead or found.outcome is outcome):
        return None
    return InTurn(
        first if first or gaps else ahead, found.outcome, verdict(found), found.fidelity.with_gaps(gaps).doubts
    )


def _with(asked: PodQuestion) -> State:
    """The state in which the pod waits."""
    source = asked.state.source
    demands = {**source.demands, asked.pod.key: asked.demand}
    pods = [pod for pod in source.pods if pod.key != asked.pod.key]
    return with_pods(replace(asked.state, source=replace(source, demands=demands)), [*pods, asked.pod])
