"""New pods that ResourceQuotas reject: an API server does not create them, so Kueue makes no Workload of them.

A controller tries again, and a user may do so with a Pod: it can be created once others have left, unless it
exceeds a bound by itself. Source: Kubernetes 1.35, the admission plugin ResourceQuota, which answers 403.
Tested in ``tests/unit/schedulers/kueue/explain/test_creating.py``.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.creation import NewPods, has_been_created
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs import UNMANAGED, Context, JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.laws import starts
from kubectl_fairshare.schedulers.kueue.jobs.single_pods import value_at
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, Refusal

_BUILT_IN: Final = ("batch", "apps")
"""The groups of kinds whose controllers create pods as their template says."""
_POD: Final = ("", "Pod")


def unless_rejected(
    workload: Pending, manifests: Sequence[Manifest], around: Mapping[ObjectKey, Manifest], context: Context
) -> Pending:
    """The workload; as refused if ResourceQuotas among ``around`` reject one of the new pods that it is made of.

    ``manifests`` are the pods, or the object that makes pods: each one is a workload, or Kueue leaves all of them
    alone; the first of these counts. Raises ``FairshareError`` for a field of another type.
    """
    namespace = workload.key.namespace
    if workload.refusal is not None and workload.refusal.law not in UNMANAGED:
        return workload
    pods = _new_pods(workload, manifests, around)
    if not pods or all(key[:3] != (*RESOURCE_QUOTA, namespace) for key in around):
        return workload
    places = _bounds(pods, around, context)
    if not places:
        return workload
    never = bool(_bounds(pods, dict(map(_unused, _without_pods(around).items())), context))
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


def _bounds(
    pods: Sequence[tuple[ObjectKey, JsonObject]], others: Mapping[ObjectKey, Manifest], context: Context
) -> tuple[Place, ...]:
    """The bounds that keep some of the pods from being created, in this order."""
    refused = NewPods(others, surroundings(others.values(), context)).refusals(pods)
    return tuple(dict.fromkeys(refusal.place for refusals in refused for refusal in refusals))


def _without_pods(manifests: Mapping[ObjectKey, Manifest]) -> dict[ObjectKey, Manifest]:
    return {key: manifest for key, manifest in manifests.items() if key[:2] != _POD}


def _unused(item: tuple[ObjectKey, Manifest]) -> tuple[ObjectKey, Manifest]:
    """A ResourceQuota of which nothing is used; any other object as it is."""
    key, manifest = item
    status = manifest.data.get("status")
    if key[:2] != RESOURCE_QUOTA or not isinstance(status, dict) or "used" not in status:
        return item
    rest = {name: value for name, value in status.items() if name != "used"}
    return key, replace(manifest, held_data={**manifest.data, "status": rest})


def _clause(places: Sequence[Place]) -> str:
    """Which ResourceQuotas reject a pod, by which of their bounds."""
    by_quota = groupby(sorted(places, key=lambda place: place.object), key=lambda place: place.object)
    return "; ".join(
        f"ResourceQuota {key.namespace}/{key.name} rejects the pod ({', '.join(str(place.path[-1]) for place in of)})"
        for key, of in by_quota
    )
