"""The devices that pods claim, as the resources under which Kueue counts them (KEP-2941).

Counts are known where a claim comes from a ResourceClaimTemplate of the input whose requests ask for an exact number
of a DeviceClass that the Configuration maps (``deviceClassMappings``). Selectors, counters and capacities depend on
ResourceSlices, which change with the drivers of a cluster. What Kueue cannot count keeps a Workload out of its queue.

Source: Kueue v0.19.2, ``GetResourceRequestsForResourceClaimTemplates`` and the reconciler of Workloads.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.jobs.context import CLAIM_TEMPLATE, Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.requests import Resources
from kubectl_fairshare.schedulers.kueue.model.workload import Refusal

_EXACT: Final = "ExactCount"
_ALL: Final = "All"
_CLAIMS: Final = "template.spec.resourceClaims"
_UNKNOWN: Final = "Unknown"
_DISABLED: Final = "Workload uses DRA resources but the KueueDRAIntegration feature gate is not enabled"
_BY_NAME: Final = "KueueDRAIntegration feature does not support use of resource claims"
_LIVE: Final = ("selectors", "adminAccess", "capacity")
"""Fields of a request with which Kueue looks at devices, or refuses the workload."""


def claimed_devices(spec: Field, context: Context) -> Resources | None:
    """What the claims of one pod add to its requests, by resource; None where Kueue counts what is not known here.

    Nothing where they do not count: a manager whose gate is off, as it is before 0.18, looks at no claim.
    """
    found: Resources = {}
    if not context.configuration.counts_devices:
        return found
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


def device_refusal(templates: Sequence[PodTemplate], context: Context) -> Refusal | None:
    """Why Kueue never queues a Workload whose pods claim devices; None where it does, or where that is not known.

    The first mistake ends it: a claim by name, then in the order of pod sets and claims what it cannot count.
    """
    claims = [claim for each in templates for claim in each.spec.at("resourceClaims").entries()]
    if not claims:
        return None
    if context.configuration.rejects_devices:
        return _refused(claims[0], _DISABLED)
    if not context.configuration.counts_devices:
        return None
    by_name = next((c for c in claims if c.at("resourceClaimName").text()), None)
    if by_name is not None:
        return _refused(by_name.at("resourceClaimName"), _BY_NAME)
    for number, template in enumerate(templates):
        for index, claim in enumerate(template.spec.at("resourceClaims").entries()):
            found = _judged_claim(claim, template, f"spec.podSets[{number}].{_CLAIMS}[{index}]", context)
            if found is not None:
                return None if found.law == _UNKNOWN else found
    return None


def _judged_claim(claim: Field, of: PodTemplate, path: str, context: Context) -> Refusal | None:
    """The refusal for a claim; one with the law ``_UNKNOWN`` where Kueue's answer is not known, None if it counts."""
    name = claim.at("resourceClaimTemplateName").text()
    template = context.claim_templates.get(ObjectKey(*CLAIM_TEMPLATE, claim.owner.namespace, name))
    if not name:
        return None
    if template is None:
        return Refusal(_UNKNOWN)
    requests = template.at("spec", "spec", "devices", "requests").entries()
    for number, each in enumerate(requests):
        body = _mistake(each)
        if body:
            where = f"{path}.devices.requests[{number}]"
            return _refused(each, f"{where}{body.format(f'ResourceClaimTemplate {name}')}")
        if each.at("exactly").value is None or each.at("exactly", "selectors").value:
            return Refusal(_UNKNOWN)  # an older version of the API, or devices that ResourceSlices list
    settings, classes = context.configuration, {_class_of(each): each for each in requests}
    for name, each in sorted(classes.items()):
        if name and name not in settings.device_resources and name not in settings.sourced_classes:
            if context.frameworks is None:  # the Configuration is not in the input
                return Refusal(_UNKNOWN)
            text = f"DeviceClass {name} is not mapped in DRA configuration for podset {of.name}"
            place = each.at("exactly", "deviceClassName")
            return _refused(place, f'{path}.resourceClaimTemplateName: Not found: "{text}"')
    return Refusal(_UNKNOWN) if settings.sourced_classes.intersection(classes) else None


def _mistake(request: Field) -> str:
    """Kueue's message, from the field on, about a request that it cannot count; {} is the template."""
    exactly = request.at("exactly")
    if request.at("firstAvailable").value is not None:
        return ": Invalid value: null: {}: FirstAvailable device selection is not supported"
    if exactly.at("selectors").value:
        return ""
    if exactly.at("adminAccess").value is True:
        return ".exactly.adminAccess: Invalid value: null: {}: AdminAccess is not supported"
    if exactly.at("allocationMode").text() == _ALL:
        return f".exactly.allocationMode: Invalid value: \"{_ALL}\": {{}}: AllocationMode '{_ALL}' is not supported"
    return ""


def _class_of(request: Field) -> str:
    return request.at("exactly", "deviceClassName").text()


def _refused(field: Field, message: str) -> Refusal:
    return Refusal(JobLaw.DEVICES, (message,), places=(field.place,))


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


def sourced_classes(mappings: object) -> frozenset[str]:
    """The DeviceClasses whose devices count by their sources, which ResourceSlices give."""
    return frozenset(name for name, _, has_sources in _mapped(mappings) if has_sources)


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
