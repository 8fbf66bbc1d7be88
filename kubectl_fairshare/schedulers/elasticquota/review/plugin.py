"""What CapacityScheduling says about itself, for answers that it gives as Koordinator does.

Tested in ``tests/unit/policy/test_together_pods.py``.
"""

from typing import Final

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.asking import PodQuestion, pod_questions
from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited_objects
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.jobs.history import history
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.motion import QuotaMotion
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of, with_pods
from kubectl_fairshare.schedulers.elasticquota.release import NAME
from kubectl_fairshare.schedulers.elasticquota.why.turns import TURNS
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.elasticquota.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.elasticquota.words.sentences import RULES
from kubectl_fairshare.schedulers.kubescheduler.plugin import QuotaPlugin


def _waiting(asked: PodQuestion) -> State:
    source = asked.state.source
    demands = {**source.demands, asked.pod.key: asked.demand}
    pods = [pod for pod in source.pods if pod.key != asked.pod.key]
    return with_pods(replace(asked.state, source=replace(source, demands=demands)), [*pods, asked.pod])


PLUGIN: Final = QuotaPlugin(
    name=NAME,
    part=ElasticQuotaState,
    state=state_of,
    turns=TURNS,
    motion=lambda: QuotaMotion(lambda law: RULES.get(law, str(law))),
    questions=pod_questions,
    plan=plan,
    plan_answer=plan_answer,
    cited=cited_objects,
    verdict=WORDS.verdict,
    waiting=_waiting,
    history=history,
)
"""The plugin CapacityScheduling of scheduler-plugins."""
