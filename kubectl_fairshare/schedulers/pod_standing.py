"""What the manifests of a snapshot say of pods and their jobs, for schedulers that place pods one by one."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

from kubectl_fairshare.answers.holds import Hold, HoldKind
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA, PodContext
from kubectl_fairshare.jobs.creation import NewPods
from kubectl_fairshare.jobs.events import Note, notes_by_object
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.kinds import CARRIERS
from kubectl_fairshare.jobs.pod_owners import PodOwners
from kubectl_fairshare.jobs.pod_record import PodRecord, record_of
from kubectl_fairshare.jobs.pod_surroundings import ENDED
from kubectl_fairshare.jobs.pod_templates import end_of, pods_at_once
from kubectl_fairshare.jobs.request_parts import pod_parts
from kubectl_fairshare.jobs.requests import POD_LAW, RequestLaw
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.manifests.holds import gate_holds, new_pods, template_holds
from kubectl_fairshare.schedulers.subjects import Nameable, Subjects
from kubectl_fairshare.schedulers.turns.line import NEWEST, AnyPod, QueueEntry
from kubectl_fairshare.trace import Fact

_POD: Final = ("", "Pod")
Detail = TypeVar("Detail")


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


class PodStatements:
    """What the manifests behind answers about pods state: the parts of requests, and what rejects further pods.

    ``law`` adds up a pod; ``unread`` are the kinds of which not all objects could be read.
    """

    def __init__(
        self, snapshot: Snapshot, owners: PodOwners, unread: Collection[str], law: RequestLaw = POD_LAW
    ) -> None:
        self._snapshot, self._manifests, self._context = snapshot, snapshot.manifests, snapshot.part(PodContext)
        self._owners, self._unread, self._law = owners, unread, law

    def with_these(self, answer: WhyAnswer[Detail], *, rejected: bool = False) -> WhyAnswer[Detail]:
        """The answer with the parts of its requests, and the gates and ResourceQuotas of pods that its job lacks.

        ``rejected``: the answer itself says that ResourceQuotas reject them.
        Raises ``FairshareError`` for a field of another type.
        """
        if answer.verdict in (Verdict.FINISHED, Verdict.RUNNING):
            return answer
        holds = () if rejected else self._holds(answer.job)
        return replace(answer, parts=self._parts(answer.key or answer.job), holds=holds)

    def _parts(self, key: ObjectKey | None) -> tuple[RequestTerm, ...]:
        manifest = None if key is None else self._manifests.get(key)
        pod = None if manifest is None else _pod_field(manifest)
        if manifest is None or pod is None:
            return ()
        return pod_parts(pod, self._context, self._law, taken=manifest.key[:2] == _POD and manifest.stored)

    def _holds(self, job: ObjectKey | None) -> tuple[Hold, ...]:
        maker = None if job is None else self._manifests.get(job)
        template = None if maker is None else _pod_field(maker)
        if maker is None or template is None:
            return ()
        there = sum(map(self._is_live, self._owners.pods(maker.key)))
        if there >= pods_at_once(maker):
            return ()
        gates = gate_holds(template.at("spec"), HoldKind.FIRST_GATE)
        if RESOURCE_QUOTA[1] in self._unread or not self._bounds.limited(maker.key.namespace):
            return tuple(gates)
        return (*gates, *template_holds(maker, self._bounds, there))

    @cached_property
    def _bounds(self) -> NewPods:
        return new_pods(self._snapshot)

    def _is_live(self, pod: ObjectKey) -> bool:
        return root_of(self._manifests[pod]).at("status", "phase").text() not in ENDED


def _pod_field(manifest: Manifest) -> Field | None:
    """The pod, or the template of a kind that makes equal pods; None for other kinds."""
    path = () if manifest.key[:2] == _POD else CARRIERS.get(manifest.key[:2])
    return None if path is None else root_of(manifest).at(*path)
