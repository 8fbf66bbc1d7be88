"""Why pods are where they are: the pods of a name, or all waiting pods, in the turns of their scheduler.

Decides nothing: the plugin's own cycle decides each turn.
Tested in ``tests/unit/schedulers/elasticquota/why/test_explainer.py`` and ``tests/unit/schedulers/koordinator``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from kubectl_fairshare.jobs.requests import POD_LAW, RequestLaw
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kubescheduler.creation import MissingPods, UncreatedPods
from kubectl_fairshare.schedulers.pod_standing import NoPod, PodManifests, PodStatements
from kubectl_fairshare.schedulers.question import WhyQuestion
from kubectl_fairshare.schedulers.subjects import Nameable, Subjects
from kubectl_fairshare.schedulers.turns.in_turn import PodOfScheduler
from kubectl_fairshare.schedulers.turns.line import PodLine, PodLines, QueueEntry
from kubectl_fairshare.schedulers.turns.plans import TurnPlans, Wanted


class ExplainedPod(PodOfScheduler, Protocol):
    """A pod that waits, or is on a node."""

    @property
    def node(self) -> str:
        """Its node; empty while it waits."""


Explained = TypeVar("Explained", bound=ExplainedPod)
AnyWhy = TypeVar("AnyWhy")
AnyWhy_co = TypeVar("AnyWhy_co", covariant=True)


class PodsToExplain(NamedTuple, Generic[Explained]):
    """The pods of a state by object, and those of them ``waiting`` that the scheduler tries.

    ``profiles`` are those with the plugin, None without a configuration; ``unread`` the kinds of which not all objects
    could be read. ``others`` are kinds that a name cannot mean; ``law`` adds up the requests of a pod.
    """

    live: Mapping[ObjectKey, Explained]
    waiting: Iterable[Explained]
    profiles: tuple[str, ...] | None
    unread: tuple[str, ...]
    others: tuple[tuple[str, str], ...]
    law: RequestLaw = POD_LAW


PodTurnPlans = TurnPlans[Any, Explained, Any, Any]


class WhyAnswers(Protocol[Explained, AnyWhy_co]):
    """What a scheduler says of pods."""

    def plans(self, line: PodLine[Explained], wanted: Wanted | None) -> PodTurnPlans[Explained]:
        """The plans of the waiting pods, each in its turn: in full for the ``wanted`` ones, in brief for all."""

    def is_listed(self, pod: Explained) -> bool:
        """Whether a waiting pod is in the list of all."""

    def of_waiting(
        self,
        alike: list[Explained],
        job: ObjectKey | None,
        turns: PodTurnPlans[Explained],
        *,
        briefly: bool,
    ) -> AnyWhy_co:
        """Why a pod waits, with those that are ``alike``."""

    def of_placed(self, pods: Collection[Explained], job: ObjectKey | None) -> Iterable[AnyWhy_co]:
        """Why pods are on their nodes."""

    def of_missing(self, missing: MissingPods) -> AnyWhy_co:
        """Why a job lacks pods."""

    def of_none(self, found: NoPod) -> AnyWhy_co:
        """An object without a waiting or running pod."""


class PodExplainer(Generic[Explained, AnyWhy]):
    """Answers for the pods of one snapshot, as ``answers`` gives them."""

    def __init__(
        self,
        snapshot: Snapshot,
        objects: PodManifests,
        pods: PodsToExplain[Explained],
        answers: WhyAnswers[Explained, AnyWhy],
    ) -> None:
        self._snapshot, self._objects, self._pods, self._answers = snapshot, objects, pods, answers

    @cached_property
    def lines(self) -> PodLines[Explained]:
        """The waiting pods of each scheduler, as it tries them."""
        created = (pod for pod in self._pods.waiting if pod.key not in self._uncreated.pods)
        return PodLines(created, self._queued, known=self._pods.profiles is not None)

    def _queued(self, pod: Explained) -> QueueEntry:
        return self._objects.queued(pod.key, pod.scheduler, self._pods.profiles)

    @property
    def subjects(self) -> Subjects:
        """The objects that a name can mean: pods, and the owners of pods."""
        return self._objects.subjects(self._pods.others)

    @cached_property
    def statements(self) -> PodStatements:
        """What manifests say of the pods."""
        return PodStatements(self._snapshot, self._objects.owners, self._pods.unread, self._pods.law)

    @cached_property
    def in_turn(self) -> PodTurnPlans[Explained]:
        """The plans of all waiting pods, in brief."""
        return self._answers.plans(self.lines.tried, None)

    @cached_property
    def _uncreated(self) -> UncreatedPods:
        return UncreatedPods(self._snapshot, self._objects, self._pods.live, self._pods.unread)

    def asked(self, question: WhyQuestion) -> Iterator[AnyWhy]:
        """The pods that the question names; all waiting ones if it names none. Raises ``UsageError`` for a name."""
        if not question.names:
            whys: Iterator[Any] = self.waiting(question.namespace)
            yield from (why for why in whys if question.picks(why.key or why.job))
            return
        named = self.subjects.named(question.names, question.namespace or "", anywhere=question.anywhere)
        yield from self.about(tuple(named))

    def about(self, subjects: Sequence[Nameable]) -> Iterator[AnyWhy]:
        """Why the pods of objects are where they are: the waiting or missing ones, otherwise the running ones.

        The turns of all that waits are taken once, for all objects.
        """
        wanted = {pod.key: each.key for each in subjects for pod in self._live(each) if not pod.node}
        turns = self._answers.plans(self.lines.tried, wanted) if wanted else None
        for subject in subjects:
            yield from self._about(subject, turns)

    def _live(self, subject: Nameable) -> list[Explained]:
        new = self._uncreated.pods
        return [self._pods.live[key] for key in subject.workloads if key in self._pods.live and key not in new]

    def _about(self, subject: Nameable, turns: PodTurnPlans[Explained] | None) -> list[AnyWhy]:
        job = None if subject.key in subject.workloads else subject.key
        new, live, whys = self._uncreated.pods, self._live(subject), list[AnyWhy]()
        waiting = [pod for pod in live if not pod.node]
        if turns is not None:
            groups = turns.turns.groups(waiting)
            whys = [self._answers.of_waiting(each, job, turns, briefly=False) for each in groups]
        whys += [self._answers.of_missing(new[key]) for key in subject.workloads if key in new]
        missing = None if job is None else self._uncreated.of(job)
        whys += [] if missing is None else [self._answers.of_missing(missing)]
        whys = whys or [*self._answers.of_placed(live, job)]
        return whys or [self._answers.of_none(self._objects.without_pod(subject))]

    def waiting(self, namespace: str | None) -> Iterator[AnyWhy]:
        """Every waiting pod, with equal pods of a job in one answer, and every pod that is not created."""
        by_job: dict[ObjectKey, list[Explained]] = {}
        new = list[MissingPods]()
        for key, pod in self._pods.live.items():
            if pod.node or namespace not in (None, key.namespace) or not self._answers.is_listed(pod):
                continue
            if key in self._uncreated.pods:
                new.append(self._uncreated.pods[key])
            else:
                by_job.setdefault(self._objects.owners.root(key), []).append(pod)
        for job, pods in by_job.items():
            for alike in self.in_turn.turns.groups(pods):
                own = None if job == alike[0].key else job
                yield self._answers.of_waiting(alike, own, self.in_turn, briefly=True)
        yield from map(self._answers.of_missing, (*new, *self._uncreated.all(namespace)))
