"""What CapacityScheduling says about itself, for answers that it gives as Koordinator does.

Tested in ``tests/unit/policy/test_together_pods.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.asking import PodQuestion, pod_questions
from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited_objects
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.jobs.history import history
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.motion import QuotaMotion
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of, with_pods
from kubectl_fairshare.schedulers.elasticquota.release import NAME
from kubectl_fairshare.schedulers.elasticquota.why.turns import QuotaTurnRules
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import QuotaPlanDetail, plan_answer
from kubectl_fairshare.schedulers.elasticquota.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.elasticquota.words.sentences import RULES
from kubectl_fairshare.schedulers.pod_replay import PodMotion
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin


class CapacityPlugin:
    """The plugin CapacityScheduling of scheduler-plugins."""

    name = NAME
    rules = QuotaTurnRules()

    def source(self, snapshot: Snapshot) -> ElasticQuotaState:
        """Quotas, nodes and pods of a snapshot."""
        return snapshot.part(ElasticQuotaState)

    def state(self, source: ElasticQuotaState) -> State:
        """The state that the scheduler makes of them."""
        return state_of(source)

    def motion(self) -> QuotaMotion:
        """The scheduler, for one replay."""
        return QuotaMotion(lambda law: RULES.get(law, str(law)))

    def questions(
        self, snapshot: Snapshot, question: PlanQuestion
    ) -> tuple[Sequence[PodQuestion], tuple[Problem, ...]]:
        """The pods that a question is about, and notes."""
        return pod_questions(snapshot, question)

    def answer(self, asked: PodQuestion) -> Answer[QuotaPlanDetail]:
        """The decision for one of them, with the objects that it rests on."""
        planned = plan(asked.state, asked.pod, asked.demand, asked.origin)
        return plan_answer(planned, asked.state, cited_objects(asked.state, planned))

    def answer_in(
        self, motion: PodMotion[Pod], pod: Pod, demand: NodeDemand | None, origin: PodOrigin
    ) -> Answer[PlanDetail]:
        """The decision for a pod on the state of a replay, without remedies."""
        assert isinstance(motion, QuotaMotion)
        return plan_answer(plan(motion.state, pod, demand, origin, remedied=False, briefly=True), motion.state, ())

    def waiting(self, asked: PodQuestion) -> State:
        """The state in which a pod that is asked about waits."""
        source = asked.state.source
        demands = {**source.demands, asked.pod.key: asked.demand}
        pods = [pod for pod in source.pods if pod.key != asked.pod.key]
        return with_pods(replace(asked.state, source=replace(source, demands=demands)), [*pods, asked.pod])

    def plan_at(self, state: State, pod: Pod, asked: PodQuestion) -> Plan:
        """The decision for a pod in a state, without remedies."""
        return plan(state, pod, asked.demand, asked.origin, remedied=False)

    def verdict(self, planned: Plan) -> str:
        """What it says of a decision, in a clause."""
        return WORDS.verdict(planned)

    def history(self, snapshot: Snapshot) -> PastWork:
        """What became of the jobs of a snapshot."""
        return history(snapshot)
