"""Why pods are where they are: the pods of a name, or all waiting pods, in the turns of their scheduler.

Decides nothing: the plugin's own cycle decides each turn.
Tested in ``tests/unit/schedulers/elasticquota/why/test_explainer.py`` and ``tests/unit/schedulers/koordinator``.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, NamedTuple

from kubectl_fairshare.answers.fidelity import Fidelity, untried_gaps
from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.requests import POD_LAW, RequestLaw
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kubescheduler.creation import MissingPods, UncreatedPods
from kubectl_fairshare.schedulers.kubescheduler.plan import AskedPod
from kubectl_fairshare.schedulers.kubescheduler.standing import standing_of
from kubectl_fairshare.schedulers.kubescheduler.why import AnyPodWhy as AnyWhy
from kubectl_fairshare.schedulers.kubescheduler.why import why_missing, why_none, why_unread
from kubectl_fairshare.schedulers.pod_standing import NoPod, PodManifests, PodStatements, groups_of
from kubectl_fairshare.schedulers.question import PodOrigin, WhyQuestion
from kubectl_fairshare.schedulers.subjects import Nameable, Subjects
from kubectl_fairshare.schedulers.turns.attempts import TurnRules
from kubectl_fairshare.schedulers.turns.line import PodLines, QueueEntry
from kubectl_fairshare.schedulers.turns.newcomers import PodTakers
from kubectl_fairshare.schedulers.turns.plans import TurnPlans, Wanted
from kubectl_fairshare.trace import Fact, facts_of

PodTurnPlans = TurnPlans[Any, Any, Any, Any]
Fields = Mapping[str, Any]
"""Fields of an answer that only one plugin has."""


class PodsOnNodes(NamedTuple):
    """What a plugin says of pods on nodes: what decides next to their shape, the fidelity, and its own fields.

    The fields are those of a pod that these may preempt.
    """

    likeness: Callable[[Any], Hashable]
    fidelity: Callable[[Any], Fidelity]
    own: Callable[[Any, Preemptors], Fields]


class PluginReasons(NamedTuple, Generic[AnyWhy]):
    """What a plugin says of pods: ``why`` is its answer, ``reasons`` are those that it gives.

    ``reason`` is that of a plan as far as it is modelled. ``plan`` is in brief for a list. ``own`` are its
    fields of a waiting pod, of all pods' state, the plan, and whether it is for a list; ``own_missing`` those of pods
    that are not created. ``is_listed``: a waiting pod is in the list of all. ``others`` are kinds that a name cannot
    mean; ``law`` adds up the requests of a pod.
    """

    why: type[AnyWhy]
    reasons: type[StrEnum]
    turns: TurnRules[Any, Any, Any]
    plan: Callable[[Any, Any, PodOrigin, bool], Any]
    plan_next: Callable[[AskedPod[Any]], Any]
    origins: Callable[[Snapshot], Callable[[ObjectKey], PodOrigin]]
    next_pods: Callable[[Snapshot], Callable[[Manifest], AskedPod[Any]]]
    reason: Callable[[Any], StrEnum]
    gaps: Callable[[Any], Fidelity]
    takers: Callable[[Any, PreemptorNumbers, Iterable[Any]], PodTakers]
    placed: Callable[["PodExplainer[Any]"], PodsOnNodes]
    own: Callable[[Any, Any, bool], Fields]
    own_missing: Callable[[Any], Fields]
    is_listed: Callable[[Any, Any], bool]
    others: tuple[tuple[str, str], ...]
    law: RequestLaw = POD_LAW


class PodExplainer(Generic[AnyWhy]):
    """Answers for the pods of one snapshot; ``now`` is the moment of the question, if known."""

    def __init__(self, plugin: PluginReasons[AnyWhy], snapshot: Snapshot, state: Any, now: int | None) -> None:
        self._plugin, self._snapshot, self.state, self._now = plugin, snapshot, state, now
        self._objects = PodManifests(snapshot.manifests)
        self._live_pods: Mapping[ObjectKey, Any] = {pod.key: pod for pod in state.source.pods}

    @cached_property
    def lines(self) -> PodLines[Any]:
        """The waiting pods of each scheduler, as it tries them."""
        pods, new = self.state.source.pods, self._uncreated.pods
        waiting = (pod for pod in pods if not (pod.node or pod.gated or pod.terminating) and pod.key not in new)
        return PodLines(waiting, self._queued, known=self.state.source.profiles is not None)

    def _queued(self, pod: Any) -> QueueEntry:
        return self._objects.queued(pod.key, pod.scheduler, self.state.source.profiles)

    @property
    def subjects(self) -> Subjects:
        """The objects that a name can mean: pods, and the owners of pods."""
        return self._objects.subjects(self._plugin.others)

    @cached_property
    def statements(self) -> PodStatements:
        """What manifests say of the pods."""
        return PodStatements(self._snapshot, self._objects.owners, self.state.source.unread, self._plugin.law)

    @cached_property
    def in_turn(self) -> PodTurnPlans:
        """The plans of all waiting pods, in brief."""
        return self._plans(None)

    def _plans(self, wanted: Wanted | None) -> PodTurnPlans:
        """The plans of the waiting pods, each in its turn: in full for the ``wanted`` ones, in brief for all."""

        def planned(at: Any, pod: Any) -> Any:
            return self._plugin.plan(at, pod, self._origin(pod.key), wanted is None)

        return TurnPlans(self._plugin.turns, self.state, self.lines.tried, planned, wanted)

    @cached_property
    def _origin(self) -> Callable[[ObjectKey], PodOrigin]:
        return self._plugin.origins(self._snapshot)

    @cached_property
    def _next_pod(self) -> Callable[[Manifest], AskedPod[Any]]:
        return self._plugin.next_pods(self._snapshot)

    @cached_property
    def _uncreated(self) -> UncreatedPods:
        return UncreatedPods(self._snapshot, self._objects, self._live_pods, self.state.source.unread)

    def asked(self, question: WhyQuestion) -> Iterator[AnyWhy]:
        """The pods that the question names; all waiting ones if it names none. Raises ``UsageError`` for a name."""
        if not question.names:
            yield from (why for why in self.waiting(question.namespace) if question.picks(why.key or why.job))
            return
        named = self.subjects.named(question.names, question.namespace or "", anywhere=question.anywhere)
        yield from self.about(tuple(named))

    def about(self, subjects: Sequence[Nameable]) -> Iterator[AnyWhy]:
        """Why the pods of objects are where they are: the waiting or missing ones, otherwise the running ones.

        The turns of all that waits are taken once, for all objects.
        """
        wanted = {pod.key: each.key for each in subjects for pod in self._live(each) if not pod.node}
        turns = self._plans(wanted) if wanted else None
        for subject in subjects:
            yield from self._about(subject, turns)

    def _live(self, subject: Nameable) -> list[Any]:
        new = self._uncreated.pods
        return [self._live_pods[key] for key in subject.workloads if key in self._live_pods and key not in new]

    def _about(self, subject: Nameable, turns: PodTurnPlans | None) -> list[AnyWhy]:
        job = None if subject.key in subject.workloads else subject.key
        new, live, whys = self._uncreated.pods, self._live(subject), list[AnyWhy]()
        waiting = [pod for pod in live if not pod.node]
        if turns is not None:
            groups = turns.turns.groups(waiting)
            whys = [self._of_waiting(each, job, turns, briefly=False) for each in groups]
        whys += [self._of_missing(new[key]) for key in subject.workloads if key in new]
        missing = None if job is None else self._uncreated.of(job)
        whys += [] if missing is None else [self._of_missing(missing)]
        whys = whys or [*self._of_placed(live, job)]
        return whys or [self._of_none(self._objects.without_pod(subject))]

    def waiting(self, namespace: str | None) -> Iterator[AnyWhy]:
        """Every waiting pod, with equal pods of a job in one answer, and every pod that is not created."""
        by_job: dict[ObjectKey, list[Any]] = {}
        new = list[MissingPods]()
        for key, pod in self._live_pods.items():
            if pod.node or namespace not in (None, key.namespace) or not self._plugin.is_listed(self.state, pod):
                continue
            if key in self._uncreated.pods:
                new.append(self._uncreated.pods[key])
            else:
                by_job.setdefault(self._objects.owners.root(key), []).append(pod)
        for job, pods in by_job.items():
            for alike in self.in_turn.turns.groups(pods):
                own = None if job == alike[0].key else job
                yield self._of_waiting(alike, own, self.in_turn, briefly=True)
        yield from map(self._of_missing, (*new, *self._uncreated.all(namespace)))

    def _of_waiting(self, alike: list[Any], job: ObjectKey | None, turns: PodTurnPlans, *, briefly: bool) -> AnyWhy:
        """Why a pod waits, with those that are ``alike``."""
        pod = alike[0]
        record = self._objects.record(pod.key)
        written = None if record is None else record.unscheduled
        found, state = turns.of(pod)
        reason = self._plugin.reason(found)
        verdict, reason = standing_of(found, reason, state.source.profiles, recorded=written is not None)
        line = self.lines.of(pod)
        gates = self._objects.gates(pod.key) if pod.gated else ()
        return self._plugin.why(
            verdict,
            reason,
            (*gates, *facts_of(found.proof)),
            found.fidelity.with_gaps(turns.turns.gaps(pod)),
            pod=pod,
            key=pod.key,
            job=job,
            state=state,
            alike=tuple(p.key for p in alike[1:]),
            plan=found,
            ahead=tuple(line.ahead(pod)),
            equals=line.equals(pod),
            rivals=len(line.pods),
            before=turns.turns.before(pod),
            gates=tuple(str(gate.value) for gate in gates),
            record=record,
            since=None if record is None else (written.moment if written is not None else None) or record.created,
            now=self._now,
            **self._plugin.own(self.state, found, briefly),
        )

    def _of_placed(self, pods: Collection[Any], job: ObjectKey | None) -> Iterator[AnyWhy]:
        """Why pods are on their nodes, those with equal inputs to every decision and equal preemptors in one answer."""
        if not pods:
            return
        exposed, placed = self._plugin.takers(self.state, PreemptorNumbers(), pods), self._placed
        shape = self._plugin.turns.shape
        for alike in groups_of(pods, lambda p: (shape(self.state, p), placed.likeness(p), exposed.of[p.key])):
            pod = alike[0]
            yield self._plugin.why(
                Verdict.RUNNING,
                self._plugin.reasons["LEAVING" if pod.terminating else "PLACED"],
                (Fact(Place(pod.key, ("spec", "nodeName")), pod.node),),
                placed.fidelity(pod).with_gaps(untried_gaps(exposed.doubt)),
                pod=pod,
                key=pod.key,
                job=job,
                alike=tuple(p.key for p in alike[1:]),
                record=self._objects.record(pod.key),
                since=pod.started,
                now=self._now,
                **placed.own(pod, exposed.of[pod.key]),
            )

    @cached_property
    def _placed(self) -> PodsOnNodes:
        return self._plugin.placed(self)

    def _of_missing(self, missing: MissingPods) -> AnyWhy:
        """The pods of a job that are not created, because ResourceQuotas reject them."""
        plugin = self._plugin
        try:
            asked = self._next_pod(self._snapshot.manifests[missing.job])
        except FairshareError as error:
            reason = plugin.reasons["NOT_MODELLED"]
            return why_unread(plugin.why, missing, reason, error, plugin.gaps(self.state), self._now)
        planned = plugin.plan_next(asked)
        found = why_missing(plugin.why, missing, plugin.reason(planned), planned, asked.state, self._now)
        return replace(found, **plugin.own_missing(planned))

    def _of_none(self, found: NoPod) -> AnyWhy:
        """An object without a waiting or running pod."""
        record = None if found.key is None else self._objects.record(found.key)
        plugin = self._plugin
        reason = plugin.reasons(found.reason.value)
        return why_none(plugin.why, found, reason, plugin.gaps(self.state), record, self._now)
