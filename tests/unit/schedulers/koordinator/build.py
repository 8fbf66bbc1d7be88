"""Builds quotas, pods and nodes of Koordinator as manifests, and the state of them."""

import json
from collections.abc import Mapping
from typing import Any

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, Gates, KoordinatorState, Pod
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of
from kubectl_fairshare.schedulers.koordinator.reads import READS
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.recording import accepted_form, manifest_of
from kubectl_fairshare.schedulers.turns.line import PodLine, QueueEntry

PREFIX = "quota.scheduling.koordinator.sh/"
Amounts = Mapping[str, Any]
Object = dict[str, Any]


def quota(
    name: str,
    least: Amounts | None = None,
    most: Amounts | None = None,
    parent: str = "",
    namespace: str = "quotas",
    weight: Amounts | str | None = None,
    **labels: str,
) -> Object:
    """A quota; labels are written with underscores: ``is_parent="true"``."""
    written = {f"{PREFIX}{key.replace('_', '-')}": value for key, value in labels.items()}
    if parent:
        written[f"{PREFIX}parent"] = parent
    metadata: Object = {"name": name, "namespace": namespace, "labels": written}
    if weight is not None:
        text = weight if isinstance(weight, str) else json.dumps(weight)
        metadata["annotations"] = {f"{PREFIX}shared-weight": text}
    spec = {key: dict(value) for key, value in (("min", least), ("max", most)) if value is not None}
    return {
        "apiVersion": "scheduling.sigs.k8s.io/v1alpha1",
        "kind": "ElasticQuota",
        "metadata": metadata,
        "spec": spec,
    }


def pod(
    name: str,
    of: str = "",
    request: Amounts | None = None,
    node: str = "",
    priority: int = 0,
    namespace: str = "lab",
    **more: Any,
) -> Object:
    """A pod, on a node or waiting; ``more`` goes to its spec, ``labels`` to its metadata."""
    labels = {**({f"{PREFIX}name": of} if of else {}), **more.pop("labels", {})}
    status = {"phase": "Running" if node else "Pending", **more.pop("status", {})}
    spec: Object = {"priority": priority, "containers": [{"resources": {"requests": dict(request or {})}}], **more}
    if node:
        spec["nodeName"] = node
    metadata = {"name": name, "namespace": namespace, "labels": labels}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def node(name: str = "n1", **amounts: str) -> Object:
    """A node; 100 cpu, 400Gi of memory and 110 pods unless said otherwise."""
    allocatable = {
        "cpu": "100",
        "memory": "400Gi",
        "pods": "110",
        **{k.replace("gpu", "nvidia.com/gpu"): v for k, v in amounts.items()},
    }
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": allocatable}}


def manifests(*objects: Object) -> list[Manifest]:
    """The objects as an API server holds them."""
    return [manifest_of(accepted_form(each), Origin("built", i)) for i, each in enumerate(objects)]


def snapshot(*objects: Object) -> Snapshot:
    """The snapshot of the objects."""
    return assemble(manifests(*objects), KnownSchedulers((READS,))).snapshot


def state(
    *objects: Object,
    rounding: Rounding = Rounding.EACH,
    gates: Gates | None = None,
    arguments: Arguments | None = None,
) -> State:
    """The state of the objects, as the scheduler sees them."""
    source = snapshot(*objects).part(KoordinatorState)
    settings = (arguments or source.arguments, gates or source.gates)
    return state_of(replace(source, rounding=rounding, arguments=settings[0], gates=settings[1]))


def line(of: State) -> PodLine[Pod]:
    """The pods that wait, none of them tried yet; of one priority, the first by name first."""
    waiting = [each for each in of.source.pods if not (each.node or each.gated or each.terminating)]
    ages = {each.key: age for age, each in enumerate(waiting)}
    return PodLine(waiting, lambda each: QueueEntry("", ages[each.key], tried=False))


def runtimes(of: State, resource: str = "cpu", unit: int = 10**9) -> dict[str, int]:
    """The runtime of each quota of the input that has one, in whole units."""
    return {n: of.runtime(n)[resource] // unit for n in of.source.quotas if resource in of.runtime(n)}
