"""Finds the field of a pod that has a type which no API server would store."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field, wrong
from kubectl_fairshare.jobs.nodes import node_selector, required_affinity, tolerations

_TEXTS: Final = ("nodeName", "schedulerName", "priorityClassName", "runtimeClassName")
_STATUS_TEXTS: Final = ("nominatedNodeName", "startTime", "phase")
_MOMENTS: Final = ("creationTimestamp", "deletionTimestamp")
_AMOUNTS: Final = ("requests", "limits")
_CONTAINERS: Final = ("initContainers", "containers")
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


def check_pod(root: Field) -> None:
    """Returns if the fields of a pod, or of a pod template, that schedulers read have the right types.

    Raises ``FairshareError`` with the first field that does not.
    """
    metadata, spec, status = root.at("metadata"), root.at("spec"), root.at("status")
    metadata.at("labels").texts()
    metadata.at("annotations").texts()
    for name in _MOMENTS:
        metadata.at(name).moment()
    for name in _CONTAINERS:
        for container in _objects(spec.at(name)):
            container.at("name").text()
            container.at("restartPolicy").text()
            container.at("resources").mapping()
            _check_amounts(container.at("resources"))
    spec.at("overhead").resources(native=True)
    _check_amounts(spec.at("resources"))
    spec.at("priority").integer(0)
    for name in _TEXTS:
        spec.at(name).text()
    check_placing(spec)
    _check_status(status)


def check_placing(spec: Field) -> None:
    """Returns if the fields of ``spec`` that choose nodes have the right types.

    Raises ``FairshareError`` with the first field that does not.
    """
    node_selector(spec)
    required_affinity(spec)
    tolerations(spec)
    for preferred in _objects(spec.at("affinity", "nodeAffinity", _PREFERRED)):
        preferred.at("weight").integer(0)
    for kind in ("podAffinity", "podAntiAffinity"):
        _check_neighbours(spec.at("affinity", kind))
    for constraint in _objects(spec.at("topologySpreadConstraints")):
        constraint.at("whenUnsatisfiable").text()
    for volume in _objects(spec.at("volumes")):
        volume.at("name").text()
        volume.at("persistentVolumeClaim").mapping()
    for claim in _objects(spec.at("resourceClaims")):
        claim.at("name").text()
        claim.at("resourceClaimName").text()
    for name in _CONTAINERS:
        for container in _objects(spec.at(name)):
            _check_ports(container.at("ports"))


def _check_status(status: Field) -> None:
    for name in _STATUS_TEXTS:
        status.at(name).text()
    for condition in _objects(status.at("conditions")):
        condition.at("type").text()
        condition.at("status").text()
    for claim in _objects(status.at("resourceClaimStatuses")):
        claim.at("name").text()
        claim.at("resourceClaimName").text()
    for name in ("initContainerStatuses", "containerStatuses"):
        for container in _objects(status.at(name)):
            container.at("name").text()
            _check_amounts(container.at("resources"))
            container.at("allocatedResources").resources(native=True)


def _check_neighbours(affinity: Field) -> None:
    """Affinity to other pods, or against them."""
    for term in _objects(affinity.at(_REQUIRED)):
        _check_term(term)
    for preferred in _objects(affinity.at(_PREFERRED)):
        preferred.at("weight").integer(0)
        _check_term(preferred.at("podAffinityTerm"))


def _check_term(term: Field) -> None:
    term.at("topologyKey").text()
    for name in term.at("namespaces").entries():
        name.text()
    selector = term.at("labelSelector")
    selector.at("matchLabels").texts()
    for requirement in _objects(selector.at("matchExpressions")):
        requirement.at("key").text()
        requirement.at("operator").text()
        for value in requirement.at("values").entries():
            value.text()


def _check_ports(ports: Field) -> None:
    for port in _objects(ports):
        port.at("hostPort").integer(0)
        port.at("containerPort").integer(0)
        port.at("protocol").text()
        port.at("hostIP").text()


def _check_amounts(resources: Field) -> None:
    for name in _AMOUNTS:
        resources.at(name).resources(native=True)


def _objects(field: Field) -> Iterator[Field]:
    """The elements of a list of objects. Raises ``FairshareError`` for null as well."""
    for entry in field.entries():
        if not isinstance(entry.value, dict):
            raise wrong(entry.place, "an object", entry.value)
        yield entry
