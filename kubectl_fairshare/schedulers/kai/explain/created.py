"""What the manifests of a job state: the parts of its requests, and the pods that ResourceQuotas let be created.

KAI sees no other pods. A controller goes on to try the rejected ones, so the job waits for them, or runs without them,
as its minimum says.
Tested in ``tests/unit/cli/commands/test_holds.py``.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.creation import EqualPods, NewPods, quota_holds
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.asking import new_pods
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission
from kubectl_fairshare.schedulers.kai.jobs.parts import parts_of_pods
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, Pod

WAITING: Final = frozenset({Phase.PENDING, Phase.GATED})


class CreatedJob(NamedTuple):
    """A job with the pods that it gets, and what rejects the others."""

    job: Submission
    holds: tuple[Hold, ...] = ()


def created_job(snapshot: Snapshot, job: Submission, *, described: bool = False) -> CreatedJob:
    """The job without the pods that ResourceQuotas reject; ``described``: options describe it.

    It keeps all if none of them is created, or if they differ, as their order then decides: such an answer has a gap.
    """
    state = snapshot.part(KaiState)
    new = new_pods(job, snapshot)
    if RESOURCE_QUOTA[1] in state.unread or not new or not _alike(new):
        return CreatedJob(job, job.gates)
    specs = [(pod.key, _spec(pod)) for pod in new]
    bounds = NewPods(snapshot.manifests, state.around)
    results = bounds.refusals(specs, described=described)
    rejected = {pod.key for pod, places in zip(new, results, strict=True) if places}
    if len(rejected) == len(new):
        return CreatedJob(job, job.gates)
    holds = further_holds(state, bounds, job, len(job.pods) - len(new), described=described)
    kept = tuple(pod for pod in job.pods if pod.key not in rejected)
    return CreatedJob(replace(job, pods=kept) if rejected else job, (*job.gates, *holds))


def further_holds(
    state: KaiState, bounds: NewPods, job: Submission, there: int, *, described: bool = False
) -> tuple[Hold, ...]:
    """The ResourceQuotas that reject some of the pods of all PodGroups of a job, of which ``there`` exist."""
    missing = job.wanted - there
    if missing <= 0 or RESOURCE_QUOTA[1] in state.unread:
        return ()
    pods = [EqualPods(_spec(job.pods[0]), missing)] if _alike(job.pods) else [EqualPods(_spec(p), 1) for p in job.pods]
    key = job.pods[0].key
    return tuple(quota_holds(bounds, key, pods, there, described=described))


def _spec(pod: Pod) -> JsonObject:
    return pod.raw.get("spec") or {}


def _alike(pods: Sequence[Pod]) -> bool:
    return all(_spec(pod) == _spec(pods[0]) for pod in pods)


def parts_of_job(snapshot: Snapshot, job: Submission, given: Reading | None) -> tuple[RequestTerm, ...]:
    """The parts of its requests: those of the object that makes its pods, or of the pods that wait.

    Raises ``FairshareError`` for a field of another type.
    """
    if job.parts or given is None:
        return job.parts
    asked = {manifest.key: manifest for manifest in given.manifests}
    waiting = (pod.key for pod in job.pods if pod.phase in WAITING)
    manifests = (asked.get(key) or snapshot.manifests.get(key) for key in waiting)
    return parts_of_pods((each for each in manifests if each is not None), snapshot.part(KaiState))
