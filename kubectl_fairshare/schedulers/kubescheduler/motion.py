"""A plugin on a state in motion: one cycle for one pod, with the laws of ``plan``.

Decides nothing: the plugin's own cycle does.
Tested in ``tests/unit/policy/simulation/test_quotas.py`` and ``tests/unit/schedulers/koordinator/test_motion.py``.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kubescheduler.cycle import CycleAttempt
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.pod_queue import NewPod, PodPlan, QueuedPod, pod_plans
from kubectl_fairshare.schedulers.pod_replay import PodCourse

AnyAttempt = CycleAttempt[Any, Any, Any]


class PluginMotion(ABC):
    """A plugin, as a replay of single pods knows it; ``part`` is its part of a snapshot."""

    assumptions: Sequence[str] = ()
    rechecks: int | None = None
    part: ClassVar[type[Any]]
    default_scheduler: ClassVar[str]

    def __init__(self) -> None:
        self._source: Any = self.part()
        self._held: Mapping[str, Any] = {}
        self._waiting: Mapping[str, QueuedPod[Any]] = {}
        self._context = PodContext()
        self._state: Any = None
        self.presumed = ""

    @abstractmethod
    def presumed_node(self) -> Any:
        """A node on which everything fits."""

    @abstractmethod
    def pod_of(self, plan: PodPlan, priority: int, scheduler: str, queue: str) -> Any:
        """A pod of a job that names a queue."""

    @abstractmethod
    def state_now(self) -> Any:
        """The state of the pods."""

    @abstractmethod
    def attempt(self, pod: Any, demand: NodeDemand | None) -> AnyAttempt:
        """The cycle of a pod."""

    @abstractmethod
    def gaps(self, attempt: AnyAttempt) -> Iterable[Gap]:
        """What of a cycle is not modelled."""

    @abstractmethod
    def ties(self, attempt: AnyAttempt) -> Iterable[Gap]:
        """A gap if other pods may leave for the pod, as equal ones have no order."""

    @abstractmethod
    def rule(self, fate: Any) -> str:
        """Why a victim leaves."""

    @property
    def nodes(self) -> Collection[str]:
        """The names of the nodes."""
        names: Collection[str] = self._source.nodes.keys()
        return names

    def open(self, snapshot: Snapshot) -> None:
        """Quotas and nodes are those of the snapshot; without nodes, one on which everything fits is presumed."""
        self._source, self._context = snapshot.part(self.part), snapshot.part(PodContext)
        self.presumed = ""
        if not self._source.nodes:
            node = self.presumed_node()
            self.presumed = node.name
            self._source = replace(self._source, nodes={node.name: node})

    def changed(self, held: Mapping[str, Any], waiting: Mapping[str, QueuedPod[Any]]) -> None:
        """Reads the pods when they are next asked about."""
        self._held, self._waiting, self._state = held, waiting, None

    @property
    def state(self) -> Any:
        """The state now. Raises ``FairshareError`` for quotas of which no state can be made."""
        if self._state is None:
            self._state = self.state_now()
        return self._state

    def new_pods(self, job: TracedJob) -> Iterator[NewPod[Any]]:
        """The pods of a job. A PriorityClass has the value that it has here; one that is not here, the job's own."""
        priority = self._context.submitted_priority(job.priority_class, job.priority)
        scheduler = self._source.profiles[0] if self._source.profiles else self.default_scheduler
        for plan in pod_plans(job, self._context):
            pod = self.pod_of(plan, priority, scheduler, job.queue)
            yield NewPod(plan.unit, pod, priority, plan.demand, (priority, job.queue, plan.shape))

    def tried(self, new: NewPod[Any], pod: Any) -> PodCourse:
        """The cycle of a pod."""
        attempt = self.attempt(pod, new.demand)
        gaps = [replace(gap, places=()) for gap in self.gaps(attempt) if gap.touches]
        rejected = not attempt.gate.admits
        if attempt.course is CycleEnd.SCHEDULABLE:
            among = 1 if pod.nominated else len(attempt.feasible)
            return PodCourse(attempt.feasible[0], among=among, gaps=gaps)
        if attempt.course is CycleEnd.PREEMPT and attempt.chosen is not None:
            victims = [(fate.pod.uid, self.rule(fate)) for fate in attempt.chosen.victims]
            gaps += self.ties(attempt)
            return PodCourse(attempt.chosen.node, victims, len(attempt.preempted_on), rejected, gaps)
        return PodCourse(by_quota=rejected, gaps=gaps)

    def leaving(self, pod: Any) -> Any:
        """The pod as one that is being deleted."""
        return replace(pod, terminating=True)
