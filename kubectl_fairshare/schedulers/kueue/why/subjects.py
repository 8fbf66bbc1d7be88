"""What may be asked about of Kueue's workloads, and every workload that waits.

Tested in ``tests/unit/cli/test_why_names.py``.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Final, TypeVar

from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.creation import NewPods, quota_objects
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath, Json, inside
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest, by_kind
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.explain.manifest.holds import workload_holds
from kubectl_fairshare.schedulers.kueue.explain.manifest.parts import templates_of, workload_parts
from kubectl_fairshare.schedulers.kueue.explain.rejected_pods import unless_rejected
from kubectl_fairshare.schedulers.kueue.jobs import NO_WORKLOAD, Context, pending_of
from kubectl_fairshare.schedulers.kueue.jobs.kinds.every_kind import ALL_KINDS
from kubectl_fairshare.schedulers.kueue.jobs.lineage import Family, Kin
from kubectl_fairshare.schedulers.kueue.jobs.pending import AlikePods
from kubectl_fairshare.schedulers.kueue.jobs.pod_groups import group_members
from kubectl_fairshare.schedulers.kueue.jobs.record import is_workload, record_of
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted
from kubectl_fairshare.schedulers.kueue.why.verdict import Inquiry, Why
from kubectl_fairshare.schedulers.question import WhyQuestion
from kubectl_fairshare.schedulers.subjects import Nameable, Subjects
from kubectl_fairshare.trace import Fact

_WORKING: Final = frozenset((k.group, k.kind) for k in ALL_KINDS) | {(GROUP, "Workload")}
ASKABLE: Final = _WORKING | {("apps", "ReplicaSet")}
"""Group and kind of what may be asked about."""
_OTHERS: Final = ("AdmissionCheck", "ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor", "Topology")
_ENDS: Final = ("Complete", "Failed", "Completed", "Succeeded")
_ENDS_BY_KIND: Final[dict[str, tuple[FieldPath, tuple[str, ...]]]] = {
    "Pod": (("phase",), ("Succeeded", "Failed")),
    "AppWrapper": (("phase",), ("Succeeded", "Failed")),
    "RayJob": (("jobDeploymentStatus",), ("Complete", "Failed")),
    "SparkApplication": (("applicationState", "state"), ("COMPLETED", "FAILED", "SUBMISSION_FAILED")),
}
"""The field of a status that says, without a condition, that a job has finished; as Kueue reads it."""

Detail = TypeVar("Detail")


class Asking:
    """Finds the workloads of one snapshot that are asked about, as ``Explainer`` takes them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._context = snapshot.part(Context)
        self._alike = AlikePods(self._context)

    @cached_property
    def _around(self) -> dict[ObjectKey, Manifest]:
        return quota_objects(self._snapshot.manifests)

    @cached_property
    def _bounds(self) -> NewPods:
        return NewPods(self._around, surroundings(self._around.values(), self._context))

    @cached_property
    def _pending(self) -> dict[ObjectKey, Pending]:
        return {w.key: w for w in self._snapshot.part(KueueState).pending}

    @property
    def subjects(self) -> Subjects:
        """The objects that a name may mean: jobs of known kinds, and the owners that objects name."""
        return self._subjects(Family(self._snapshot.manifests.values()))

    def _subjects(self, family: Family) -> Subjects:
        others = tuple((GROUP, kind) for kind in _OTHERS)
        named = sorted([*(key for key in self._snapshot.manifests if key[:2] in ASKABLE), *family.owners])
        return Subjects(tuple(named), ASKABLE, others, lambda key: family.workloads(_kin(family, key)))

    def named(self, question: WhyQuestion) -> list[list[Inquiry]]:
        """The workloads behind each name of a question. Raises ``UsageError`` for an unknown or ambiguous name.

        Whose relative an object is, is known as long as this lasts: among a hundred thousand it takes much room.
        """
        family = Family(self._snapshot.manifests.values())
        subjects = self._subjects(family)
        found = subjects.named(question.names, question.namespace or "", anywhere=question.anywhere)
        return [self._about(family, subject) for subject in found]

    def _about(self, family: Family, subject: Nameable) -> list[Inquiry]:
        """The workloads behind an object: those that have not finished, otherwise the last one that finished."""
        manifests, kin = self._snapshot.manifests, _kin(family, subject.key)
        job = None if is_workload(subject.key) else family.job_behind(kin)
        if subject.workloads:
            workloads = [manifests[key] for key in subject.workloads]
            live = [m for m in workloads if not record_of(m).holds("Finished")]
            return [self.of_workload(m, None if job is None else subject.key) for m in live or workloads[-1:]]
        assert job is not None
        return [self._of_job(kin, job)]

    def with_statements(self, answer: WhyAnswer[Detail], asked: Inquiry, why: Why) -> WhyAnswer[Detail]:
        """The answer with the parts of what the workload requests, by its Workload, else by its job, and its holds.

        Nothing holds a workload that has finished.
        """
        manifest = asked.workload or self._snapshot.manifests.get(asked.pending.source or asked.pending.key)
        if manifest is None:
            return answer
        read = templates_of(manifest, asked.pending, self._context)
        parts = workload_parts(manifest, asked.pending, self._context, read)
        if why.verdict is Verdict.FINISHED:
            return replace(answer, parts=parts)
        started = why.verdict is Verdict.RUNNING
        holds = workload_holds(manifest, asked.pending, self._bounds, self._context, started=started, read=read)
        return replace(answer, parts=parts, holds=holds)

    def waiting(self, namespace: str | None) -> Iterator[Inquiry]:
        """Every workload that does not run, in one namespace if given; also jobs without a Workload.

        Most of those that hold quota are admitted and stay: nothing of these is read.
        """
        manifests, state = self._snapshot.manifests, self._snapshot.part(KueueState)
        holders = [h.key for h in state.holders if h.evicted or h.admitted is None]
        for key in sorted([*self._pending, *holders, *state.deactivated]):
            if namespace in (None, key.namespace) and key in manifests:
                yield self.of_workload(manifests[key], None)
        yield from self._never_made(namespace)

    def of_workload(self, manifest: Manifest, job: ObjectKey | None) -> Inquiry:
        """A Workload of the input. Raises ``FairshareError`` if an API server would reject it."""
        accepted = Accepted(by_kind([manifest]), self._context.configuration.writes)
        (stored,) = accepted.of("Workload") or (manifest,)
        if accepted.problems:
            raise FairshareError(*accepted.problems)
        pending = self._pending.get(manifest.key) or pending_of(stored, self._context, self._alike)
        return Inquiry(pending, stored, job)

    def _never_made(self, namespace: str | None) -> Iterator[Inquiry]:
        for kin in self._managed_without_workload(namespace):
            if kin.manifest is not None and _end_of(kin.manifest) is None:
                pending = self._of_manifest(kin.manifest)
                if pending is None or pending.refusal is None or pending.source != kin.key:
                    continue  # the first pod of a group represents all
                if pending.refusal.law in NO_WORKLOAD:
                    yield Inquiry(pending, job=kin.key)

    def _managed_without_workload(self, namespace: str | None) -> Iterator[Kin]:
        """The jobs that name a queue and have no Workload in the input."""
        family = Family(self._snapshot.manifests.values())
        keys = (key for key in self._snapshot.manifests if key[:2] in _WORKING and not is_workload(key))
        for key in sorted(key for key in keys if namespace in (None, key.namespace)):
            kin = _kin(family, key)
            if family.names_queue(kin) and not family.has_workloads(kin):
                yield kin

    def _of_manifest(self, manifest: Manifest) -> Pending | None:
        """The workload that Kueue would make for a job; None if the job cannot be read."""
        try:
            return self._unless_rejected(pending_of(manifest, self._context), manifest)
        except FairshareError:
            return None

    def _unless_rejected(self, pending: Pending, manifest: Manifest) -> Pending:
        if RESOURCE_QUOTA[1] in self._snapshot.part(KueueState).unread:
            return pending
        pods = group_members(manifest, self._snapshot.manifests, self._context)
        return unless_rejected(pending, pods, self._around, self._bounds)

    def _of_job(self, kin: Kin, job: Kin) -> Inquiry:
        """A job without a Workload in the input, as Kueue would take it. Raises ``FairshareError`` for others."""
        if job.manifest is None:
            message = f"the input has neither {job.key} nor its Workload"
            raise FairshareError(Problem(message, help="add the object, or its Workload, to the input"))
        pending = self._unless_rejected(pending_of(job.manifest, self._context), job.manifest)
        return Inquiry(pending, None, kin.key, _end_of(job.manifest))


