"""The end of a planned pod in its turn, among all pods that wait.

The line is the one by which ``why`` answers. Pods of a lower priority are in it, too: those that get in, and their
victims, are gone or there when a pod that was refused is tried again.
Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, Protocol, TypeVar

from kubectl_fairshare.answers.answer import InTurn
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.pod_standing import PodManifests
from kubectl_fairshare.schedulers.turns.attempts import AnyAttempt, AnyState, TurnRules
from kubectl_fairshare.schedulers.turns.line import PodLines, QueueEntry, RankedPod
from kubectl_fairshare.schedulers.turns.plans import TurnPlans


class PodOfScheduler(RankedPod, Protocol):
    """A pod with the scheduler in whose queue it is."""

    @property
    def scheduler(self) -> str:
        """The name of its scheduler."""


class PlanOfPod(Protocol):
    """The decision for a pod: what it comes to, and how much that can be relied on."""

    @property
    def outcome(self) -> Outcome:
        """What the pod comes to."""

    @property
    def fidelity(self) -> Fidelity:
        """What is not modelled."""


Queued = TypeVar("Queued", bound=PodOfScheduler)
Planned = TypeVar("Planned", bound=PlanOfPod)


class PlanInTurn(Generic[AnyState, Queued, AnyAttempt, Planned]):
    """How a pod is planned among others; ``verdict`` says a plan in a clause."""

    def __init__(
        self,
        rules: TurnRules[AnyState, Queued, AnyAttempt],
        plan: Callable[[AnyState, Queued], Planned],
        verdict: Callable[[Planned], str],
    ) -> None:
        self._rules, self._plan, self._verdict = rules, plan, verdict

    def end(
        self,
        state: AnyState,
        pod: Queued,
        others: Iterable[Queued],
        alone: Outcome,
        *,
        profiles: tuple[str, ...] | None,
        manifests: Mapping[ObjectKey, Manifest],
    ) -> InTurn | None:
        """The end of a pod that waits in the state; None if it is the same as ``alone``, or if it has no turn.

        ``others`` are the other pods that wait. ``alone`` may be unknown where the end in turn is not.
        """
        objects = PodManifests(manifests)

        def queued(each: Queued) -> QueueEntry:
            return objects.queued(each.key, each.scheduler, profiles)

        line = PodLines((*(each for each in others if each.key != pod.key), pod), queued, known=profiles is not None)
        if len(line.tried.pods) == 1 or all(each.key != pod.key for each in line.tried.pods):
            return None
        plans = TurnPlans(self._rules, state, line.tried, self._plan, {pod.key: pod.key})
        first, gaps = plans.turns.before(pod), plans.turns.gaps(pod)
        turn, (found, _) = plans.turns.of(pod), plans.of(pod)
        ahead = 0 if turn is None else turn.number
        # others may also lose their nominations, or evict pods and not get in themselves
        differs = turn is not None and (ahead > 0 or turn.end != plans.turns.alone(pod).end)
        if not first and not gaps and (not differs or found.outcome is alone):
            return None
        doubts = found.fidelity.with_gaps(gaps).doubts
        return InTurn(first if first or gaps else ahead, found.outcome, self._verdict(found), doubts)
