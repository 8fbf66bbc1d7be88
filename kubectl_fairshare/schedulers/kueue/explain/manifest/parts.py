"""The parts of what Kueue charges for a workload: those of its pods, then transformations and claimed devices.

The parts of a resource add up to the request of the pod set, before rounding.
Tested in ``tests/unit/schedulers/kueue/explain/manifest/test_parts.py``.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from kubectl_fairshare.answers.needs import PartKind, PartSource, RequestTerm
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.request_parts import Parts, ranger_additions, request_parts
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.devices import claimed_devices
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.kinds.of_manifest import job_kind, pod_templates
from kubectl_fairshare.schedulers.kueue.jobs.kinds.workload import of_workload
from kubectl_fairshare.schedulers.kueue.jobs.pod_groups import group_of_pod
from kubectl_fairshare.schedulers.kueue.jobs.requests import request_law
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, Configuration, Transformation
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

_NANO: Final = 10**9


class ReadTemplates(NamedTuple):
    """The pods of a workload; ``native``: their amounts are of Kubernetes' own kinds; ``is_pod``: they are Pods."""

    templates: tuple[PodTemplate, ...]
    native: bool
    is_pod: bool


def workload_parts(
    manifest: Manifest, pending: Pending, context: Context, read: ReadTemplates | None = None
) -> tuple[RequestTerm, ...]:
    """The parts of every request of ``pending``, which was read from ``manifest``; by pod set, then resource.

    ``read``: its templates, if they are known. Raises ``FairshareError`` for a manifest that cannot be read.
    """
    read = templates_of(manifest, pending, context) if read is None else read
    law = request_law(context.configuration.release, native=read.native, is_pod=read.is_pod)
    limits, several = context.limit_ranges.get(manifest.key.namespace, {}), len(pending.pod_sets) > 1
    found: list[RequestTerm] = []
    for pod_set, template in zip(pending.pod_sets, read.templates, strict=False):
        additions = template.additions
        if manifest.stored and template.spec.owner == manifest.key and read.is_pod:
            additions = {**ranger_additions(root_of(manifest)), **additions}
        requested = request_parts(template.spec, limits, context.overheads, law, additions)
        charged = {**_charged(requested, context.configuration)}
        for part in _devices(template.spec, context):
            charged[part.resource] = (*charged.get(part.resource, ()), part)
        name, count = pod_set.name if several else "", max(0, pod_set.count - pod_set.reclaimable)
        found += (replace(p, pods=name, count=count) for r in sorted(charged) for p in charged[r])
    return tuple(found)


def templates_of(manifest: Manifest, pending: Pending, context: Context) -> ReadTemplates:
    """The pods of a workload that was read from ``manifest``.

    Raises ``FairshareError`` for a manifest that cannot be read.
    """
    if (manifest.key.group, manifest.key.kind) == (GROUP, "Workload"):
        return ReadTemplates(of_workload(Field(manifest.key, (), manifest.passing_data)), native=False, is_pod=False)
    group = group_of_pod(root_of(manifest), context) if manifest.key[:2] == ("", "Pod") else None
    if group is not None:
        return ReadTemplates(group.pod_sets, native=True, is_pod=True)
    kind = job_kind(manifest)
    is_pod = kind.of_pods or bool(pending.one_of)
    return ReadTemplates(pod_templates(manifest, context.runtimes), kind.native, is_pod)


def _charged(parts: Parts, configuration: Configuration) -> Parts:
    """The parts after excluded resources are removed and transformations applied."""
    prefixes, rules = configuration.excluded_prefixes, configuration.transformations
    kept = {r: each for r, each in parts.items() if not (prefixes and r.startswith(prefixes))}
    amounts = {r: sum(part.nano for part in each) for r, each in kept.items()}
    used = [rule for rule in rules if rule.input in kept]
    found = {r: each for r, each in kept.items() if not any(u.input == r and u.strategy == "Replace" for u in used)}
    generated: dict[str, tuple[RequestTerm, ...]] = {}
    for rule in used:
        for output, nano in _products(rule, amounts):
            part = RequestTerm(output, nano, PartKind.TRANSFORMATION, rule.input, PartSource.ADDED, _place(rule))
            generated[output] = (*generated.get(output, ()), part)
    for output, each in generated.items():
        if sum(part.nano for part in each) > 0:  # a negative sum does not lower the request
            found[output] = (*found.get(output, ()), *each)
    return found


def _products(rule: Transformation, amounts: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """What a transformation adds to each of its outputs, in 10⁻⁹, rounded up."""
    base = Fraction(amounts[rule.input], _NANO)
    if rule.multiply_by is not None and rule.multiply_by in amounts:
        base *= Fraction(amounts[rule.multiply_by], _NANO)
    for output, factor in rule.outputs.items():
        yield output, -(-base * quantity.nano(factor) // 1)


def _place(rule: Transformation) -> Place:
    return rule.place or Place(ObjectKey("config.kueue.x-k8s.io", "Configuration", "", ""))


def _devices(spec: Field, context: Context) -> Iterator[RequestTerm]:
    """What each claim of the pod adds, if all of them can be counted."""
    if not spec.at("resourceClaims").entries() or claimed_devices(spec, context) is None:
        return
    for claim in spec.at("resourceClaims").entries():
        alone = spec._replace(value={"resourceClaims": [claim.value]})
        template = claim.at("resourceClaimTemplateName")
        for resource, count in (claimed_devices(alone, context) or {}).items():
            name = template.text()
            yield RequestTerm(resource, count * _NANO, PartKind.DEVICES, name, PartSource.ADDED, template.place)
