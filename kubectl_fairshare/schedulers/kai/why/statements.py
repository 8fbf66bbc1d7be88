"""What the manifests behind an answer state: the parts of a job's requests, and what rejects further pods of it.

Tested in ``tests/unit/cli/commands/test_holds.py``.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.jobs.creation import NewPods
from kubectl_fairshare.jobs.makers import makes_pods
from kubectl_fairshare.jobs.pod_owners import PodOwners
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.created import WAITING, further_holds
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, submission_of
from kubectl_fairshare.schedulers.kai.jobs.parts import parts_of_pods
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase
from kubectl_fairshare.schedulers.kai.why.standing import Why

Detail = TypeVar("Detail")


class JobStatements:
    """What the manifests of one snapshot state of its jobs."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot, self._state = snapshot, snapshot.part(KaiState)

    def with_these(self, answer: WhyAnswer[Detail], why: Why) -> WhyAnswer[Detail]:
        """The answer with the parts of the requests of waiting pods, and ResourceQuotas that reject pods which lack."""
        if why.verdict in (Verdict.FINISHED, Verdict.UNMANAGED):
            return answer
        subject = self._owners.root(why.subject) if why.subject.kind == "PodGroup" else why.subject
        job = self._submission(subject)
        manifests = () if why.group is None else self._waiting.get(why.group.name, ())
        parts = parts_of_pods(manifests, self._state) if why.group is not None else () if job is None else job.parts
        return replace(answer, parts=parts, holds=() if job is None else self._holds(job, subject))

    @cached_property
    def _waiting(self) -> Mapping[str, Sequence[Manifest]]:
        """The manifests of waiting pods, by the name of their PodGroup."""
        found: dict[str, list[Manifest]] = {}
        for pod in self._state.pods:
            if pod.phase in WAITING and pod.key in self._snapshot.manifests:
                found.setdefault(pod.group, []).append(self._snapshot.manifests[pod.key])
        return found

    @cached_property
    def _phases(self) -> dict[ObjectKey, Phase]:
        return {pod.key: pod.phase for pod in self._state.pods}

    @cached_property
    def _owners(self) -> PodOwners:
        return PodOwners(self._snapshot.manifests)

    @cached_property
    def _bounds(self) -> NewPods:
        return NewPods(self._snapshot.manifests, self._state.around)

    def _submission(self, subject: ObjectKey) -> Submission | None:
        """The object in question as KAI would read a new one; None for one that makes no pods, or is not read."""
        manifest = self._snapshot.manifests.get(subject)
        if manifest is None or subject.kind == "PodGroup" or not makes_pods(manifest):
            return None
        try:
            return submission_of(manifest, self._state)
        except FairshareError:
            return None

    def _holds(self, job: Submission, subject: ObjectKey) -> tuple[Hold, ...]:
        """The gates of its pods, and ResourceQuotas that reject pods which the object makes besides those it has."""
        if subject.kind == "Pod":
            return job.gates
        own = self._owners.pods(subject)
        there = sum(key in self._phases and self._phases[key] is not Phase.FAILED for key in own)
        return (*job.gates, *further_holds(self._state, self._bounds, job, there))
