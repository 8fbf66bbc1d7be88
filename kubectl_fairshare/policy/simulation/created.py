"""The pods that jobs make, checked against LimitRanges and ResourceQuotas of their namespaces: no rejection is played.

An API server rejects a pod beyond a bound before a scheduler sees it, and the job tries again later. Jobs that a
scheduler starts before they make pods are left out: that their pods then run is an assumption of the replay.
Tested in ``tests/unit/policy/simulation/test_created.py``.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain
from typing import Final

from kubectl_fairshare.answers.fidelity import INVALID, REJECTED, Gap
from kubectl_fairshare.jobs.context import pod_context
from kubectl_fairshare.jobs.creation import quota_objects, replayed_check
from kubectl_fairshare.jobs.pod_surroundings import LIMIT_RANGE, surroundings
from kubectl_fairshare.jobs.resource_quotas import CreationCheck
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.snapshot import Snapshot

_Specs = Sequence[JsonObject]
_NONE: Final[tuple[str, _Specs]] = ("", ())


class CreatedPods:
    """The pods that exist, by unit, and the bounds that one of them exceeded when it was created."""

    def __init__(self, snapshot: Snapshot, stopping: int) -> None:
        """``stopping``: nanoseconds that a pod which has to stop still counts next to the one that takes its place."""
        self._stopping = stopping
        self._live: dict[str, tuple[str, _Specs]] = {}
        self._leaving: list[tuple[int, str, str, _Specs]] = []
        self._places: dict[Place, None] = {}
        self._outside: dict[str, None] = {}
        self.use(snapshot)

    def use(self, snapshot: Snapshot) -> None:
        """The bounds are those of the snapshot from now on; the pods that exist stay."""
        limits = [manifest for key, manifest in snapshot.manifests.items() if key[:2] == ("", LIMIT_RANGE)]
        self._around = surroundings((), pod_context(limits, [])) if limits else None
        self._objects = quota_objects(snapshot.manifests)
        self._checks: dict[str, CreationCheck | None] = {}

    def make(self, job: TracedJob, units: Sequence[str], now: int) -> None:
        """A job makes its pods. It has one unit, or one for each pod, in their order."""
        kinds = [(_spec(job, pods), pods.count) for pods in job.pod_sets]
        if self._around is not None:
            added = (self._around.added(spec, job.namespace, taken=False) for spec, _ in kinds)
            self._outside |= dict.fromkeys(job.namespace for each in added if LIMIT_RANGE in each)
        specs = [spec for spec, number in kinds for _ in range(number)]
        parts = [specs] if len(units) == 1 else [[spec] for spec in specs]
        for unit, own in zip(units, parts, strict=True):
            self._add(job.namespace, own, now)
            self._live[unit] = job.namespace, own

    def stop(self, unit: str, now: int) -> None:
        """The pods of a unit have to stop, and are made again at once."""
        namespace, specs = self._live.get(unit, _NONE)
        if self._stopping and specs:
            self._add(namespace, specs, now)
            heappush(self._leaving, (now + self._stopping, unit, namespace, specs))

    def end(self, unit: str) -> None:
        """The pods of a unit have ended."""
        self._release(*self._live.pop(unit, _NONE))

    def _add(self, namespace: str, specs: _Specs, now: int) -> None:
        while self._leaving and self._leaving[0][0] <= now:
            _, _, gone, pods = heappop(self._leaving)
            self._release(gone, pods)
        check = self._check(namespace)
        if check is not None:
            self._places |= dict.fromkeys(each.place for spec in specs for each in check.rejections(spec))

    def _release(self, namespace: str, specs: _Specs) -> None:
        check = self._checks.get(namespace)
        if check is not None:
            for spec in specs:
                check.release(spec)

    def _check(self, namespace: str) -> CreationCheck | None:
        """The ResourceQuotas of a namespace, with the pods that exist in it."""
        if self._objects and namespace not in self._checks:
            there = (*self._live.values(), *(each[2:] for each in self._leaving))
            specs = chain.from_iterable(own for name, own in there if name == namespace)
            self._checks[namespace] = replayed_check(self._objects, namespace, specs)
        return self._checks.get(namespace)

    @property
    def gaps(self) -> Iterator[Gap]:
        """A gap that names the bounds that pods exceeded, and one for each namespace whose LimitRanges reject one."""
        for namespace in self._outside:
            yield Gap(INVALID, (), touches=True, subject=f"the LimitRanges of namespace {namespace} reject it")
        if self._places:
            yield Gap(REJECTED, tuple(self._places), touches=True)


def _spec(job: TracedJob, pods: TracedPods) -> JsonObject:
    """What a trace says of a pod that ResourceQuotas count."""
    requests = {resource: quantity.text(resource, amount) for resource, amount in pods.requests.items()}
    named = {"priorityClassName": job.priority_class} if job.priority_class else {}
    return {**named, "containers": [{"name": "main", "resources": {"requests": {**requests}}}]}
