"""What the manifests behind an answer state: the parts of a job's requests, and what rejects further pods of it.

Tested in ``tests/unit/cli/commands/test_holds.py``.
"""

from typing import TypeVar

from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.jobs.makers import makes_pods
from kubectl_fairshare.jobs.pod_owners import PodOwners
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.created import WAITING, further_holds
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, submission_of
from kubectl_fairshare.schedulers.kai.jobs.parts import parts_of_pods
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase
from kubectl_fairshare.schedulers.kai.why.standing import Why

Detail = TypeVar("Detail")


def with_statements(answer: WhyAnswer[Detail], why: Why, snapshot: Snapshot) -> WhyAnswer[Detail]:
    """The answer with the parts of the requests of waiting pods, and ResourceQuotas that reject pods which lack."""
    if why.verdict in (Verdict.FINISHED, Verdict.UNMANAGED):
        return answer
    state, job = snapshot.part(KaiState), _submission(why.subject, snapshot)
    waiting = [pod.key for pod in state.pods if pod.group == _group(why) and pod.phase in WAITING]
    manifests = (snapshot.manifests[key] for key in waiting if key in snapshot.manifests)
    parts = parts_of_pods(manifests, state) if why.group is not None else () if job is None else job.parts
    return replace(answer, parts=parts, holds=() if job is None else _holds(job, why.subject, snapshot))


def _group(why: Why) -> str:
    return "" if why.group is None else why.group.name


def _submission(subject: ObjectKey, snapshot: Snapshot) -> Submission | None:
    """The object in question as KAI would read a new one; None for one that makes no pods, or is not read."""
    manifest = snapshot.manifests.get(subject)
    if manifest is None or subject.kind == "PodGroup" or not makes_pods(manifest):
        return None
    try:
        return submission_of(manifest, snapshot.part(KaiState))
    except FairshareError:
        return None


def _holds(job: Submission, subject: ObjectKey, snapshot: Snapshot) -> tuple[Hold, ...]:
    """The gates of its pods, and ResourceQuotas that reject pods which the object makes besides those that it has."""
    if subject.kind == "Pod":
        return job.gates
    pods = snapshot.part(KaiState).pods
    own = set(PodOwners(snapshot.manifests).pods(subject))
    there = sum(pod.key in own and pod.phase is not Phase.FAILED for pod in pods)
    return (*job.gates, *further_holds(snapshot, job, there))
