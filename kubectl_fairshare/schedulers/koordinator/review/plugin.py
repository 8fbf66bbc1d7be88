"""What Koordinator says about itself, for answers that it gives as CapacityScheduling does.

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
from kubectl_fairshare.schedulers.koordinator.explain.asking import QuotaQuestion, asked_pods
from kubectl_fairshare.schedulers.koordinator.explain.citation import cited_objects
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.preemptors import RULES
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Pod
from kubectl_fairshare.schedulers.koordinator.motion import RuntimeMotion
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of
from kubectl_fairshare.schedulers.koordinator.release import NAME
from kubectl_fairshare.schedulers.koordinator.why.past import history
from kubectl_fairshare.schedulers.koordinator.why.turns import RuntimeTurnRules
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import RuntimePlanDetail, plan_answer
from kubectl_fairshare.schedulers.koordinator.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.pod_replay import PodMotion
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin


class KoordinatorPlugin:
    """The plugin ElasticQuota of Koordinator."""

    name = NAME
    rules = RuntimeTurnRules()

    def source(self, snapshot: Snapshot) -> KoordinatorState:
        """Quotas, nodes and pods of a snapshot."""
        return snapshot.part(KoordinatorState)

    def state(self, source: KoordinatorState) -> State:
        """The state that the scheduler makes of them."""
        return state_of(source)

    def motion(self) -> RuntimeMotion:
        """The scheduler, for one replay."""
        return RuntimeMotion(RULES[Law.OWN_LOWER])

    def questions(
        self, snapshot: Snapshot, question: PlanQuestion
    ) -> tuple[Sequence[QuotaQuestion], tuple[Problem, ...]]:
        """The pods that a question is about, and notes."""
        return asked_pods(snapshot, question)

    def answer(self, asked: QuotaQuestion) -> Answer[RuntimePlanDetail]:
        """The decision for one of them, with the objects that it rests on."""
        planned = plan(asked.state, asked.pod, asked.demand, asked.origin)
        return plan_answer(planned, asked.state, cited_objects(asked.state, planned))

    def answer_in(
        self, motion: PodMotion[Pod], pod: Pod, demand: NodeDemand | None, origin: PodOrigin
    ) -> Answer[PlanDetail]:
        """The decision for a pod on the state of a replay, without remedies."""
        assert isinstance(motion, RuntimeMotion)
        return plan_answer(plan(motion.state, pod, demand, origin, remedied=False, briefly=True), motion.state, ())

    def waiting(self, asked: QuotaQuestion) -> State:
        """The state in which a pod that is asked about waits."""
        state: State = asked.state
        source = state.source
        return replace(state, source=replace(source, demands={**source.demands, asked.pod.key: asked.demand}))

    def plan_at(self, state: State, pod: Pod, asked: QuotaQuestion) -> Plan:
        """The decision for a pod in a state, without remedies."""
        return plan(state, pod, asked.demand, asked.origin, remedied=False)

    def verdict(self, planned: Plan) -> str:
        """What it says of a decision, in a clause."""
        return WORDS.verdict(planned)

    def history(self, snapshot: Snapshot) -> PastWork:
        """What became of the jobs of a snapshot."""
        return history(snapshot)
