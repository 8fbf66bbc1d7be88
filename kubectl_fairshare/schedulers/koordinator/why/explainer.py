"""Why pods are where they are: the pods of a name, or all waiting pods."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import Final

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Note, notes_by_object
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.pod_owners import PodOwners
from kubectl_fairshare.jobs.pod_record import PodRecord, record_of
from kubectl_fairshare.jobs.pod_templates import CARRIERS, end_of
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.koordinator.explain.decision import QuestionOrigin
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.gaps import state_gaps
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.names import GROUP, KIND
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.gate import QuotaTest
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.risks import EvictionRisks
from kubectl_fairshare.schedulers.koordinator.why.verdict import HeldBy, Reason, Why, standing
from kubectl_fairshare.schedulers.subjects import Nameable, Subjects
from kubectl_fairshare.trace import Fact, Step

_POD: Final = ("", "Pod")
_OTHERS: Final = ((GROUP, KIND), ("", "Node"), ("policy", "PodDisruptionBudget"))


class Explainer:
    """Answers for the pods of one snapshot; ``now`` is the moment of the question, if known."""

    def __init__(self, snapshot: Snapshot, state: State, now: int | None) -> None:
        self._snapshot = snapshot
        self._state = state
        self._now = now
        self._live = {pod.key: pod for pod in state.source.pods}

    @cached_property
    def _owners(self) -> PodOwners:
        return PodOwners(self._snapshot.manifests)

    @cached_property
    def _risks(self) -> EvictionRisks:
        return EvictionRisks(self._state)

    @cached_property
    def _events(self) -> Mapping[ObjectKey, tuple[Note, ...]]:
        return notes_by_object(self._snapshot.manifests.values())

    @cached_property
    def _queues(self) -> Mapping[str, Sequence[Pod]]:
        """The waiting pods of each scheduler, by its name; the highest priority first."""
        queues: dict[str, list[Pod]] = {}
        for pod in sorted(self._live.values(), key=lambda p: (-p.priority, p.key)):
            if not pod.node and not pod.gated:
                queues.setdefault(pod.scheduler, []).append(pod)
        return queues

    @property
    def subjects(self) -> Subjects:
        """The objects that a name can mean: pods, and the owners of pods."""
        carriers = {key for key in self._snapshot.manifests if (key.group, key.kind) in CARRIERS}
        pods = {key for key in self._snapshot.manifests if (key.group, key.kind) == _POD}
        keys = {*carriers, *pods, *(k for k in self._owners.makers() if self._owners.pods(k))}
        kinds = frozenset({_POD, *CARRIERS, *((key.group, key.kind) for key in keys)})
        return Subjects(tuple(sorted(keys)), kinds, _OTHERS, self._owners.pods)

    def about(self, subject: Nameable) -> list[Why]:
        """Why the pods of an object are where they are: the waiting ones, or else the running ones."""
        job = None if subject.key in subject.workloads else subject.key
        live = [self._live[key] for key in subject.workloads if key in self._live]
        whys = [self._of_waiting(alike, job) for alike in self._alike(pod for pod in live if not pod.node)]
        whys = whys or [self._of_placed(alike, job) for alike in self._alike(live)]
        return whys or [self._of_none(subject)]

    def waiting(self, namespace: str | None) -> Iterator[Why]:
        """Every waiting pod, with equal pods of a job in one answer."""
        by_job: dict[ObjectKey, list[Pod]] = {}
        profiles = self._state.source.profiles
        for key, pod in self._live.items():
            mine = profiles is None or pod.scheduler in profiles
            if not pod.node and namespace in (None, key.namespace) and mine:
                by_job.setdefault(self._owners.root(key), []).append(pod)
        for job, pods in by_job.items():
            for alike in self._alike(pods):
                yield self._of_waiting(alike, None if job == alike[0].key else job, briefly=True)

    def _history(self, key: ObjectKey) -> PodRecord | None:
        manifest = self._snapshot.manifests.get(key)
        return None if manifest is None else record_of(manifest, self._events.get(key, ()))

    def _of_waiting(self, alike: list[Pod], job: ObjectKey | None, *, briefly: bool = False) -> Why:
        pod, state = alike[0], self._state
        history = self._history(pod.key)
        written = None if history is None else history.unscheduled
        found = plan(state, pod, None, QuestionOrigin(Place(pod.key), exists=True), remedied=not briefly)
        verdict, reason = standing(found, state.source.profiles, recorded=written is not None)
        rivals = self._queues.get(pod.scheduler, ())
        gates = self._gates(pod.key) if pod.gated else ()
        return Why(
            verdict,
            reason,
            (*(Fact(place, name) for place, name in gates), *_facts(found.proof)),
            found.fidelity,
            pod=pod,
            key=pod.key,
            job=job,
            quota=found.attempt.gate.quota,
            alike=tuple(p.key for p in alike[1:]),
            plan=found,
            held=() if briefly else holders(state, found.attempt.gate.refusal),
            ahead=tuple(takewhile(lambda other: other.priority > pod.priority, rivals)),
            rivals=len(rivals),
            watched=state.source.arguments.monitors_all,
            gates=tuple(name for _, name in gates),
            history=history,
            since=None if history is None else (written.moment if written is not None else None) or history.created,
            now=self._now,
        )

    def _gates(self, key: ObjectKey) -> tuple[tuple[Place, str], ...]:
        spec = root_of(self._snapshot.manifests[key]).at("spec")
        return tuple((gate.place, gate.at("name").text()) for gate in spec.at("schedulingGates").entries())

    def _of_placed(self, alike: list[Pod], job: ObjectKey | None) -> Why:
        pod, state = alike[0], self._state
        quota, history = state.quota_of[pod.key].quota, self._history(pod.key)
        risk, fidelity = self._risks.of(pod), state_gaps(state)
        return Why(
            Verdict.RUNNING,
            Reason.LEAVING if pod.leaving else Reason.PLACED,
            (Fact(Place(pod.key, ("spec", "nodeName")), pod.node),),
            fidelity if risk.defined else replace(fidelity, outcomes=2),
            pod=pod,
            key=pod.key,
            job=job,
            quota=quota,
            alike=tuple(p.key for p in alike[1:]),
            risk=risk,
            watched=state.source.arguments.monitors_all,
            history=history,
            since=pod.started,
            now=self._now,
        )

    def _alike(self, pods: Iterable[Pod]) -> list[list[Pod]]:
        """The pods in groups with equal inputs to every decision, in order."""
        groups: dict[Hashable, list[Pod]] = {}
        for pod in pods:
            risk = self._risks.of(pod).likeness if pod.node else None
            key = _likeness(pod, self._state), self._state.source.demands.get(pod.key), risk
            groups.setdefault(key, []).append(pod)
        return list(groups.values())

    def _of_none(self, subject: Nameable) -> Why:
        """An object without a waiting or running pod: its pods have ended, it is suspended, or it wants none."""
        key, manifests = subject.key, self._snapshot.manifests
        if key in subject.workloads or subject.workloads:
            last = subject.workloads[-1]
            phase = root_of(manifests[last]).at("status", "phase")
            fact = Fact(phase.place, phase.text())
            return self._without_pod(Verdict.FINISHED, Reason.FINISHED, fact, last, None if last == key else key)
        manifest = manifests.get(key)
        suspend = None if manifest is None else root_of(manifest).at("spec", "suspend")
        if suspend is not None and suspend.flag():
            return self._without_pod(Verdict.WAITING, Reason.SUSPENDED, Fact(suspend.place, value=True), None, key)
        end = None if manifest is None else end_of(manifest)
        if end is not None:
            return self._without_pod(Verdict.FINISHED, Reason.FINISHED, end, None, key)
        return self._without_pod(Verdict.WAITING, Reason.NO_PODS, Fact(Place(key), None), None, key)

    def _without_pod(
        self, verdict: Verdict, reason: Reason, fact: Fact, key: ObjectKey | None, job: ObjectKey | None
    ) -> Why:
        history = None if key is None else self._history(key)
        since = None if history is None else history.started
        gaps = state_gaps(self._state)
        return Why(verdict, reason, (fact,), gaps, key=key, job=job, history=history, since=since, now=self._now)


def holders(state: State, refusal: QuotaTest | None) -> tuple[HeldBy, ...]:
    """The pods that hold what the failing test lacks, largest first.

    These are the pods of the quota that the test is about, and of those below it, and the pods of its siblings that use
    more than their min, as the surplus went to them. Only pods that are not preemptible count against min, and siblings
    do not.
    """
    if refusal is None or refusal.quota not in state.tree_of:
        return ()
    tree = state.figures(refusal.quota).tree
    parent = tree.quotas[refusal.quota].parent
    own = _subtree(state, refusal.quota)
    firm = refusal.law is Law.OVER_MIN
    found = []
    for resource in refusal.exceeded:
        beside = [q for q in tree.children.get(parent, ()) if q != refusal.quota and _borrows(state, q, resource)]
        around = set() if firm else {q for sibling in beside for q in _subtree(state, sibling)}
        for pod in (each for each in state.source.pods if not (firm and each.preemptible)):
            quota = state.quota_of[pod.key].quota
            amount = whole(resource, pod.charged.get(resource, 0))
            if pod.node and amount > 0 and quota in {*own, *around} and resource in state.quotas[quota].max:
                found.append(HeldBy(pod, quota, resource, amount, quota in around))
    return tuple(sorted(found, key=lambda h: (h.resource, h.borrows, -h.amount, h.pod.key)))


def _subtree(state: State, quota: str) -> set[str]:
    children, names = state.figures(quota).tree.children, [quota]
    for name in names:
        names += children.get(name, ())
    return set(names)


def _borrows(state: State, quota: str, resource: str) -> bool:
    return state.sums(quota).used.get(resource, 0) > state.quotas[quota].min.get(resource, 0)


def _facts(steps: Iterable[Step]) -> tuple[Fact, ...]:
    """The fields that the steps rest on, each once."""
    return tuple(dict.fromkeys(part for step in steps for part in step.rests_on if isinstance(part, Fact)))


def _likeness(pod: Pod, state: State) -> Hashable:
    amounts = tuple(tuple(sorted(each.items())) for each in (pod.charged, pod.request))
    where = (pod.namespace, pod.node, pod.nominated, pod.scheduler, state.quota_of[pod.key])
    return where, amounts, pod.priority, pod.preempts, pod.preemptible, pod.gated, pod.leaving, pod.unmodelled
