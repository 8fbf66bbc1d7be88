"""What Koordinator says about itself, for answers that it gives as CapacityScheduling does.

Tested in ``tests/unit/policy/test_together_pods.py``.
"""

from typing import Final

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.asking import QuotaQuestion, asked_pods
from kubectl_fairshare.schedulers.koordinator.explain.citation import cited_objects
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.preemptors import RULES
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState
from kubectl_fairshare.schedulers.koordinator.motion import RuntimeMotion
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of
from kubectl_fairshare.schedulers.koordinator.release import NAME
from kubectl_fairshare.schedulers.koordinator.why.past import history
from kubectl_fairshare.schedulers.koordinator.why.turns import TURNS
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.koordinator.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.kubescheduler.plugin import QuotaPlugin


def _waiting(asked: QuotaQuestion) -> State:
    state: State = asked.state
    source = state.source
    return replace(state, source=replace(source, demands={**source.demands, asked.pod.key: asked.demand}))


PLUGIN: Final = QuotaPlugin(
    name=NAME,
    part=KoordinatorState,
    state=state_of,
    turns=TURNS,
    motion=lambda: RuntimeMotion(RULES[Law.OWN_LOWER]),
    questions=asked_pods,
    plan=plan,
    plan_answer=plan_answer,
    cited=cited_objects,
    verdict=WORDS.verdict,
    waiting=_waiting,
    history=history,
)
"""The plugin ElasticQuota of Koordinator."""