def _kin(family: Family, key: ObjectKey) -> Kin:
    """An object of the input, or an owner that one names, among its relatives."""
    found = family.kin(key)
    assert found is not None
    return found


def _end_of(manifest: Manifest) -> Fact | None:
    """The condition, or another field of a job's status, that says that it has finished."""
    status = manifest.data.get("status")
    conditions = status.get("conditions") if isinstance(status, dict) else None
    for i, condition in enumerate(conditions if isinstance(conditions, list) else ()):
        if isinstance(condition, dict) and condition.get("status") == "True" and condition.get("type") in _ENDS:
            return Fact(Place(manifest.key, ("status", "conditions", i, "type")), str(condition["type"]))
    path, values = _ENDS_BY_KIND.get(manifest.key.kind, ((), ()))
    ended = inside(manifest.data, "status", *path) if path else None
    if ended not in values or (ended == "Failed" and _is_deployed(conditions)):
        return None
    return Fact(Place(manifest.key, ("status", *path)), str(ended))


def _is_deployed(conditions: Json) -> bool:
    """Whether the parts of an AppWrapper are still there: one that failed has ended without them."""
    listed = conditions if isinstance(conditions, list) else []
    held = [each for each in listed if isinstance(each, dict) and each.get("status") == "True"]
    return any(each.get("type") == "ResourcesDeployed" for each in held)
