"""Jobs that are asked about together, on the cycles of Koordinator.

Tested in ``tests/unit/policy/test_together_pods.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.joint import JointQuestion, JointWork
from kubectl_fairshare.schedulers.koordinator.explain.asking import asked_pods
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.motion import RuntimeMotion
from kubectl_fairshare.schedulers.koordinator.review.adoption import RuntimePods
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.pod_joint import AskedJob, PodPlanner, pod_joint
from kubectl_fairshare.schedulers.pod_replay import PodMotion
from kubectl_fairshare.schedulers.question import PodOrigin


def joint_work(snapshot: Snapshot, question: JointQuestion, now: int, unjudged: Sequence[Gap]) -> JointWork:
    """The jobs of a question next to all pods on nodes. Raises as ``plan`` does."""
    notes: tuple[Problem, ...]
    pods, notes = ([], ()) if question.asked is None else asked_pods(snapshot, question.asked)
    asked = [AskedJob(each.pod, each.demand, each.origin) for each in pods]
    return pod_joint(snapshot, question.kept, asked, now, PodPlanner(RuntimePods(snapshot, unjudged), _answer), notes)


def _answer(motion: PodMotion[Pod], pod: Pod, demand: NodeDemand | None, origin: PodOrigin) -> Answer[PlanDetail]:
    """The plan of a pod on the state of a motion."""
    assert isinstance(motion, RuntimeMotion)
    return plan_answer(plan(motion.state, pod, demand, origin, remedied=False, briefly=True), motion.state, ())
