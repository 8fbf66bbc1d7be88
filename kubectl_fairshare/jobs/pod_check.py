"""Finds the field of a pod that has a type which no API server would store."""

from typing import Final

from kubectl_fairshare.jobs.fields import Field

_TEXTS: Final = ("nodeName", "schedulerName", "priorityClassName", "runtimeClassName")
_STATUS_TEXTS: Final = ("nominatedNodeName", "startTime", "phase")
_AMOUNTS: Final = ("requests", "limits")


def check_pod(root: Field) -> None:
    """Returns if the fields of a pod, or of a pod template, that schedulers read have the right types.

    Raises ``FairshareError`` with the first field that does not.
    """
    metadata, spec, status = root.at("metadata"), root.at("spec"), root.at("status")
    metadata.at("labels").texts()
    metadata.at("annotations").texts()
    metadata.at("creationTimestamp").text()
    for name in ("initContainers", "containers"):
        for container in spec.at(name).entries():
            container.at("restartPolicy").text()
            container.at("resources").mapping()
            _check_amounts(container.at("resources"))
    spec.at("overhead").resources(native=True)
    _check_amounts(spec.at("resources"))
    spec.at("priority").integer(0)
    for name in _TEXTS:
        spec.at(name).text()
    for name in _STATUS_TEXTS:
        status.at(name).text()


def _check_amounts(resources: Field) -> None:
    for name in _AMOUNTS:
        resources.at(name).resources(native=True)
