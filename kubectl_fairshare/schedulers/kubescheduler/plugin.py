"""What a plugin that admits pods by quotas says about itself, and the end of a pod in its turn.

Decides nothing: it has types, and hands pods to the plugin in their turns.
Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from kubectl_fairshare.answers.answer import Answer, InTurn
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginPod
from kubectl_fairshare.schedulers.kubescheduler.plan import AskedPod
from kubectl_fairshare.schedulers.pod_replay import PodMotion
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin
from kubectl_fairshare.schedulers.turns.attempts import TurnRules
from kubectl_fairshare.schedulers.turns.in_turn import PlanInTurn

AnyPod = TypeVar("AnyPod", bound=PluginPod[Any])


class QuotaPlugin(NamedTuple):
    """What a plugin says about itself; ``state`` is made of its ``part`` of a snapshot, both are its own.

    ``turns`` are those of waiting pods, ``motion`` is the scheduler for one replay. ``questions`` are the pods that a
    question is about, and notes. ``plan`` is the decision for a pod, ``plan_answer`` the answer of it, with the
    ``cited`` objects; ``verdict`` says it in a clause. ``waiting`` is the state in which a pod that is asked about
    waits, ``history`` what became of the jobs of a snapshot.
    """

    name: str
    part: type[Any]
    state: Callable[[Any], Any]
    turns: TurnRules[Any, Any, Any]
    motion: Callable[[], PodMotion[Any]]
    questions: Callable[[Snapshot, PlanQuestion], tuple[Sequence[AskedPod[Any]], tuple[Problem, ...]]]
    plan: Callable[..., Any]
    plan_answer: Callable[[Any, Any, Sequence[ObjectKey]], Answer[Any]]
    cited: Callable[[Any, Any], Sequence[ObjectKey]]
    verdict: Callable[[Any], str]
    waiting: Callable[[AskedPod[Any]], Any]
    history: Callable[[Snapshot], PastWork]

    def source(self, snapshot: Snapshot) -> Any:
        """Quotas, nodes and pods of a snapshot."""
        return snapshot.part(self.part)

    def answer(self, asked: AskedPod[Any]) -> Answer[Any]:
        """The decision for a pod of a question, with the objects that it rests on."""
        planned = self.plan(asked.state, asked.pod, asked.demand, asked.origin)
        return self.plan_answer(planned, asked.state, self.cited(asked.state, planned))

    def answer_in(self, motion: Any, pod: Any, demand: NodeDemand | None, origin: PodOrigin) -> Answer[PlanDetail]:
        """The decision for a pod on the state of a replay of this plugin, without remedies."""
        planned = self.plan(motion.state, pod, demand, origin, remedied=False, briefly=True)
        return self.plan_answer(planned, motion.state, ())


def in_turn(
    plugin: QuotaPlugin, asked: AskedPod[AnyPod], outcome: Outcome, manifests: Mapping[ObjectKey, Manifest]
) -> InTurn | None:
    """The end among all pods that wait; None if that is ``outcome``, or if the pod does not wait."""
    pod, source = asked.pod, asked.state.source
    if pod.gated or pod.terminating or asked.origin.node or asked.origin.refusals:
        return None
    pods: Iterable[AnyPod] = source.pods
    waiting = (other for other in pods if not (other.node or other.gated or other.terminating))

    def plan_at(state: Any, each: AnyPod) -> Any:
        return plugin.plan(state, each, asked.demand, asked.origin, remedied=False)

    turn = PlanInTurn(plugin.turns, plan_at, plugin.verdict)
    return turn.end(plugin.waiting(asked), pod, waiting, outcome, profiles=source.profiles, manifests=manifests)
