"""The work of a snapshot for forecasts, where a scheduler places pods one by one: all pods, by their jobs.

The pods of a Job are one job, every other pod is one of its own. What is made again whenever it ends runs on for ever.
Tested in ``tests/unit/policy/forecast/test_pod_plays.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.pod_owners import PodOwners, is_made_again
from kubectl_fairshare.jobs.pod_times import PodTimes, owner_of, pod_times
from kubectl_fairshare.jobs.stated_limits import stated_limits
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.adoption import Adoption, StandingJob, WorkChange, distinct, further_pods
from kubectl_fairshare.schedulers.pod_advancing import pod_changes
from kubectl_fairshare.schedulers.pod_queue import AnyPod, NewPod
from kubectl_fairshare.schedulers.pod_replay import PodMotion, PodReplay, PodsAtWork, WaitingPod
from kubectl_fairshare.schedulers.pod_standing import PodManifests
from kubectl_fairshare.schedulers.replay import ReplayTerms


class PodFacts(Protocol[AnyPod]):
    """What a house says of its own pods and of its scheduler."""

    def pods(self) -> Sequence[AnyPod]:
        """All pods that have not ended."""

    def motion(self) -> PodMotion[AnyPod]:
        """The scheduler, for one replay."""

    def is_leaving(self, pod: AnyPod) -> bool:
        """Whether it is being deleted."""

    def refusal(self, pod: AnyPod) -> str:
        """Why the scheduler does not try a pod that waits; empty if it does."""

    def new_pod(self, pod: AnyPod) -> NewPod[AnyPod]:
        """The pod as one that waits."""

    def history(self) -> Sequence[TracedJob]:
        """The jobs of the snapshot, as a trace has them."""

    def gaps(self) -> Sequence[Gap]:
        """What the snapshot leaves in doubt."""


class _Standing(NamedTuple):
    """A pod with its manifest and its moments."""

    pod: Any
    manifest: Manifest
    times: PodTimes


def pod_adoption(
    snapshot: Snapshot,
    now: int,
    facts: PodFacts[AnyPod],
    new: Sequence[StandingJob] = (),
    more: Sequence[WaitingPod[AnyPod]] = (),
) -> Adoption:
    """The work of the snapshot ``now``, and ``new`` jobs, whose pods are ``more``.

    Raises ``FairshareError`` for what cannot be read.
    """
    return _taken_over(snapshot, now, facts, new, more, {})


def _taken_over(
    snapshot: Snapshot,
    now: int,
    facts: PodFacts[AnyPod],
    new: Sequence[StandingJob],
    more: Sequence[WaitingPod[AnyPod]],
    changed: Mapping[ObjectKey, Any],
) -> Adoption:
    """The same with some pods ``changed``; None: without that pod."""
    manifests = snapshot.manifests
    objects = PodManifests(manifests)
    known: Sequence[Any] = facts.pods()
    pods = [pod for each in known if (pod := changed.get(each.key, each)) is not None]
    every = [_Standing(pod, manifests[pod.key], pod_times(manifests[pod.key])) for pod in pods]
    by_job: dict[ObjectKey, list[_Standing]] = {}
    for each in every:
        if not facts.is_leaving(each.pod):
            by_job.setdefault(owner_of(each.manifest, "Job") or each.pod.key, []).append(each)
    counts = {key: len(members) for key, members in by_job.items()}
    work = _Work(facts, objects.owners, manifests, now)
    jobs = [work.job(key, members) for key, members in sorted(by_job.items())]
    placed = tuple((facts.new_pod(each.pod), each.pod, work.since(each)) for each in every if work.runs(each))
    waiting = (*(work.queued(each, objects) for each in every if work.waits(each)), *more)
    leaving = tuple(each.pod for each in every if facts.is_leaving(each.pod) and each.pod.node)
    at_work = PodsAtWork(placed, waiting, leaving)

    def replay(terms: ReplayTerms) -> PodReplay[AnyPod]:
        found = PodReplay(facts.motion(), snapshot, terms)
        found.adopt(at_work, terms.start)
        return found

    standing = tuple(sorted(distinct((*jobs, *new)), key=lambda each: (each.job.created, each.job.key)))

    def changes(name: str) -> Iterable[WorkChange]:
        asked = next((each for each in standing if each.job.key == name and not each.since), None)
        units = () if asked is None else asked.units
        there = {each.pod.name: each.pod for each in every if work.waits(each)}
        meant = [there[unit] for unit in units if unit in there]
        return pod_changes(meant, manifests, partial(_taken_over, snapshot, now, facts, new, more))

    return Adoption(
        jobs=standing,
        replay=replay,
        subjects=objects.subjects(()),
        owners=work.owners,
        gaps=(*facts.gaps(), *further_pods(counts, manifests)),
        changes=changes,
    )


class _Work(Generic[AnyPod]):
    """How pods become jobs."""

    def __init__(
        self, facts: PodFacts[AnyPod], owners: PodOwners, manifests: Mapping[ObjectKey, Manifest], now: int
    ) -> None:
        self._facts, self._above, self._manifests, self._now = facts, owners, manifests, now
        self._traced = {job.key: job for job in facts.history()}
        self._motion = facts.motion()
        roots = {key: owners.root(key) for key in manifests if key.kind == "Job"}
        self.owners = {f"{key.namespace}/{key.name}": _named(root) for key, root in roots.items() if root != key}

    def runs(self, each: _Standing) -> bool:
        """Whether a pod has a node and is not being deleted."""
        return bool(each.pod.node) and not self._facts.is_leaving(each.pod)

    def waits(self, each: _Standing) -> bool:
        """Whether the scheduler tries a pod."""
        return not each.pod.node and not self._facts.is_leaving(each.pod) and not self._facts.refusal(each.pod)

    def since(self, each: _Standing) -> int:
        """When a pod began to run; now, where nothing says when."""
        bound = each.times.bound if each.pod.started is None else each.pod.started
        return self._now if bound is None else min(bound, self._now)

    def queued(self, each: _Standing, objects: PodManifests) -> WaitingPod[AnyPod]:
        """A pod that waits, since its creation."""
        record = objects.record(each.pod.key)
        tried = record is not None and bool(record.unscheduled)
        created = self._now if each.times.created is None else min(each.times.created, self._now)
        return WaitingPod(self._facts.new_pod(each.pod), each.pod, created, tried)

    def job(self, key: ObjectKey, members: Sequence[_Standing]) -> StandingJob:
        """The pods of one Job, or one pod."""
        first, running = members[0], [each for each in members if self.runs(each)]
        keys = tuple(dict.fromkeys((key, *(each.pod.key for each in members))))
        refusals = [self._facts.refusal(each.pod) for each in members if not each.pod.node]
        queue = self._motion.holding(first.pod).queue
        return StandingJob(
            job=self._traced_job(key, members),
            keys=keys,
            units=tuple(each.pod.name for each in members),
            queue=queue,
            group="",
            since={each.pod.name: self.since(each) for each in running},
            refused=next(filter(None, refusals), ""),
            owner=self.owners.get(f"{key.namespace}/{key.name}", ""),
            limits=stated_limits(self._manifests[each] for each in keys if each in self._manifests),
            lasting=is_made_again(first.manifest),
        )

    def _traced_job(self, key: ObjectKey, members: Sequence[_Standing]) -> TracedJob:
        name = f"{key.namespace}/{key.name}"
        known = self._traced.get(name)
        amounts: dict[tuple[tuple[str, int], ...], int] = {}
        for each in members:
            held = self._motion.holding(each.pod).used
            requests = tuple(sorted((resource, amount) for (_, resource), amount in held.items()))
            amounts[requests] = amounts.get(requests, 0) + 1
        sets = [TracedPods(f"pods-{n}", count, dict(each)) for n, (each, count) in enumerate(amounts.items())]
        created = [each.times.created for each in members if each.times.created is not None]
        return TracedJob(
            key.name,
            key.namespace,
            "" if known is None else known.queue,
            min(created, default=self._now),
            tuple(sets),
            max(each.pod.priority for each in members),
        )


def _named(root: ObjectKey) -> str:
    return f"{root.kind} {root.namespace}/{root.name}"
