"""What the manifests of a snapshot say of pods and their jobs, for schedulers that place pods one by one."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Note, notes_by_object
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.pod_owners import PodOwners
from kubectl_fairshare.jobs.pod_record import PodRecord, record_of
from kubectl_fairshare.jobs.pod_templates import CARRIERS, end_of
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.subjects import Nameable, Subjects
from kubectl_fairshare.schedulers.turns.line import NEWEST, AnyPod, QueueEntry
from kubectl_fairshare.trace import Fact

_POD: Final = ("", "Pod")


def groups_of(pods: Iterable[AnyPod], likeness: Callable[[AnyPod], Hashable]) -> list[list[AnyPod]]:
    """The pods in groups of equal ``likeness``, in the order of their first."""
    groups: dict[Hashable, list[AnyPod]] = {}
    for pod in pods:
        groups.setdefault(likeness(pod), []).append(pod)
    return list(groups.values())


class NoPodReason(StrEnum):
    """Why an object has no pod that waits or runs."""

    FINISHED = "Finished"
    SUSPENDED = "Suspended"
    NO_PODS = "NoPods"


class NoPod(NamedTuple):
    """An object without a pod that waits or runs; ``key`` is its last pod, ``job`` the object if it is not the pod."""

    verdict: Verdict
    reason: NoPodReason
    fact: Fact
    key: ObjectKey | None
    job: ObjectKey | None


class PodManifests:
    """The manifests of a snapshot, as questions about pods need them."""

    def __init__(self, manifests: Mapping[ObjectKey, Manifest]) -> None:
        self._manifests = manifests

    @cached_property
    def owners(self) -> PodOwners:
        """Who owns which pods."""
        return PodOwners(self._manifests)

    @cached_property
    def _events(self) -> Mapping[ObjectKey, tuple[Note, ...]]:
        return notes_by_object(self._manifests.values())

    def subjects(self, others: Iterable[tuple[str, str]]) -> Subjects:
        """The objects that a name can mean: pods, and the owners of pods. ``others`` are kinds that it cannot mean."""
        carriers = {key for key in self._manifests if (key.group, key.kind) in CARRIERS}
        pods = {key for key in self._manifests if (key.group, key.kind) == _POD}
        keys = {*carriers, *pods, *(k for k in self.owners.makers() if self.owners.pods(k))}
        kinds = frozenset({_POD, *CARRIERS, *((key.group, key.kind) for key in keys)})
        return Subjects(tuple(sorted(keys)), kinds, tuple(others), self.owners.pods)

    def record(self, key: ObjectKey) -> PodRecord | None:
        """What the scheduler and the kubelet have written about a pod; None for one that is not in the input."""
        manifest = self._manifests.get(key)
        return None if manifest is None else record_of(manifest, self._events.get(key, ()))

    def queued(self, key: ObjectKey, scheduler: str, profiles: Collection[str] | None) -> QueueEntry:
        """The queue of a waiting pod of that scheduler; the ``profiles`` of one scheduler share theirs."""
        queue = "" if profiles is not None and scheduler in profiles else scheduler
        record = self.record(key)
        if record is None:
            return QueueEntry(queue, NEWEST, tried=False)
        return QueueEntry(queue, record.created, bool(record.unscheduled))

    def gates(self, key: ObjectKey) -> tuple[Fact, ...]:
        """The scheduling gates of a pod, by name."""
        spec = root_of(self._manifests[key]).at("spec")
        return tuple(Fact(gate.place, gate.at("name").text()) for gate in spec.at("schedulingGates").entries())

    def without_pod(self, subject: Nameable) -> NoPod:
        """Why an object has no pod that waits or runs: its pods have ended, it is suspended, or it wants none."""
        key = subject.key
        if key in subject.workloads or subject.workloads:
            last = subject.workloads[-1]
            phase = root_of(self._manifests[last]).at("status", "phase")
            job = None if last == key else key
            return NoPod(Verdict.FINISHED, NoPodReason.FINISHED, Fact(phase.place, phase.text()), last, job)
        manifest = self._manifests.get(key)
        suspend = None if manifest is None else root_of(manifest).at("spec", "suspend")
        if suspend is not None and suspend.flag():
            return NoPod(Verdict.WAITING, NoPodReason.SUSPENDED, Fact(suspend.place, value=True), None, key)
        end = None if manifest is None else end_of(manifest)
        if end is not None:
            return NoPod(Verdict.FINISHED, NoPodReason.FINISHED, end, None, key)
        return NoPod(Verdict.WAITING, NoPodReason.NO_PODS, Fact(Place(key), None), None, key)
