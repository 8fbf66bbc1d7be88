"""What manifests say that will hold the pods of a job, whatever their scheduler: gates, and ResourceQuotas.

Tested in ``tests/unit/cli/commands/test_pod_holds.py``.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from kubectl_fairshare.answers.holds import CreationRefusal, Hold, HoldKind
from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA, PodContext
from kubectl_fairshare.jobs.creation import EqualPods, NewPods, has_been_created, quota_holds
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.kinds import CARRIERS
from kubectl_fairshare.jobs.pod_surroundings import WRONG_SHAPE, surroundings
from kubectl_fairshare.jobs.pod_templates import pods_at_once
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot

_POD: Final = ("", "Pod")


def new_pods(snapshot: Snapshot) -> NewPods:
    """The ResourceQuotas of an input, each namespace of which is read once, and its new pods."""
    return NewPods(snapshot.manifests, surroundings(snapshot.manifests.values(), snapshot.part(PodContext)))


def gate_holds(spec: Field, kind: HoldKind, own: Collection[str] = ()) -> Iterator[Hold]:
    """A hold for each scheduling gate of a pod spec, except the scheduler's ``own``, which it removes itself."""
    for gate in spec.at("schedulingGates").entries():
        name = gate.at("name")
        if name.text() and name.text() not in own:
            yield Hold(kind, (name.text(),), name.place)


def template_holds(maker: Manifest, bounds: NewPods, there: int = 0, least: int = 2) -> Iterator[Hold]:
    """The ResourceQuotas that reject some pods of an object with one template, of which ``there`` exist.

    Nothing for one that makes fewer pods than ``least``. Raises ``FairshareError`` for a field of another type.
    """
    path, wanted = CARRIERS.get(maker.key[:2]), pods_at_once(maker)
    if path is not None and wanted >= least and wanted > there:
        spec = root_of(maker).at(*path, "spec").mapping()
        yield from quota_holds(bounds, maker.key, [EqualPods(spec, wanted - there)], there)


def creation_holds(maker: Manifest, bounds: NewPods) -> Iterator[Hold]:
    """The ResourceQuotas that reject a new Pod, or some pods of a new object with one template.

    Raises ``FairshareError`` for a field of another type.
    """
    if maker.key[:2] != _POD:
        yield from template_holds(maker, bounds, least=1)
        return
    if not has_been_created(maker):
        yield from quota_holds(bounds, maker.key, [EqualPods(root_of(maker).at("spec").mapping(), 1)])


def next_refusals(maker: Manifest, bounds: NewPods) -> tuple[CreationRefusal, ...]:
    """The bounds of ResourceQuotas that reject another pod of an object with one template; none for other objects.

    Raises ``FairshareError`` for a field of another type.
    """
    path = CARRIERS.get(maker.key[:2])
    spec = None if path is None else root_of(maker).at(*path, "spec").mapping()
    return () if spec is None else bounds.refusals([(maker.key, spec)])[0]


def rejected_pods(snapshot: Snapshot, holds: Callable[[Manifest, NewPods], Iterator[Hold]]) -> Iterator[Finding]:
    """A finding of lint for each new object and ResourceQuota that rejects some of its pods, at the object.

    ``holds`` says it of one object; one that cannot be read is left to other rules.
    """
    manifests = snapshot.manifests
    limited = {key.namespace for key in manifests if key[:2] == RESOURCE_QUOTA}
    new = [m for key, m in sorted(manifests.items()) if key.namespace in limited and _is_new(m)]
    bounds = new_pods(snapshot) if new else None
    for maker in new:
        try:
            found = [] if bounds is None else [h for h in holds(maker, bounds) if h.kind is HoldKind.QUOTA]
        except (FairshareError, *WRONG_SHAPE):
            continue
        key = maker.key
        for hold in found:
            title = f"{key.kind} `{key.namespace}/{key.name}`: {hold.sentence}"
            yield Finding(Place(key, ("spec",)), title, Remedy("raise the quota, or lower the requests"))


def _is_new(maker: Manifest) -> bool:
    """Whether an API server has yet to take the object, which no other one makes."""
    owners = maker.data.get("metadata")
    return not maker.stored and not (isinstance(owners, dict) and owners.get("ownerReferences"))
