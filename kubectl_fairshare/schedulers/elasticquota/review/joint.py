"""Jobs that are asked about together, on the cycles of CapacityScheduling.

Tested in ``tests/unit/policy/test_together_pods.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.elasticquota.explain.asking import pod_questions
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.motion import QuotaMotion
from kubectl_fairshare.schedulers.elasticquota.review.adoption import QuotaPods
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.joint import JointQuestion, JointWork
from kubectl_fairshare.schedulers.pod_joint import AskedJob, PodPlanner, pod_joint
from kubectl_fairshare.schedulers.pod_replay import PodMotion
from kubectl_fairshare.schedulers.question import PodOrigin


def joint_work(snapshot: Snapshot, question: JointQuestion, now: int, unjudged: Sequence[Gap]) -> JointWork:
    """The jobs of a question next to all pods on nodes. Raises as ``plan`` does."""
    notes: tuple[Problem, ...]
    pods, notes = ([], ()) if question.asked is None else pod_questions(snapshot, question.asked)
    asked = [AskedJob(each.pod, each.demand, each.origin) for each in pods]
    return pod_joint(snapshot, question.kept, asked, now, PodPlanner(QuotaPods(snapshot, unjudged), _answer), notes)


def _answer(motion: PodMotion[Pod], pod: Pod, demand: NodeDemand | None, origin: PodOrigin) -> Answer[PlanDetail]:
    """The plan of a pod on the state of a motion."""
    assert isinstance(motion, QuotaMotion)
    return plan_answer(plan(motion.state, pod, demand, origin, remedied=False, briefly=True), motion.state, ())
