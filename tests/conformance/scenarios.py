"""Scenarios as they stand in ``testdata/scenarios``, and the objects that their short forms stand for.

The README there tells what may be written; anything else is an error.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.reading.state import with_configuration
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.screens import ROOT

FOLDER: Final = ROOT / "testdata" / "scenarios"
ASKED: Final = "new"
_API: Final = "kueue.x-k8s.io/v1beta2"
_NAMESPACE: Final = "team"
_BEGINNING: Final = datetime(2025, 1, 1, tzinfo=UTC)
_ANY: Final = ("queue", "name", "priority", "annotations")
_RUNNING: Final = (*_ANY, "count", "each", "flavor", "leaving", "pods", "admitted", "reclaimable")
_PENDING: Final = (
    *_ANY,
    "count",
    "request",
    "minCount",
    "nodeSelector",
    "tolerations",
    "preemptionGates",
    "preempting",
)

Document = dict[str, Any]


@dataclass(frozen=True)
class Scenario:
    """One file: what it shows, where that is written, why it is so; the state, the question, the answer."""

    name: str
    title: str
    source: str
    because: str
    given: Document
    when: Document
    then: Document

    @property
    def subject(self) -> str:
        """The document that it belongs to: its source up to the first comma."""
        return self.source.partition(",")[0]

    @property
    def engine(self) -> str:
        """The engine that is asked: the folder that the file is in, Kueue's where it is in none."""
        return self.name.rpartition("/")[0] or "kueue"


class UnknownKeyError(ValueError):
    """Raised for a key that no scenario may have."""


