"""Scenarios of testdata/jobs: a short way to write manifests, and how to read them."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import LabelSelector, Requirement
from kubectl_fairshare.schedulers.kueue.jobs import Context
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration, LocalQueue, Transformation
from tests.screens import ROOT
from tests.unit.schedulers.kueue.jobs.contexts import context_of

FOLDER = ROOT / "testdata" / "jobs"
DEFAULT_CREATED = 1000
_QUEUE = {"kueue.x-k8s.io/queue-name": "q"}
_API = {
    "Job": "batch/v1",
    "Pod": "v1",
    "JobSet": "jobset.x-k8s.io/v1alpha2",
    "Workload": "kueue.x-k8s.io/v1beta2",
}


def scenarios(name: str) -> list[dict[str, Any]]:
    """The documents of one file."""
    return list(yaml.load_all((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader))


def manifest(data: dict[str, Any]) -> Manifest:
    """An object as a source hands it over."""
    group, _, version = data["apiVersion"].rpartition("/")
    metadata = data["metadata"]
    key = ObjectKey(group, data["kind"], metadata.get("namespace", ""), metadata.get("name", ""))
    return Manifest(key, version, data, Origin("scenario.yaml", 0))


def written(when: dict[str, Any]) -> Manifest:
    """The manifest of a scenario, written out or in the short form."""
    return manifest(when if "apiVersion" in when else _long(when))


def _long(when: dict[str, Any]) -> dict[str, Any]:
    kind = when["kind"]
    metadata = {"name": "train", "namespace": when.get("namespace", "team"), "labels": when.get("labels", _QUEUE)}
    for name in ("annotations", "ownerReferences"):
        metadata |= {name: when[name]} if name in when else {}
    if when.get("stored"):
        metadata["resourceVersion"] = "1"
    templates = [_template(p) for p in when.get("podSets", [{}])]
    spec = _spec(kind, templates, when) | when.get("spec", {})
    if kind == "Pod":
        metadata |= templates[0]["metadata"]
    data = {"apiVersion": _API[kind], "kind": kind, "metadata": metadata, "spec": spec}
    return data | ({"status": when["status"]} if "status" in when else {})


def _spec(kind: str, templates: list[dict[str, Any]], when: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "Job":
        return {"template": templates[0]}
    if kind == "Pod":
        return dict(templates[0]["spec"])
    if kind == "JobSet":
        jobs = [{"name": f"r{i}", "template": {"spec": {"template": t}}} for i, t in enumerate(templates)]
        return {"replicatedJobs": jobs}
    asked = [p.get("topologyRequest") for p in when.get("podSets", [{}])]
    pod_sets = [
        {"name": f"p{i}", "count": 1, "template": t} | ({"topologyRequest": a} if a else {})
        for i, (t, a) in enumerate(zip(templates, asked, strict=True))
    ]
    return {"podSets": pod_sets, "queueName": "q"}


def _template(pod_set: Mapping[str, Any]) -> dict[str, Any]:
    spec = {k: v for k, v in pod_set.items() if k not in ("annotations", "topologyRequest")}
    for kind in ("containers", "initContainers"):
        if kind in pod_set:
            spec[kind] = [_container(c) for c in pod_set[kind]]
    annotations = pod_set.get("annotations")
    return {"metadata": {"annotations": annotations} if annotations else {}, "spec": spec}


def _container(container: Mapping[str, Any]) -> dict[str, Any]:
    resources = {k: container[k] for k in ("requests", "limits") if k in container}
    policy = {"restartPolicy": container["restartPolicy"]} if "restartPolicy" in container else {}
    return {"name": "c", "image": "registry.example/c", "resources": resources} | policy


def surroundings(scenario: Mapping[str, Any]) -> Context:
    """The context of a scenario: its ``given``, ``configuration``, ``workloadPriorities`` and ``localQueues``."""
    written_configuration = scenario.get("configuration", {})
    selector = written_configuration.get("managedNamespaces")
    configuration = Configuration(
        excluded_prefixes=tuple(written_configuration.get("excluded", ())),
        transformations=tuple(_transformations(written_configuration.get("transformations", ()))),
        managed_namespaces=LabelSelector(tuple(requirement(r) for r in selector)) if selector else None,
        manage_unlabelled=written_configuration.get("manageUnlabelled", False),
        elastic_slices=written_configuration.get("elasticSlices", True),
        topology=written_configuration.get("topology", True),
        naming_annotations=written_configuration.get("namingAnnotations", True),
        admission_gates=written_configuration.get("admissionGates", True),
        external_frameworks=tuple(written_configuration.get("externalFrameworks", ())),
        frameworks=tuple(written_configuration.get("frameworks", ("batch/job", "pod", "jobset.x-k8s.io/jobset"))),
    )
    return context_of(
        [manifest(m) for m in scenario.get("given", ())],
        configuration,
        scenario.get("workloadPriorities", {}),
        local_queues=[
            LocalQueue(q["namespace"], q["name"], "cq", q.get("stopPolicy", "None"))
            for q in scenario.get("localQueues", ())
        ],
        default_created=DEFAULT_CREATED,
        configured=scenario.get("configured", True),
    )


def _transformations(entries: Any) -> Iterator[Transformation]:
    for entry in entries:
        yield Transformation(entry["input"], entry["strategy"], entry["outputs"], entry.get("multiplyBy"))


def requirement(parts: list[Any]) -> Requirement:
    """A requirement written as ``[key, operator, [values]]``."""
    return Requirement(parts[0], parts[1], tuple(parts[2]))
