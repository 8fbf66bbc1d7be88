"""Jobs that are asked about together, where a scheduler places pods one by one: all their pods wait.

Tested in ``tests/unit/policy/test_together_pods.py``.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, cast

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.adoption import StandingJob
from kubectl_fairshare.schedulers.joint import IN_ORDER, AtRest, JointWork, at_rest, waits_for
from kubectl_fairshare.schedulers.pod_adoption import PodFacts, pod_adoption
from kubectl_fairshare.schedulers.pod_making import RESUMED, SCALED
from kubectl_fairshare.schedulers.pod_queue import MOST_PODS, AnyPod, NewPod
from kubectl_fairshare.schedulers.pod_replay import PodMotion, PodReplay, WaitingPod
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.schedulers.replay import SchedulerReplay

_CONDITIONS: Final = {RESUMED: "suspended jobs are resumed", SCALED: "a job that is scaled to nothing makes one pod"}


class AskedJob(NamedTuple, Generic[AnyPod]):
    """A job of a question: its next pod, the nodes that this may use, and its origin."""

    pod: AnyPod
    demand: NodeDemand | None
    origin: PodOrigin


class PodPlanner(NamedTuple, Generic[AnyPod]):
    """What a house says of its own pods, and its plan for one of them on the state of a motion."""

    facts: PodFacts[AnyPod]
    plan: Callable[[PodMotion[AnyPod], AnyPod, NodeDemand | None, PodOrigin], Answer[PlanDetail]]


def pod_joint(
    snapshot: Snapshot,
    kept: Collection[ObjectKey],
    asked: Sequence[AskedJob[AnyPod]],
    now: int,
    house: PodPlanner[AnyPod],
    notes: tuple[Problem, ...],
) -> JointWork:
    """The jobs next to all pods on nodes, and next to the pods that wait and are ``kept``.

    Raises ``FairshareError`` for more pods of a job than are played.
    """
    new = _NewJobs(asked, now, house.facts)
    replaced = {each.pod.key for each in cast("Sequence[Any]", asked) if each.origin.exists}
    work = pod_adoption(snapshot, now, _Chosen(house.facts, frozenset(kept), replaced), new.jobs, new.waiting)

    def rest(replay: SchedulerReplay, unit: str) -> AtRest:
        assert isinstance(replay, PodReplay)
        waits = replay.waiting_pod(unit) or new.uncreated.get(unit)
        if waits is None:
            return waits_for(next(each.refused for each in work.jobs if unit in each.units))
        pod: Any = waits.pod
        origin = new.origins.get(unit) or PodOrigin(Place(pod.key), exists=True)
        return at_rest(house.plan(replay.motion, pod, waits.demand, origin))

    conditions = dict.fromkeys(each.origin.supposed for each in asked if each.origin.supposed)
    assumed = (*(_CONDITIONS.get(each, each) for each in conditions), *([IN_ORDER] if len(new.jobs) > 1 else []))
    gaps = tuple(gap for each in asked for gap in each.origin.gaps)
    return JointWork(work, rest, gaps, assumed, notes)


class _Chosen(Generic[AnyPod]):
    """A house's facts, with the pods that wait only if they are kept, and without those that are ``replaced``."""

    def __init__(self, facts: PodFacts[AnyPod], kept: frozenset[ObjectKey], replaced: Collection[ObjectKey]) -> None:
        self._facts, self._kept, self._replaced = facts, kept, replaced
        self.motion, self.is_leaving, self.refusal = facts.motion, facts.is_leaving, facts.refusal
        self.new_pod, self.history, self.gaps = facts.new_pod, facts.history, facts.gaps

    def pods(self) -> Sequence[AnyPod]:
        """The pods that have not ended and take part."""
        return [each for each in self._facts.pods() if self._takes_part(each)]

    def _takes_part(self, pod: Any) -> bool:
        return pod.key not in self._replaced and (bool(pod.node) or pod.key in self._kept)


class _NewJobs(Generic[AnyPod]):
    """The jobs of a question with all their pods: ``waiting`` in the order given."""

    def __init__(self, asked: Sequence[AskedJob[AnyPod]], now: int, facts: PodFacts[AnyPod]) -> None:
        self._facts, self._motion = facts, facts.motion()
        self.jobs: list[StandingJob] = []
        self.waiting: list[WaitingPod[AnyPod]] = []
        self.origins: dict[str, PodOrigin] = {}
        self.uncreated: dict[str, NewPod[AnyPod]] = {}
        every = [(each, list(_pods_of(each))) for each in asked]
        number = sum(len(pods) for _, pods in every)
        for each, pods in every:
            units = [pod.name for pod in pods]
            refusal = facts.refusal(pods[0])
            for pod in pods:
                self.origins[pod.name] = each.origin
                waits = replace(pod, uid=pod.name, node="", nominated="", started=None, running=False)
                shaped = NewPod(pod.name, waits, pod.priority, each.demand, (each.origin.place.object,))
                if each.origin.refusals and not refusal:
                    self.uncreated[pod.name] = shaped
                elif not refusal:
                    self.waiting.append(WaitingPod(shaped, pod, now - number, tried=False))
                    number -= 1
            self.jobs.append(self._job(each.origin.place.object, pods, units, refusal, now))

    def _job(self, maker: ObjectKey, pods: Sequence[Any], units: list[str], refusal: str, now: int) -> StandingJob:
        held = self._motion.holding(pods[0])
        requests = {resource: amount for (_, resource), amount in held.used.items()}
        sets = (TracedPods("pods", len(pods), requests),)
        traced = TracedJob(maker.name, maker.namespace, held.queue, now, sets, pods[0].priority)
        return StandingJob(traced, (maker,), tuple(units), held.queue, "", {}, refusal)


def _pods_of(asked: AskedJob[AnyPod]) -> Iterator[Any]:
    """All pods of a job; a job that makes one at a time has its name."""
    pod: Any = asked.pod
    number = max(1, asked.origin.pods)
    if number > MOST_PODS:
        message = f"{asked.origin.place.object} has {number:,} pods; {MOST_PODS:,} are played at most"
        raise FairshareError(Problem(message, asked.origin.place, "ask about a part of them"))
    if number == 1:
        yield pod
        return
    for n in range(number):
        key = pod.key._replace(name=f"{pod.key.name}-{n}")
        yield replace(pod, key=key, uid="")
