"""Objects of small organisations, as texts: what is not said is healthy."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

GROUP = "kueue.x-k8s.io"
Amount = int | str
Quota = Amount | tuple[Amount, Amount | None, Amount | None]
Quotas = Mapping[str, Mapping[str, Quota]]
Groups = list[dict[str, dict[str, Any]]]
GPU = "nvidia.com/gpu"


def manifest(api: str, kind: str, name: str, namespace: str = "", labels: Any = None, **rest: Any) -> str:
    """Any object."""
    metadata: dict[str, Any] = {"name": name}
    if namespace:
        metadata["namespace"] = namespace
    if labels:
        metadata["labels"] = labels
    return json.dumps({"apiVersion": api, "kind": kind, "metadata": metadata, **rest}) + "\n"


def kueue(kind: str, name: str, namespace: str = "", **rest: Any) -> str:
    """An object of Kueue's."""
    return manifest(f"{GROUP}/v1beta2", kind, name, namespace, **rest)


def older(text: str) -> str:
    """The object as v1beta1 writes it."""
    return text.replace(f"{GROUP}/v1beta2", f"{GROUP}/v1beta1").replace('"cohortName"', '"cohort"')


def flavor(name: str = "default", labels: Mapping[str, str] | None = None, **spec: Any) -> str:
    """A ResourceFlavor."""
    return kueue("ResourceFlavor", name, spec=({"nodeLabels": labels} if labels else {}) | spec)


def _quota(resource: str, quota: Quota) -> dict[str, Any]:
    nominal, borrowing, lending = quota if isinstance(quota, tuple) else (quota, None, None)
    limits = {"borrowingLimit": borrowing, "lendingLimit": lending}
    return {"name": resource, "nominalQuota": nominal} | {k: v for k, v in limits.items() if v is not None}


def group(quotas: Quotas) -> dict[str, Any]:
    """A resource group: quotas by flavor and resource, each ``nominal`` or ``(nominal, borrowing, lending)``."""
    covered = list(next(iter(quotas.values())))
    flavors = [{"name": f, "resources": [_quota(r, q) for r, q in table.items()]} for f, table in quotas.items()]
    return {"coveredResources": covered, "flavors": flavors}


def queue(name: str = "team", cohort: str | None = None, quota: Quota | Groups = 8, **spec: Any) -> str:
    """A ClusterQueue, of cpu in one flavor unless groups are given. A field that is None is left out."""
    groups = [group(each) for each in quota] if isinstance(quota, list) else [group({"default": {"cpu": quota}})]
    fields = {"cohortName": cohort, "namespaceSelector": {}, "resourceGroups": groups} | spec
    return kueue("ClusterQueue", name, spec={key: value for key, value in fields.items() if value is not None})


def cohort(name: str, parent: str | None = None, quotas: Quotas | None = None) -> str:
    """A Cohort."""
    spec = {"parentName": parent, "resourceGroups": [group(quotas)] if quotas else None}
    return kueue("Cohort", name, spec={key: value for key, value in spec.items() if value is not None})


def local_queue(name: str = "jobs", target: str | None = "team", namespace: str = "team", **spec: Any) -> str:
    """A LocalQueue."""
    return kueue("LocalQueue", name, namespace, spec=({"clusterQueue": target} if target else {}) | spec)


def job(
    name: str = "train",
    requests: Mapping[str, str] | None = None,
    *,
    queue: str = "jobs",
    namespace: str = "team",
    pods: int = 1,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    limits: Mapping[str, str] | None = None,
    **pod: Any,
) -> str:
    """A batch Job of alike pods."""
    resources = {"requests": {"cpu": "1"} if requests is None else requests} | ({"limits": limits} if limits else {})
    spec = {"restartPolicy": "Never", "containers": [{"name": "main", "image": "x", "resources": resources}], **pod}
    body = {"suspend": True, "parallelism": pods, "completions": pods, "template": {"spec": spec}}
    metadata = {"name": name, "namespace": namespace, "labels": {f"{GROUP}/queue-name": queue, **(labels or {})}}
    if annotations:
        metadata["annotations"] = annotations
    return json.dumps({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": body}) + "\n"


def node(name: str, labels: Mapping[str, str] | None = None, taints: Sequence[Any] = (), **allocatable: str) -> str:
    """A Node of 8 cpu and 32Gi memory, unless said otherwise."""
    offered = {"cpu": "8", "memory": "32Gi"} | allocatable
    spec = {"taints": list(taints)} if taints else {}
    return manifest("v1", "Node", name, labels=labels, spec=spec, status={"allocatable": offered})


def namespace(name: str = "team", **labels: str) -> str:
    """A Namespace."""
    return manifest("v1", "Namespace", name, labels=labels)


RECLAIM = {"reclaimWithinCohort": "Any"}
ORGANISATION = (flavor(), queue(), local_queue())


def preemption(reclaim: str = "Never", within: str = "Never", borrow: str = "policy: Never") -> str:
    fields = f"reclaimWithinCohort: {reclaim}, withinClusterQueue: {within}, borrowWithinCohort: {{{borrow}}}"
    return f"  preemption: {{{fields}}}\n"


def two(a: Quota, b: Quota) -> tuple[str, ...]:
    """Queues ``a`` and ``b`` of cohort ``org``."""
    return flavor(), cohort("org"), queue("a", "org", a, preemption=RECLAIM), queue("b", "org", b)
