"""Pods that an API server does not create: ResourceQuotas reject them, before any scheduler sees them.

The controller of a job tries again, so one that fits once others are gone waits. One that exceeds a bound by itself is
never created.
Example: a ResourceQuota of 4 cpu with 3 cpu used. A pod of 2 cpu waits until others are gone, one of 5 cpu is never
created.
Source:
https://github.com/kubernetes/kubernetes/blob/v1.35.0/staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go,
``CheckRequest``.
Tested in ``tests/unit/cli/commands/test_new_pods.py``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.creation import NewPods, has_been_created
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.kinds import CARRIERS
from kubectl_fairshare.jobs.pod_templates import wanted_pods
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kubescheduler.plan import AnyPodPlan
from kubectl_fairshare.schedulers.manifests.holds import new_pods, next_refusals
from kubectl_fairshare.schedulers.pod_making import gated_outcome
from kubectl_fairshare.schedulers.pod_standing import PodManifests
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.trace import Fact


def outcome_uncreated(computed: Outcome, refusals: Collection[CreationRefusal]) -> Outcome:
    """The outcome of a pod that is not created, of which the scheduler would make ``computed`` if it were."""
    final = computed is Outcome.NEVER or any(refusal.is_final for refusal in refusals)
    # Not "admitted once created": a pod that is not there has no turn, whatever the scheduler would make of it.
    return Outcome.NEVER if final else Outcome.WAITS


def uncreated(found: AnyPodPlan) -> AnyPodPlan:
    """The plan of a pod that the API server does not create, with what the scheduler would make of it."""
    computed = outcome_uncreated(found.computed, found.refusals)
    fidelity = fidelity_uncreated(found.fidelity, found.origin)
    outcome = gated_outcome(computed, fidelity, alike=True, gated=found.pod.gated)
    ended = replace(found, computed=computed, outcome=outcome, fidelity=fidelity, if_created=found.computed)
    return replace(ended, remedies=(), possible=(), elsewhere=())


def fidelity_uncreated(fidelity: Fidelity, origin: PodOrigin) -> Fidelity:
    """The fidelity of a plan for a pod that no scheduler sees: only what is not known of its creation touches it."""
    of_creation = {(gap.feature, gap.subject) for gap in origin.gaps}
    gaps = (replace(gap, touches=gap.touches and (gap.feature, gap.subject) in of_creation) for gap in fidelity.gaps)
    return replace(fidelity, gaps=tuple(gaps), outcomes=1, all_outcomes=True)


class MissingPods(NamedTuple):
    """The pods that a job lacks because ResourceQuotas reject them; ``job`` is the pod if it is new itself."""

    job: ObjectKey
    number: int
    refusals: tuple[CreationRefusal, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The bounds, as the scheduler's quotas are cited."""
        return tuple(Fact(each.place, each.bound_text) for each in self.refusals)


class UncreatedPods:
    """The new pods of a snapshot that ResourceQuotas reject, and the jobs whose pods they reject.

    ``live`` are the pods that have not ended, ``unread`` the kinds of which not all objects could be read.
    """

    def __init__(
        self, snapshot: Snapshot, objects: PodManifests, live: Mapping[ObjectKey, object], unread: Sequence[str]
    ) -> None:
        self._snapshot, self._objects, self._live, self._unread = snapshot, objects, live, unread

    def of(self, job: ObjectKey) -> MissingPods | None:
        """The pods that one job lacks; None if it has all, or if something else keeps them from being created.

        Raises ``FairshareError`` for a field of another type.
        """
        manifest = self._snapshot.manifests.get(job)
        there = sum(pod in self._live for pod in self._objects.owners.pods(job))
        missing = 0 if manifest is None else wanted_pods(manifest) - there
        if manifest is None or missing <= 0 or job.namespace not in self._limited:
            return None
        refusals = next_refusals(manifest, self._bounds)
        return MissingPods(job, missing, refusals) if refusals else None

    @cached_property
    def pods(self) -> dict[ObjectKey, MissingPods]:
        """The pods of the input that no API server has, and that it rejects."""
        limited = (key for key in self._live if key.namespace in self._limited) if self._limited else ()
        found = ((key, manifest) for key in limited if (manifest := self._snapshot.manifests.get(key)) is not None)
        rejected = {key: self._rejecting(manifest) for key, manifest in found if not has_been_created(manifest)}
        return {key: MissingPods(key, 1, refusals) for key, refusals in rejected.items() if refusals}

    def _rejecting(self, pod: Manifest) -> tuple[CreationRefusal, ...]:
        return self._bounds.refusals([(pod.key, root_of(pod).at("spec").mapping())])[0]

    @cached_property
    def _bounds(self) -> NewPods:
        return new_pods(self._snapshot)

    def all(self, namespace: str | None) -> Iterator[MissingPods]:
        """Those of all jobs that no other object makes, of one namespace or of all."""
        for key in sorted(self._snapshot.manifests if self._limited else ()):
            outermost = (key.group, key.kind) in CARRIERS and self._objects.owners.root(key) == key
            missing = self.of(key) if outermost and namespace in (None, key.namespace) else None
            if missing is not None:
                yield missing

    @cached_property
    def _limited(self) -> frozenset[str]:
        """The namespaces with a ResourceQuota, if all of them could be read."""
        # Of quotas that cannot be read any may reject or admit: then no pod is said to be missing because of one.
        if RESOURCE_QUOTA[1] in self._unread:
            return frozenset()
        return frozenset(key.namespace for key in self._snapshot.manifests if key[:2] == RESOURCE_QUOTA)
