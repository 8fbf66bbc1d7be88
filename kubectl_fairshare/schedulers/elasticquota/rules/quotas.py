"""ElasticQuotas with the pods that they limit: the shared input of several rules."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.node_demand import NodeDemand, read_demand
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, inside, mapping, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import read_pod
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, STORAGE, Vector, is_held, is_sound

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import QuotaReport, QuotaTable
    from kubectl_fairshare.schedulers.elasticquota.quotas.ledger import Ledger
    from kubectl_fairshare.schedulers.elasticquota.quotas.state import State

LISTS: Final = ("min", "max")
_TEMPLATES: Final[Mapping[tuple[str, str], FieldPath]] = {
    ("apps", "DaemonSet"): ("spec", "template"),
    ("apps", "Deployment"): ("spec", "template"),
    ("apps", "ReplicaSet"): ("spec", "template"),
    ("apps", "StatefulSet"): ("spec", "template"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("batch", "Job"): ("spec", "template"),
}


class ChargedPod(Value, frozen=True):
    """A pod, or the pod of a template, in a namespace with a quota. ``path`` leads to its ``spec``."""

    pod: Pod
    path: FieldPath
    spec: JsonObject

    def at(self, *path: str | int) -> Place:
        """A field of the pod's spec, or the nearest field that is set."""
        found: list[str | int] = []
        value: Json = self.spec
        for part in path:
            inside = part in value if isinstance(value, dict) else isinstance(value, list) and part in range(len(value))
            if not inside:
                break
            found.append(part)
            value = value[part]
        return Place(self.pod.key, (*self.path, *found))

    @property
    def demand(self) -> NodeDemand | None:
        """The nodes that the pod may use; None if unknown."""
        try:
            return read_demand(Field(self.pod.key, self.path, self.spec))
        except FairshareError:
            return None


class Quotas(Value, frozen=True, eq=False, dict=True):
    """The quotas that count, one per namespace, and what pods request of them; false without quotas.

    ``missed`` are resources of quotas that are rejected or unreadable. The engine is loaded when the figures are first
    needed, and never without quotas.
    """

    source: ElasticQuotaState
    asking: Mapping[str, tuple[ChargedPod, ...]]
    missed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.source.quotas)

    @cached_property
    def state(self) -> "State":
        """The engine's input."""
        from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of

        return state_of(self.source)

    @cached_property
    def table(self) -> "QuotaTable":
        """The figures of all quotas."""
        from kubectl_fairshare.schedulers.elasticquota.explain.shares import shares

        return shares(self.state, {})

    @property
    def ledger(self) -> "Ledger":
        """What every quota has in use."""
        return self.state.ledger

    @property
    def reports(self) -> "tuple[QuotaReport, ...]":
        """The figures of every quota, by namespace."""
        return self.table.quotas if self else ()

    @cached_property
    def requested(self) -> Mapping[str, Mapping[str, tuple[ChargedPod, ...]]]:
        """The pods that request a resource, by resource and namespace."""
        found: dict[str, dict[str, list[ChargedPod]]] = {}
        for namespace, asking in self.asking.items():
            for each in asking:
                for resource in charged_resources(each.pod.charge):
                    found.setdefault(resource, {}).setdefault(namespace, []).append(each)
        return {r: {n: tuple(a) for n, a in by.items()} for r, by in sorted(found.items())}

    @cached_property
    def unsound(self) -> frozenset[str]:
        """Resources with a min that is negative, too large or unknown: their sum has no meaning."""
        quotas = self.source.quotas.values()
        odd = {r for q in quotas for r, value in q.written_min.items() if not is_sound(r, value)}
        return self.missed | odd

    def borrowers(self) -> "Iterator[QuotaReport]":
        """The quotas that use more than their min of a resource."""
        return (report for report in self.reports if self.ledger.borrows(report.quota.namespace))


def quotas_of(snapshot: Snapshot, context: PodContext) -> Quotas:
    """The quotas of a snapshot."""
    source = snapshot.part(ElasticQuotaState)
    if not source.quotas:
        return Quotas(source, {})
    return Quotas(source, _asking(snapshot, context), frozenset(_missed(snapshot)))


def _missed(snapshot: Snapshot) -> Iterator[str]:
    """The resources in min and max of quotas that are rejected or unreadable."""
    source = snapshot.part(ElasticQuotaState)
    known = {quota.key for quota in (*source.quotas.values(), *(q for each in source.others.values() for q in each))}
    for key, manifest in snapshot.manifests.items():
        if (key.group, key.kind) == (GROUP, KIND) and key not in known:
            for name in LISTS:
                yield from mapping(manifest.data, "spec", name)


def _asking(snapshot: Snapshot, context: PodContext) -> Mapping[str, tuple[ChargedPod, ...]]:
    found: dict[str, list[ChargedPod]] = {namespace: [] for namespace in snapshot.part(ElasticQuotaState).quotas}
    for pod in snapshot.part(ElasticQuotaState).pods:
        if pod.namespace in found:
            found[pod.namespace].append(ChargedPod(pod, ("spec",), snapshot.manifests[pod.key].data["spec"]))
    templates = [m for m in snapshot.manifests.values() if (m.key.group, m.key.kind) in _TEMPLATES]
    for each in _of_templates((m for m in templates if m.key.namespace in found), snapshot, context):
        found[each.pod.namespace].append(each)
    return {namespace: tuple(asking) for namespace, asking in found.items()}


def _of_templates(templates: Iterable[Manifest], snapshot: Snapshot, context: PodContext) -> Iterator[ChargedPod]:
    """The pods of templates, without those that another object of the input made, or that have ended."""
    classes = (m for m in snapshot.manifests.values() if m.key.kind == "PriorityClass")
    around = surroundings(classes, context)
    for manifest in templates:
        path = _TEMPLATES[manifest.key.group, manifest.key.kind]
        template = mapping(manifest.data, *path)
        if not isinstance(template.get("spec"), dict) or _is_made(manifest):
            continue
        data = {"metadata": template.get("metadata"), "spec": template["spec"]}
        try:
            pod = read_pod(manifest.key, data, around, taken=False)
        except FairshareError:  # a template without pods requests nothing
            continue
        if pod is not None:
            yield ChargedPod(pod, (*path, "spec"), template["spec"])


def _is_made(manifest: Manifest) -> bool:
    """Whether another object made this one, or it has ended."""
    ended = [c for c in rows(manifest.data, "status", "conditions") if c.get("type") in ("Complete", "Failed")]
    return bool(inside(manifest.data, "metadata", "ownerReferences")) or any(c.get("status") == "True" for c in ended)


def charged_resources(charge: Vector) -> Iterator[str]:
    """The resources that a pod is charged for."""
    return (r for r in charge.listed() if charge.of(r) > 0 and r != PODS)


def lists(written: Mapping[str, Json], resource: str) -> bool:
    """Whether a list names the resource, even with a name that is ignored: ``requests.cpu``, ``gpu``."""
    return resource in written or any(
        name.removeprefix("requests.") == resource or resource.endswith(f"/{name.removeprefix('requests.')}")
        for name in written
        if not is_held(name)
    )


def written_list(quota: ElasticQuota, name: str) -> Mapping[str, Json]:
    """One of the quota's lists, as written."""
    return quota.written_min if name == "min" else quota.written_max


def is_injected(resource: str) -> bool:
    """Whether admission plugins often add the request, so that no manifest shows it."""
    return resource == STORAGE
