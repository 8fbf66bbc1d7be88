"""The devices that pods claim, as the resources under which Kueue counts them (KEP-2941).

Counts are known where a claim comes from a ResourceClaimTemplate of the input whose requests ask for an exact number
of a DeviceClass that the Configuration maps (``deviceClassMappings``). Selectors, counters and capacities depend on
ResourceSlices, which change with the drivers of a cluster.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.jobs.context import CLAIM_TEMPLATE, Context
from kubectl_fairshare.schedulers.kueue.jobs.requests import Resources

_EXACT: Final = "ExactCount"
_LIVE: Final = ("selectors", "adminAccess", "capacity")
"""Fields of a request with which Kueue looks at devices, or refuses the workload."""


def claimed_devices(spec: Field, context: Context) -> Resources | None:
    """What the claims of one pod add to its requests, by resource; None where Kueue counts what is not known here."""
    found: Resources = {}
    for claim in spec.at("resourceClaims").entries():
        name = claim.at("resourceClaimTemplateName").text()
        template = context.claim_templates.get(ObjectKey(*CLAIM_TEMPLATE, spec.owner.namespace, name))
        counts = None if template is None else _counts(template, context.configuration.device_resources)
        if counts is None:
            return None
        for resource, count in counts.items():
            found[resource] = min(found.get(resource, 0) + count, UNLIMITED)
    return found


def with_devices(requests: Resources, spec: Field, context: Context) -> Resources:
    """The requests of a pod and the devices that it claims, as far as those are known, sorted by resource."""
    devices = claimed_devices(spec, context) if spec.at("resourceClaims").entries() else None
    if not devices:
        return requests
    names = sorted({*requests, *devices})
    return {name: min(requests.get(name, 0) + devices.get(name, 0), UNLIMITED) for name in names}


def _counts(template: Field, resources: Mapping[str, str]) -> Resources | None:
    """The devices of one claim, by resource."""
    found: Resources = {}
    for each in template.at("spec", "spec", "devices", "requests").entries():
        counted = _count(each)
        resource = None if counted is None else resources.get(counted[0])
        if counted is None or resource is None:
            return None
        found[resource] = min(found.get(resource, 0) + counted[1], UNLIMITED)
    return found


def _count(request: Field) -> tuple[str, int] | None:
    """The DeviceClass of a request, and how many of its devices it asks for."""
    exactly = request.at("exactly")
    written = any(exactly.at(name).value for name in _LIVE) or request.at("firstAvailable").value is not None
    if written or exactly.value is None or exactly.at("allocationMode").text() not in ("", _EXACT):
        return None
    return exactly.at("deviceClassName").text(), exactly.at("count").natural(1)


def device_resources(mappings: object, *, counted: bool) -> Mapping[str, str]:
    """The resource of each DeviceClass whose devices are counted one by one; the first mapping of a class holds.

    ``counted``: the gate KueueDRAIntegration is on.
    """
    found: dict[str, str] = {}
    sourced: set[str] = set()
    for name, resource, has_sources in _mapped(mappings if counted else None):
        found.setdefault(name, resource)
        if has_sources:
            sourced.add(name)
    return {name: resource for name, resource in found.items() if name not in sourced}


def _mapped(mappings: object) -> Iterator[tuple[str, str, bool]]:
    for each in mappings if isinstance(mappings, list) else ():
        for name in each.get("deviceClassNames") or ():
            yield str(name), str(each.get("name")), bool(each.get("sources"))
