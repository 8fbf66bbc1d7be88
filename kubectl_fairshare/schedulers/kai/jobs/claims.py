"""ResourceClaims (DRA) as KAI counts them: the GPUs of the claims that a pod uses.

A claim belongs to the pod that owns it, otherwise to the first that it is reserved for, and to each pod that names it.
Source: KAI-Scheduler v0.17; "kai requests" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.claims import DeviceClaim
from kubectl_fairshare.schedulers.kai.model.objects import GpuKind, Pod

_EXTENDED: Final = "resource.kubernetes.io/extended-resource-claim"
_MODES: Final = ("ExactCount", "All")


def claim_of(manifest: Manifest) -> DeviceClaim:
    """The claim. Every request for a device class that is named after GPUs counts; ``All`` counts as one."""
    root = root_of(manifest)
    extended = root.at("metadata", "annotations").texts().get(_EXTENDED) == "true"
    requests = root.at("spec", "devices", "requests").entries()
    gpus = 0 if extended else sum(map(_gpus, requests))
    return DeviceClaim(manifest.key.namespace, manifest.key.name, gpus, _pod(root), tuple(_devices(root)))


def _gpus(request: Field) -> int:
    exact = request.at("exactly") if request.at("exactly").value is not None else request
    mode = exact.at("allocationMode").text() or "ExactCount"
    if "gpu" not in exact.at("deviceClassName").text().lower() or mode not in _MODES:
        return 0
    return max(exact.at("count").integer(1), 1) if mode == "ExactCount" else 1


def _devices(root: Field) -> Iterator[str]:
    """The GPUs that the claim has got: those of a driver that is named after GPUs."""
    for result in root.at("status", "allocation", "devices", "results").entries():
        names = [result.at(name).text() for name in ("driver", "pool", "device")]
        if "gpu" in names[0].lower():
            yield "/".join(names)


def _pod(root: Field) -> str:
    for owner in root.at("metadata", "ownerReferences").entries():
        if owner.at("kind").text() == "Pod":
            return owner.at("uid").text()
    for user in root.at("status", "reservedFor").entries():
        if user.at("resource").text() == "pods":
            return user.at("uid").text()
    return ""


def with_claims(pods: Iterable[Pod], claims: Iterable[DeviceClaim]) -> Iterator[Pod]:
    """The pods with the GPUs of their claims; one whose claims are not all in the input is marked."""
    by_name: dict[tuple[str, str], DeviceClaim] = {}
    by_pod: dict[str, list[DeviceClaim]] = {}
    for claim in claims:
        by_name[(claim.namespace, claim.name)] = claim
        by_pod.setdefault(claim.pod, []).append(claim)
    for pod in pods:
        yield _with_gpus(pod, by_name, by_pod.get(pod.uid, ())) if pod.claims else pod


def _with_gpus(pod: Pod, by_name: Mapping[tuple[str, str], DeviceClaim], own: Iterable[DeviceClaim]) -> Pod:
    namespace = pod.key.namespace
    found = {claim.name: claim for claim in own if claim.namespace == namespace}
    named = claim_names(pod)
    found |= {name: by_name[(namespace, name)] for name in named if (namespace, name) in by_name}
    gpus = sum(claim.gpus for claim in found.values())
    if not all(name in found for name in named) or (gpus and pod.gpu.kind is not GpuKind.WHOLE):
        return replace(pod, claims_unknown=True)
    if not gpus:
        return pod
    request = pod.request._replace(gpu=pod.request.gpu + gpus)
    devices = tuple(device for claim in found.values() for device in claim.devices)
    return replace(pod, request=request, gpu=pod.gpu._replace(devices=pod.gpu.devices + gpus), devices=devices)


def claim_names(pod: Pod) -> tuple[str, ...]:
    """The claims of a pod; "" for one that has not been made of its template yet."""
    spec, status = pod.raw.get("spec") or {}, pod.raw.get("status") or {}
    made = {each.get("name"): each.get("resourceClaimName") for each in status.get("resourceClaimStatuses") or ()}
    references = spec.get("resourceClaims") or ()
    return tuple(each.get("resourceClaimName") or made.get(each.get("name")) or "" for each in references)
