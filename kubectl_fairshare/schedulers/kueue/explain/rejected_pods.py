"""New pods that ResourceQuotas reject: an API server does not create them, so Kueue makes no Workload of them.

A controller tries again, and a user may do so with a Pod: it can be created once others have left, unless it
exceeds a bound by itself. Source: Kubernetes 1.35, the admission plugin ResourceQuota, which answers 403.
Tested in ``tests/unit/schedulers/kueue/explain/test_creating.py``.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.jobs.creation import NewPods, has_been_created, refused_places
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs import UNMANAGED, JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.laws import starts
from kubectl_fairshare.schedulers.kueue.jobs.single_pods import value_at
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, Refusal

_BUILT_IN: Final = ("batch", "apps")
"""The groups of kinds whose controllers create pods as their template says."""
_POD: Final = ("", "Pod")


def unless_rejected(
    workload: Pending, manifests: Sequence[Manifest], around: Mapping[ObjectKey, Manifest], bounds: NewPods
) -> Pending:
    """The workload; as refused if the ResourceQuotas of the input reject one of the new pods that it is made of.

    ``around`` are at least its ``quota_objects``. ``manifests`` are the pods, or the object that makes pods: each one
    is a workload, or Kueue leaves all of them alone; the first of these counts. Raises ``FairshareError`` for a field
    of another type.
    """
    if workload.refusal is not None and workload.refusal.law not in UNMANAGED:
        return workload
    pods = _new_pods(workload, manifests, around) if bounds.limited(workload.key.namespace) else []
    places = refused_places(bounds.refusals(pods)) if pods else ()
    if not places:
        return workload
    never = any(bounds.idle.refusals(pods))
    law = JobLaw.NEVER_CREATED if never else JobLaw.NOT_CREATED
    what = "it" if manifests[0].key[:2] == _POD else "its pods"
    return replace(workload, refusal=Refusal(law, (what, _clause(places)), places=places))


def is_rejected(workload: Pending) -> bool:
    """Whether its pods are not created, now or ever."""
    return workload.refusal is not None and workload.refusal.law in (JobLaw.NOT_CREATED, JobLaw.NEVER_CREATED)


def _new_pods(
    workload: Pending, manifests: Sequence[Manifest], around: Mapping[ObjectKey, Manifest]
) -> list[tuple[ObjectKey, JsonObject]]:
    """The pods that are still to be created: those given, or the first of an object that makes them."""
    found: list[tuple[ObjectKey, JsonObject]] = []
    for manifest in manifests:
        alone = workload.one_of or (starts(workload) and manifest.key.group in _BUILT_IN)
        path = ("spec",) if manifest.key[:2] == _POD else workload.pod_sets[0].path if alone else ()
        spec = value_at(manifest.data, path) if path else None
        known = around.get(manifest.key, manifest)
        if isinstance(spec, dict) and not any(map(has_been_created, (manifest, known))):
            found.append((manifest.key, spec))
    return found


def _clause(places: Sequence[Place]) -> str:
    """Which ResourceQuotas reject a pod, by which of their bounds."""
    by_quota = groupby(sorted(places, key=lambda place: place.object), key=lambda place: place.object)
    return "; ".join(
        f"ResourceQuota {key.namespace}/{key.name} rejects the pod ({', '.join(str(place.path[-1]) for place in of)})"
        for key, of in by_quota
    )
