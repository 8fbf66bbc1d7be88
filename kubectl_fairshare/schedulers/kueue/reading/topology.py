"""Topologies, Nodes, pods that no topology places, and where workloads are placed.

Read fast where objects are plain: there are thousands of nodes and tens of thousands of pods.
Source: Kueue v0.19, KEP-2724; "topology" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.pod_surroundings import unreadable
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem, misread
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.schedulers.kueue.admission.topology_encoding import domains
from kubectl_fairshare.schedulers.kueue.jobs.requests import amounts, pod_resources, total
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.topology import (
    PODS,
    DomainPods,
    Node,
    PlacedPods,
    Topology,
    TopologyAssignment,
)
from kubectl_fairshare.schedulers.kueue.reading.typed import WRONG_SHAPE, MisreadError
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease

NODE: Final = ("", "Node")
POD: Final = ("", "Pod")
_GONE: Final = ("Succeeded", "Failed")
_TOPOLOGY_LABEL: Final = f"{GROUP}/tas"
_PLACED_BY_TOPOLOGY: Final = tuple(
    f"{GROUP}/podset-{name}"
    for name in (
        "required-topology",
        "preferred-topology",
        "unconstrained-topology",
        "slice-required-topology",
        "slice-required-topology-constraints",
    )
)
_PLAIN_SPEC: Final = frozenset(("initContainers", "overhead", "runtimeClassName", "resources"))


def topology(manifest: Manifest) -> Topology:
    """A Topology. Raises ``MisreadError``."""
    try:
        spec: Mapping[str, Any] = manifest.data.get("spec") or {}
        levels = tuple(level["nodeLabel"] for level in spec.get("levels") or ())
    except WRONG_SHAPE as error:
        raise MisreadError(misread(error)) from error
    if any(level.__class__ is not str for level in levels):
        raise MisreadError("`levels` must be a list of node labels")
    return Topology(manifest.key.name, levels)


def node(manifest: Manifest) -> Node:
    """A Node. Raises ``MisreadError``."""
    try:
        data: Mapping[str, Any] = manifest.data
        spec, status = data.get("spec") or {}, data.get("status") or {}
        conditions = status.get("conditions") or ()
        return Node(
            manifest.key.name,
            _labels(data["metadata"].get("labels") or {}),
            _taints(spec.get("taints")),
            {r: _amount(r, v) for r, v in (status.get("allocatable") or {}).items()},
            any(c["type"] == "Ready" and c["status"] == "True" for c in conditions),
            spec.get("unschedulable") is True,
        )
    except WRONG_SHAPE as error:
        raise MisreadError(misread(error)) from error


def _labels(labels: Mapping[str, Any]) -> Mapping[str, str]:
    """The labels. Raises ``MisreadError`` for a value that no API server keeps."""
    if not all(isinstance(value, str) for value in labels.values()):
        raise MisreadError("a label is not a text")
    return labels


@lru_cache(maxsize=4096)
def _amount(resource: str, value: str | int | float) -> int:
    """One amount; the same texts come back on thousands of nodes."""
    return quantity.amount(resource, value)


def _taints(taints: Any) -> tuple[Taint, ...]:
    return tuple(Taint(t["key"], t.get("value") or "", t["effect"]) for t in taints) if taints else ()


def occupied_by(
    pods: Iterable[Manifest], problems: list[Problem], release: KueueRelease = DEFAULT
) -> dict[str, dict[str, int]]:
    """By node, what the pods on it take that no topology places; what cannot be read goes to ``problems``."""
    found: dict[str, dict[str, int]] = {}
    for manifest in pods:
        try:
            name, amounts_there = _taken(manifest, release)
        except FairshareError as error:
            problems.extend(error.problems)
        else:
            if name is not None:
                _add(found.setdefault(name, {}), amounts_there)
    return found


def _taken(pod: Manifest, release: KueueRelease) -> tuple[str | None, Mapping[str, int]]:
    """The node that the pod takes room of, if it takes any, and its amounts. Raises ``FairshareError``."""
    try:
        name = _node_of(pod.data, release)
        return name, {} if name is None else _pod_amounts(pod)
    except WRONG_SHAPE as error:
        raise unreadable(pod.key, pod.data, error) from error


def _node_of(pod: JsonObject, release: KueueRelease) -> str | None:
    """The node that the pod takes room of; None where it takes none, or a topology places it."""
    spec: Mapping[str, Any] = pod.get("spec") or {}
    name = spec.get("nodeName")
    if not name or (pod.get("status") or {}).get("phase") in _GONE:
        return None
    annotations = pod["metadata"].get("annotations")
    known = _PLACED_BY_TOPOLOGY if release.slice_constraints else _PLACED_BY_TOPOLOGY[:-1]
    if annotations and any(each in annotations for each in known):
        return None
    if release.topology_label and _TOPOLOGY_LABEL in (pod["metadata"].get("labels") or ()):
        return None
    return str(name)


def _pod_amounts(pod: Manifest) -> Mapping[str, int]:
    spec: Mapping[str, Any] = pod.data["spec"]
    plain = plain_amounts(spec)
    if plain is None:
        field = root_of(pod).at("spec")
        plain = amounts(total(pod_resources(field, {}, {}, native=True, is_pod=True)))
    return {**plain, PODS: plain.get(PODS, 0) + 1}


def plain_amounts(spec: Mapping[str, Any]) -> Mapping[str, int] | None:
    """What a pod with nothing but requests of its containers takes; None for any other, and for one of another type."""
    try:
        return _plain_amounts(spec)
    except WRONG_SHAPE:
        return None


def _plain_amounts(spec: Mapping[str, Any]) -> Mapping[str, int] | None:
    if not _PLAIN_SPEC.isdisjoint(spec):
        return None
    texts: list[tuple[str, Json]] = []
    containers = spec.get("containers") or ()
    for container in containers:
        resources = container.get("resources")
        if resources:
            requests = resources.get("requests") or {}
            limits = resources.get("limits")
            if limits and not limits.keys() <= requests.keys():
                return None
            texts += requests.items()
    if len(containers) == 1:
        return _single(tuple(texts))
    return None if _repeats(texts) else _single(tuple(texts))


def _repeats(texts: list[tuple[str, Json]]) -> bool:
    return len({resource for resource, _ in texts}) < len(texts)


@lru_cache(maxsize=4096)
def _single(texts: tuple[tuple[str, str | int | float], ...]) -> Mapping[str, int]:
    return {resource: quantity.amount(resource, value) for resource, value in texts}


def _add(total_amounts: dict[str, int], more: Mapping[str, int]) -> None:
    for resource, amount in more.items():
        total_amounts[resource] = total_amounts.get(resource, 0) + amount


def assignment(data: JsonObject | None) -> TopologyAssignment | None:
    """A topologyAssignment of v1beta2, decoded. Raises ``MisreadError``."""
    if not data:
        return None
    try:
        found = tuple(DomainPods(tuple(map(str, d["values"])), d["count"]) for d in domains(data))
        if any(each.pods.__class__ is not int for each in found):
            raise MisreadError("a number of pods must be a whole number")
        return TopologyAssignment(tuple(data.get("levels") or ()), found)
    except (*WRONG_SHAPE, ValueError) as error:
        raise MisreadError(f"`topologyAssignment`: {misread(error)}") from error


def placements(
    manifest: Manifest, flavors: Mapping[str, ResourceFlavor], context: PodContext, *, charged: bool
) -> tuple[PlacedPods, ...]:
    """Where the pods of a workload that holds quota are. Raises ``MisreadError`` and ``FairshareError``.

    ``charged``: they take what the Workload is charged, see ``KueueRelease.charges_on_nodes``.
    """
    return tuple(_placements(manifest, flavors, context, charged))


def _placements(
    manifest: Manifest, flavors: Mapping[str, ResourceFlavor], context: PodContext, charged: bool
) -> Iterator[PlacedPods]:
    spec, status = manifest.data["spec"], manifest.data["status"]
    pod_sets = {(p.get("name") or "main"): i for i, p in enumerate(spec["podSets"])}
    for each in status["admission"]["podSetAssignments"]:
        topology_assignment = assignment(each.get("topologyAssignment"))
        index = pod_sets.get(each.get("name") or "main")
        if topology_assignment is None or index is None:
            continue
        names = {f for f in (each.get("flavors") or {}).values() if f in flavors and flavors[f].topology is not None}
        request = (
            _charges(each, spec["podSets"][index])
            if charged
            else _template_amounts(manifest, index, spec["podSets"][index], context)
        )
        yield PlacedPods(tuple(sorted(names)), request, topology_assignment.domains)


def _charges(admitted: Mapping[str, Any], pod_set: Mapping[str, Any]) -> Mapping[str, int]:
    """What one pod of an admitted pod set is charged."""
    count = admitted.get("count") or pod_set.get("count") or 1
    return {r: _amount(r, value) // count for r, value in (admitted.get("resourceUsage") or {}).items()}


def _template_amounts(
    manifest: Manifest, index: int, pod_set: Mapping[str, Any], context: PodContext
) -> Mapping[str, int]:
    """The requests of one pod as they count on a node: no resource is excluded or transformed."""
    limits = context.limit_ranges.get(manifest.key.namespace, {})
    plain = None if limits else plain_amounts(pod_set["template"]["spec"])
    if plain is not None:
        return plain
    spec = root_of(manifest).at("spec", "podSets").entries()[index].at("template", "spec")
    return amounts(total(pod_resources(spec, context.overheads, limits, native=False, is_pod=False)))
