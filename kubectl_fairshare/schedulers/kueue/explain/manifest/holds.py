"""What holds a workload after Kueue has admitted it, or leaves out a request: gates, ResourceQuotas, transformations.

Tested in ``tests/unit/cli/commands/test_holds.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.holds import Hold, HoldKind
from kubectl_fairshare.jobs.creation import EqualPods, NewPods, quota_holds
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.explain.manifest.parts import ReadTemplates, templates_of
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.laws import UNMANAGED
from kubectl_fairshare.schedulers.kueue.jobs.single_pods import value_at
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, Configuration
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.manifests.holds import gate_holds

_GATES: Final = frozenset({f"{GROUP}/{name}" for name in ("admission", "topology", "elastic-job")})
"""The scheduling gates that Kueue itself removes."""
_POD: Final = ("", "Pod")


def workload_holds(
    manifest: Manifest,
    pending: Pending,
    bounds: NewPods,
    context: Context,
    *,
    started: bool = False,
    read: ReadTemplates | None = None,
) -> tuple[Hold, ...]:
    """What holds ``pending``, which was read from ``manifest``, each once; nothing holds one that Kueue leaves alone.

    ``bounds`` are those of the input. ``started``: it is admitted, so its pods may be there.
    ``read``: its templates, if they are known. Raises ``FairshareError`` for a manifest that cannot be read.
    """
    if pending.refusal is not None and pending.refusal.law in UNMANAGED:
        return ()
    templates = (templates_of(manifest, pending, context) if read is None else read).templates
    quotas = () if started or _is_of_pods(manifest) else _quota_holds(manifest, pending, templates, bounds)
    gates = (hold for each in templates for hold in _gate_holds(manifest, each))
    once = {(hold.kind, hold.operands): hold for hold in reversed([*gates])}
    rules = transformation_holds(context.configuration)
    used = (hold for resource, hold in rules if any(_requests(each.spec, resource) for each in templates))
    return (*reversed(once.values()), *used, *quotas)


def transformation_holds(configuration: Configuration) -> Iterator[tuple[str, Hold]]:
    """The transformations of the Configuration that never apply, each with its input."""
    prefixes = configuration.excluded_prefixes
    if not prefixes or "ExcludedInputs" in configuration.release.changed_features:
        return
    for rule in configuration.transformations:
        if rule.input.startswith(prefixes) and rule.place is not None:
            prefix = next(each for each in prefixes if rule.input.startswith(each))
            place = Place(rule.place.object, (*rule.place.path, "input"))
            yield rule.input, Hold(HoldKind.TRANSFORMATION, (rule.input, prefix), place)


def _requests(spec: Field, resource: str) -> bool:
    """Whether a container requests or limits the resource."""
    containers = (each for name in ("containers", "initContainers") for each in spec.at(name).entries())
    return any(resource in c.at("resources", n).mapping() for c in containers for n in ("requests", "limits"))


def _is_of_pods(manifest: Manifest) -> bool:
    """Whether the pods come before the workload: a Pod, or a Workload that pods own."""
    owners = Field(manifest.key, (), manifest.passing_data).at("metadata", "ownerReferences").entries()
    return manifest.key[:2] == _POD or any(owner.at("kind").text() == "Pod" for owner in owners)


def _quota_holds(
    manifest: Manifest,
    pending: Pending,
    templates: tuple[PodTemplate, ...],
    bounds: NewPods,
) -> Iterator[Hold]:
    """ResourceQuotas that reject some pods of the workload, or of the object that makes each pod a workload."""
    key = manifest.key
    if bounds.limited(key.namespace):
        count = pending.one_of if len(templates) == 1 else 0
        pods = [EqualPods(each.spec.mapping(), max(count, each.count)) for each in templates]
        yield from quota_holds(bounds, key, pods)


def _gate_holds(manifest: Manifest, template: PodTemplate) -> Iterator[Hold]:
    """The gates of the pods, as Kueue reads them or, where it leaves them out, as the manifest writes them."""
    spec = template.spec
    if spec.owner == manifest.key:
        written = Field(manifest.key, spec.path, value_at(manifest.passing_data, spec.path))
        for each in (written, written.at("template", "spec")):  # the operator of Spark has its own template
            if each.value is not None:
                yield from gate_holds(each, HoldKind.GATE, _GATES)
    yield from gate_holds(spec, HoldKind.GATE, _GATES)
