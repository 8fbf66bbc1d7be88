"""The queues that may preempt running jobs: those of which a newcomer of some size and priority takes pods of them.

First all queues whose standing makes a job a candidate; then newcomers of them are planned, gangs and single pods.
Where that takes too long, or no newcomer of a queue is found, the queue stays, and the answer says so.
Tested in ``tests/unit/schedulers/kai/reclaim/test_exposures.py`` and ``tests/property/exact/test_kai_preemptors.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.explain.preemptors.candidacies import RULES, Newcomers, are_many
from kubectl_fairshare.schedulers.kai.explain.victims import laws_of_victims
from kubectl_fairshare.schedulers.kai.jobs.groups import submission_of, with_submission
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import DEFAULT_SCHEDULER, RESOURCES, UNLIMITED, Resources
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import room_of
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError

MANY: Final = "there are too many newcomers to try: some of the queues may not get that far"
UNFOUND: Final = "no newcomer of some of the queues was found that gets that far"
_UNDIVIDED: Final = (
    "fair shares are not divided again for a newcomer of each queue, as there are so many next to each other"
)
Taking: TypeAlias = tuple[str, Law]
"""A running job, by name, and the law by which a newcomer takes pods of it."""
_MOST_STEPS: Final = 90_000
"""Pods of newcomers that are planned, times the square of the session's objects and the jobs that wait: seconds."""
_PREEMPTIBLE: Final = 100
"""Jobs of a lower priority are preemptible."""
CLASSES: Final = {"newcomer-preemptible": _PREEMPTIBLE - 1, "newcomer-high": 1_000_000_000}
"""PriorityClasses that newcomers may have besides those of the input: one can make them."""
_NAMES: Final = ("cpu", "memory", "nvidia.com/gpu")
_NAME: Final = "newcomer"
_MOST_GPUS: Final = 8


class JobTakers(NamedTuple):
    """Who may preempt each job. ``doubt`` is why some of them may not get that far, in a clause.

    ``newcomers`` are jobs of each queue that do it, where one was found.
    """

    of: Mapping[str, Preemptors]
    doubt: str = ""
    newcomers: Mapping[tuple[str, str, Law], Manifest] = {}


def takers(session: Session, numbers: PreemptorNumbers, jobs: Iterable[Job]) -> JobTakers:
    """Who may preempt each of the jobs, which hold nodes."""
    asked = {job.name: job for job in jobs}
    able = [job for job in asked.values() if job.known and job.preemptible]
    candidates = Newcomers(session, numbers)
    sides = {queue: candidates.taking_from(queue) for queue in sorted({job.queue for job in able})}
    trials = _Trials(session, asked)
    known = {job.name: (_own(job.queue), *sides[job.queue]) for job in able}
    wanted: dict[str, set[str]] = {}
    for name, each in ((name, each) for name, found in known.items() for each in found):
        wanted.setdefault(each.queue, set()).add(name)
    for queue in sorted(wanted):
        trials.run(queue, wanted[queue])
    of = {name: numbers.set_of(trials.named(name, known.get(name, ()))) for name in asked}
    if trials.doubts and are_many(standing.queue for standing in session.standings.values()):
        trials.doubts.add(_UNDIVIDED)
    return JobTakers(of, "; ".join(sorted(trials.doubts)), trials.newcomers)


def _own(queue: str) -> PossiblePreemptor:
    return PossiblePreemptor(queue, str(Law.IN_QUEUE_PRIORITY), RULES[Law.IN_QUEUE_PRIORITY])


def held_by(job: Job) -> Resources:
    """What the pods of a job hold."""
    totals = [task.accepted.total for task in job.active]
    return Resources(*(sum(total[r] for total in totals) for r in range(len(RESOURCES))))


def left_below(session: Session, job: Job) -> Iterator[tuple[int, float]]:
    """How far its queue is below its deserved quota once the job has left, by resource, where it holds more now."""
    holding = held_by(job)
    for r in range(len(RESOURCES)) if job.known else ():
        standing = session.standings[job.queue]
        quota, held = standing.queue.quota[r], standing.allocated[r]
        if quota != UNLIMITED and held > quota > held - holding[r]:
            yield r, quota - held + holding[r]