def known(where: str, given: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Raises ``UnknownKeyError`` unless every key of ``given`` is one of ``keys``."""
    allowed = sorted(keys)
    unknown = sorted(str(key) for key in given if key not in allowed)
    if unknown:
        raise UnknownKeyError(f"{where} has no `{'`, `'.join(unknown)}`; there is: {', '.join(allowed)}")


def scenario(path: Path) -> Scenario:
    """The scenario of one file."""
    _, (content,) = decode(path.name, path.read_bytes())
    keys = [f.name for f in fields(Scenario) if f.name != "name"]
    known(path.name, content, keys)
    name = path.relative_to(FOLDER) if path.is_relative_to(FOLDER) else Path(path.name)
    return Scenario(name.with_suffix("").as_posix(), **{key: content[key] for key in keys})


def every_scenario() -> list[Scenario]:
    """All scenarios by file name."""
    return [scenario(path) for path in sorted(FOLDER.rglob("*.yaml"))]


def snapshot(given: Document, asked: Document | None = None) -> Snapshot:
    """The state of a scenario; ``asked`` is a workload that waits beside the others, called ``new``."""
    known("given", given, ("configuration", "fairSharing", "objects", "running", "pending"))
    fair = given.get("fairSharing")
    strategies = None if fair is None else tuple(fair["preemptionStrategies"])

    waiting = [*given.get("pending", ()), *([{"name": ASKED, **asked}] if asked is not None else ())]
    objects = list(quota_objects(given["objects"]))
    objects += _workloads(objects, given.get("running", ()), waiting)
    if "configuration" in given:
        objects.append(manager(given["configuration"]))
    snapshot = assemble(manifests_of(objects, "scenario"), known_schedulers()).snapshot
    return with_configuration(snapshot, lambda found: replace(found, strategies=strategies))


def quota_objects(written: Iterable[Document]) -> Iterator[Document]:
    """The objects as written, with what the short form leaves out."""
    objects = [_whole(o) for o in written]
    names = {(o["kind"], o["metadata"]["name"]) for o in objects}
    yield from objects
    yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": _NAMESPACE}}
    for flavor in sorted(set(_flavors(objects))):
        if ("ResourceFlavor", flavor) not in names:
            yield _whole({"kind": "ResourceFlavor", "metadata": {"name": flavor}})
    for kind, name in sorted(names):
        if kind == "ClusterQueue" and ("LocalQueue", name) not in names:
            metadata = {"name": name, "namespace": _NAMESPACE}
            yield _whole({"kind": "LocalQueue", "metadata": metadata, "spec": {"clusterQueue": name}})


def _whole(written: Document) -> Document:
    whole = {"apiVersion": _API, **written}
    if whole["kind"] == "ClusterQueue":
        whole["spec"] = {"namespaceSelector": {}, **whole["spec"]}
    return whole


def _groups(quota_object: Document) -> list[Document]:
    found: list[Document] = quota_object.get("spec", {}).get("resourceGroups", [])
    return found


def _flavors(objects: Iterable[Document]) -> Iterator[str]:
    for quota_object in objects:
        for group in _groups(quota_object):
            yield from (flavor["name"] for flavor in group["flavors"])


def manager(configuration: Document) -> Document:
    """The ConfigMap with a Configuration."""
    whole = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", **configuration}
    metadata = {"name": "kueue-manager-config", "namespace": "kueue-system"}
    data = {"controller_manager_config.yaml": json.dumps(whole)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def _workloads(objects: list[Document], running: Iterable[Document], pending: Iterable[Document]) -> list[Document]:
    """Workloads in the order written, each made (and admitted) a minute after the one before."""
    found: list[Document] = []
    queues = {o["metadata"]["name"]: o for o in objects if o["kind"] == "ClusterQueue"}
    for entry in running:
        known("running", entry, _RUNNING)
        name = str(entry.get("name", entry["queue"]))
        numbered = [f"{name}-{number}" for number in range(1, entry["count"] + 1)] if "count" in entry else [name]
        for one in numbered:
            found.append(_running(entry, queues[entry["queue"]], one, moment(len(found))))
    for entry in pending:
        found.append(_pending(entry, moment(len(found))))
    return found


def moment(minute: int) -> str:
    """A moment so many minutes after the beginning of all scenarios."""
    return (_BEGINNING + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _running(entry: Document, queue: Document, name: str, at: str) -> Document:
    each = entry["each"]
    flavors = {resource: entry.get("flavor", _first_flavor(queue, resource)) for resource in each}
    pods = entry.get("pods", 1)
    admitted = entry.get("admitted", pods)
    usage = {resource: amount if admitted == 1 else amount * admitted for resource, amount in each.items()}
    assigned = {"name": "main", "count": admitted, "flavors": flavors, "resourceUsage": usage}
    reached = ["QuotaReserved", *(["Evicted"] if entry.get("leaving") else [])]
    conditions = [
        {"type": kind, "status": "True", "reason": kind, "message": "", "lastTransitionTime": at} for kind in reached
    ]
    admission = {"clusterQueue": entry["queue"], "podSetAssignments": [assigned]}
    workload = _workload(entry, name, at, {**_pod_set(each), "count": pods})
    status = {"admission": admission, "conditions": conditions}
    if "reclaimable" in entry:
        status["reclaimablePods"] = [{"name": "main", "count": entry["reclaimable"]}]
    return {**workload, "status": status}


def _first_flavor(queue: Document, resource: str) -> str:
    group = next(g for g in _groups(queue) if resource in g["coveredResources"])
    name: str = group["flavors"][0]["name"]
    return name


def _pending(entry: Document, at: str) -> Document:
    known("a workload", entry, _PENDING)
    pod_set = {**_pod_set(entry["request"]), "count": entry.get("count", 1)}
    if "minCount" in entry:
        pod_set["minCount"] = entry["minCount"]
    for key in ("nodeSelector", "tolerations"):
        if key in entry:
            pod_set["template"]["spec"][key] = entry[key]
    workload = _workload(entry, entry["name"], at, pod_set)
    if "preemptionGates" in entry:
        workload["spec"]["preemptionGates"] = [{"name": gate} for gate in entry["preemptionGates"]]
    if entry.get("preempting"):
        message = "Preempting workloads. Pending the preemption of 1 workload(s)"
        workload["status"] = {"conditions": [_waiting_for_preempted(message, at)]}
    return workload


def _waiting_for_preempted(message: str, at: str) -> Document:
    return {
        "type": "QuotaReserved",
        "status": "False",
        "reason": "WaitingForPreemptedWorkloads",
        "message": message,
        "lastTransitionTime": at,
    }


def _pod_set(request: Document) -> Document:
    container = {"name": "c", "image": "example.com/c", "resources": {"requests": request}}
    return {"name": "main", "count": 1, "template": {"spec": {"restartPolicy": "Never", "containers": [container]}}}


def _workload(entry: Document, name: str, at: str, pod_set: Document) -> Document:
    """A Workload that an API server holds already: it has a status, which no one may write along with the rest."""
    metadata = {
        "name": name,
        "namespace": _NAMESPACE,
        "uid": name,
        "creationTimestamp": at,
        "resourceVersion": "1",
        **({"annotations": entry["annotations"]} if "annotations" in entry else {}),
    }
    spec = {"queueName": entry["queue"], "priority": entry.get("priority", 0), "podSets": [pod_set]}
    return {"apiVersion": _API, "kind": "Workload", "metadata": metadata, "spec": spec}
