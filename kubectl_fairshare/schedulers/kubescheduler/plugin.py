"""What a plugin that admits pods by quotas says about itself, and the end of a pod in its turn.

Decides nothing: it has types, and hands pods to the plugin in their turns.
Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from kubectl_fairshare.answers.answer import Answer, InTurn
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kubescheduler.plan import AskedPod, PluginPlan
from kubectl_fairshare.schedulers.pod_replay import PodMotion
from kubectl_fairshare.schedulers.question import PlanQuestion, PodOrigin
from kubectl_fairshare.schedulers.turns.attempts import TurnRules
from kubectl_fairshare.schedulers.turns.in_turn import PlanInTurn, PodOfScheduler


class PluginPod(PodOfScheduler, Protocol):
    """A pod of a plugin."""

    @property
    def name(self) -> str:
        """``namespace/name``."""

    @property
    def node(self) -> str:
        """Its node, empty while it waits."""

    @property
    def gated(self) -> bool:
        """Whether its scheduler leaves it alone."""

    @property
    def terminating(self) -> bool:
        """Whether it is being deleted."""


AnyPod = TypeVar("AnyPod", bound=PluginPod)


class QuotaPlugin(Protocol[AnyPod]):
    """A plugin, as far as it is not the same as the other; states are its own."""

    @property
    def rules(self) -> TurnRules[Any, AnyPod, Any]:
        """What turns of waiting pods need of it."""

    def source(self, snapshot: Snapshot) -> Any:
        """Its part of a snapshot."""

    def state(self, source: Any) -> Any:
        """The state that the scheduler makes of it."""

    @property
    def name(self) -> str:
        """The name of its house."""

    def motion(self) -> PodMotion[AnyPod]:
        """The scheduler, for one replay."""

    def questions(
        self, snapshot: Snapshot, question: PlanQuestion
    ) -> tuple[Sequence[AskedPod[AnyPod]], tuple[Problem, ...]]:
        """The pods that a question is about, and notes."""

    def answer(self, asked: AskedPod[AnyPod]) -> Answer[Any]:
        """The decision for one of them, with the objects that it rests on."""

    def answer_in(
        self, motion: PodMotion[AnyPod], pod: AnyPod, demand: NodeDemand | None, origin: PodOrigin
    ) -> Answer[PlanDetail]:
        """The decision for a pod on the state of a replay, without remedies."""

    def waiting(self, asked: AskedPod[AnyPod]) -> Any:
        """The state in which a pod that is asked about waits."""

    def plan_at(self, state: Any, pod: AnyPod, asked: AskedPod[AnyPod]) -> PluginPlan:
        """The decision for a pod in a state, without remedies."""

    def verdict(self, plan: Any) -> str:
        """What it says of a decision, in a clause."""

    def history(self, snapshot: Snapshot) -> PastWork:
        """What became of the jobs of a snapshot."""


def in_turn(
    plugin: QuotaPlugin[AnyPod], asked: AskedPod[AnyPod], outcome: Outcome, manifests: Mapping[ObjectKey, Manifest]
) -> InTurn | None:
    """The end among all pods that wait; None if that is ``outcome``, or if the pod does not wait."""
    pod, source = asked.pod, asked.state.source
    if pod.gated or pod.terminating or asked.origin.node or asked.origin.refusals:
        return None
    pods: Iterable[AnyPod] = source.pods
    waiting = (other for other in pods if not (other.node or other.gated or other.terminating))
    turn = PlanInTurn(plugin.rules, lambda state, each: plugin.plan_at(state, each, asked), plugin.verdict)
    return turn.end(plugin.waiting(asked), pod, waiting, outcome, profiles=source.profiles, manifests=manifests)