class _Trials:
    """The newcomers that are planned about one session."""

    def __init__(self, session: Session, jobs: Mapping[str, Job]) -> None:
        priorities = session.state.priorities
        known = replace(priorities, values={**CLASSES, **priorities.values})
        self._state = replace(session.state, priorities=known)
        self._session, self._jobs = session, jobs
        objects = len(session.nodes) + len(session.standings) + len(session.state.pods)
        waiting = sum(job.pending for job in session.jobs.values())  # a newcomer is planned among them
        self._pods_left = _MOST_STEPS // (max(1, objects) ** 2 * max(1, waiting))
        self._idle = dict(room_of(session).by_node)
        self.doubts: set[str] = set()
        self.newcomers: dict[tuple[str, str, Law], Manifest] = {}

    def run(self, queue: str, wanted: set[str]) -> None:
        """Plans newcomers of a queue until they take all jobs that are wanted, or no other is left to try."""
        left = {*wanted}
        for count, manifest in self._manifests(queue, left):
            if not left:
                break
            self._pods_left -= count
            if self._pods_left < 0:
                break
            for name, law in self._taken(manifest):
                if name in wanted:
                    self.newcomers.setdefault((queue, name, law), manifest)
                left.discard(name)
        if left:
            self.doubts.add(MANY if self._pods_left < 0 else UNFOUND)

    def named(self, job: str, candidates: Iterable[PossiblePreemptor]) -> Iterator[PossiblePreemptor]:
        """The queues by the laws by which newcomers take the job, and by those of a candidate where none does."""
        for each in candidates:
            laws = [law for law in RULES if (each.queue, job, law) in self.newcomers]
            yield from (PossiblePreemptor(each.queue, str(law), RULES[law]) for law in laws)
            if not laws:
                yield each

    def _taken(self, manifest: Manifest) -> Iterator[Taking]:
        """What a newcomer takes in the next cycle."""
        submission = submission_of(manifest, self._state)
        state = with_submission(self._state, submission)
        try:
            found = plan(open_session(state, self._session.shard), submission.group.name, advise=False)
        except UnmodelledError:
            return
        self.doubts |= {*found.fidelity.doubts}
        yield from laws_of_victims(found).items()

    def _manifests(self, queue: str, wanted: set[str]) -> Iterator[tuple[int, Manifest]]:
        """Newcomers for each wanted job with the number of their pods, until it is ``wanted`` no more.

        One pod on a node asks for what that has once pods of the job have left, the most first. As many pods as fit,
        and more, leave no room elsewhere, where KAI could restart the job.
        """
        for job in sorted(wanted):
            nodes = sorted({pod.pod.node for pod in self._jobs[job].active}.intersection(self._idle))
            asked = [*self._gangs(job)]
            asked += [(1, request, node) for node in nodes for request in self._requests(job, node)]
            for (count, request, node), name in product(asked, self._classes):
                if job in wanted:
                    yield count, self._job(queue, count, request, node, name)

    def _gangs(self, job: str) -> Iterator[tuple[int, Mapping[str, int], str]]:
        """Pods like those of the job, as many as the idle nodes take and some more, up to all of the job."""
        pods = self._jobs[job].active
        for total in sorted({tuple(map(int, pod.accepted.total)) for pod in pods}, reverse=True):
            request = {name: size for name, size in zip(_NAMES, total, strict=True) if size}
            if not request:  # the pod holds nothing that counts
                continue
            rooms = [
                max(0, min(int(idle[r] // total[r]) for r in range(len(_NAMES)) if total[r]))
                for idle in self._idle.values()
            ]
            yield from ((sum(rooms) + more, request, "") for more in sorted({1, len(pods)}))

    @property
    def _classes(self) -> Sequence[str]:
        """The highest preemptible priority and the highest of all, of the input and of any."""
        values = self._session.state.priorities.values
        ordered = sorted(values, key=lambda name: (-values[name], name))
        preemptible = [name for name in ordered if values[name] < _PREEMPTIBLE]
        return [*dict.fromkeys((*preemptible[:1], *ordered[:1])), *CLASSES]

    def _requests(self, job: str, node: str) -> Iterator[Mapping[str, int]]:
        """What the pods of the job hold there, with what is idle; then GPUs from one up to all of the node."""
        there = self._session.nodes[node].allocatable
        held = [pod.accepted.total for pod in self._jobs[job].active if pod.pod.node == node]
        for r, resource in enumerate(_NAMES):
            amounts = {int(self._idle[node][r] + sum(each[r] for each in held[: n + 1])) for n in range(len(held))}
            if resource == _NAMES[-1]:
                amounts |= {*range(1, min(_MOST_GPUS, int(there[r])) + 1), int(there[r])}
            used = any(each[r] for each in held)
            yield from ({resource: size} for size in sorted(amounts, reverse=True) if used and 0 < size <= there[r])

    def _job(self, queue: str, count: int, request: Mapping[str, int], node: str, priority_class: str) -> Manifest:
        """A Job whose pods start together, on one node if that is named."""
        requests: dict[str, Json] = {resource: quantity.text(resource, size) for resource, size in request.items()}
        spec: dict[str, Json] = {
            "containers": [{"name": "main", "image": _NAME, "resources": {"requests": requests, "limits": requests}}],
            "schedulerName": DEFAULT_SCHEDULER,
            "tolerations": [{"operator": "Exists"}],
            "priorityClassName": priority_class,
        }
        if node:
            here = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
            spec["affinity"] = {
                "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [here]}}
            }
        state = self._state
        labels: dict[str, str] = {state.queue_label: queue}
        labels |= {state.pool_label: self._session.shard.pool} if self._session.shard.pool else {}
        metadata: dict[str, Json] = {
            "namespace": "default",
            "name": _NAME,
            "labels": labels,
            "annotations": {"kai.scheduler/batch-min-member": str(count)},
        }
        job: dict[str, Json] = {"parallelism": count, "template": {"spec": spec}}
        data: dict[str, Json] = {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": job}
        return Manifest(ObjectKey("batch", "Job", "default", _NAME), "v1", data, Origin("", 0))
