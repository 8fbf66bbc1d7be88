"""The pods of a snapshot for forecasts, and jobs that are asked about together, under quotas of a plugin.

Those of its quotas are pods at work; all others take room on the nodes.
Decides nothing: it hands pods to the replay, which runs the laws of the plugin.
Tested in ``tests/unit/policy/forecast/test_pod_plays.py``.
"""

from collections.abc import Sequence
from typing import Any, Generic

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.joint import JointQuestion, JointWork
from kubectl_fairshare.schedulers.kubescheduler.plan import AskedPod
from kubectl_fairshare.schedulers.kubescheduler.plugin import AnyPod, QuotaPlugin
from kubectl_fairshare.schedulers.other_schedulers import answers_for
from kubectl_fairshare.schedulers.pod_joint import AskedJob, PodPlanner, pod_joint
from kubectl_fairshare.schedulers.pod_queue import NewPod
from kubectl_fairshare.schedulers.pod_replay import PodMotion


class PluginPods(Generic[AnyPod]):
    """The pods of a snapshot for forecasts; ``unjudged`` are schedulers whose pods it does not try."""

    def __init__(self, plugin: QuotaPlugin, snapshot: Snapshot, unjudged: Sequence[Gap]) -> None:
        self._plugin, self._snapshot, self._unjudged = plugin, snapshot, unjudged
        self._source = plugin.source(snapshot)
        self._state = plugin.state(self._source)

    def pods(self) -> Sequence[AnyPod]:
        """All pods that have not ended."""
        found: Sequence[AnyPod] = self._source.pods
        return found

    def motion(self) -> PodMotion[AnyPod]:
        """The scheduler, for one replay."""
        motion = self._plugin.motion()
        motion.open(self._snapshot)
        return motion

    def is_leaving(self, pod: AnyPod) -> bool:
        """Whether it is being deleted."""
        return pod.terminating

    def refusal(self, pod: AnyPod) -> str:
        """Gated pods, and those of other schedulers."""
        if pod.gated:
            return "it has scheduling gates"
        known = answers_for(self._source.profiles, pod.scheduler, self._plugin.name)
        return "" if known else f"its scheduler is `{pod.scheduler}`"

    def new_pod(self, pod: AnyPod) -> NewPod[AnyPod]:
        """The pod as one that waits."""
        given: Any = pod
        waits: AnyPod = replace(given, uid=pod.name, node="", nominated="", started=None, running=False)
        return NewPod(pod.name, waits, pod.priority, None, (self._plugin.turns.shape(self._state, waits),))

    def history(self) -> Sequence[TracedJob]:
        """The jobs of the snapshot, as a trace has them."""
        return self._plugin.history(self._snapshot).jobs

    def gaps(self) -> Sequence[Gap]:
        """What the snapshot leaves in doubt."""
        return self._unjudged


def joint_work(
    plugin: QuotaPlugin, snapshot: Snapshot, question: JointQuestion, now: int, unjudged: Sequence[Gap]
) -> JointWork:
    """The jobs of a question next to all pods on nodes. Raises as ``plan`` does."""
    pods: Sequence[AskedPod[Any]] = ()
    notes: tuple[Problem, ...] = ()
    if question.asked is not None:
        pods, notes = plugin.questions(snapshot, question.asked)
    asked = [AskedJob(each.pod, each.demand, each.origin) for each in pods]
    planner = PodPlanner(PluginPods(plugin, snapshot, unjudged), plugin.answer_in)
    return pod_joint(snapshot, question.kept, asked, now, planner, notes)
