"""Pods as a trace holds them, and what of them a trace does not hold."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.nodes import tolerations
from kubectl_fairshare.model.job_trace import TracedPods
from kubectl_fairshare.model.values import replace


def traced_pods(pods: Iterable[tuple[Mapping[str, int], Field]]) -> Iterator[TracedPods]:
    """Pods as requests and ``spec``: equal ones are one set, in the order of their first."""
    alike: dict[tuple[object, ...], list[TracedPods]] = {}
    for requests, spec in pods:
        one = TracedPods("main", 1, requests, None, spec.at("nodeSelector").texts(), tolerations(spec))
        shape = (tuple(requests.items()), tuple(sorted(one.node_selector.items())), one.tolerations)
        alike.setdefault(shape, []).append(one)
    for number, same in enumerate(alike.values(), 1):
        name = "main" if len(alike) == 1 else f"pods-{number}"
        yield replace(same[0], name=name, count=len(same))


def untraced(specs: Iterable[Field]) -> tuple[str, ...]:
    """What the specs of pods say of their place that a trace does not hold, each once, in a fixed order."""
    every = tuple(specs)
    return tuple(words for words, has in _UNTRACED.items() if any(map(has, every)))


def _with_volumes(spec: Field) -> bool:
    volumes = spec.at("volumes").entries()
    return any(each.at(kind).value for each in volumes for kind in ("persistentVolumeClaim", "ephemeral", "csi"))


def _with_host_ports(spec: Field) -> bool:
    ports = [port for each in spec.at("containers").entries() for port in each.at("ports").entries()]
    return any(port.at("hostPort").value for port in ports) or bool(ports and spec.at("hostNetwork").value)


_UNTRACED: Final[Mapping[str, Callable[[Field], bool]]] = {
    "affinity": lambda spec: bool(spec.at("affinity").value),
    "topology spread constraints": lambda spec: bool(spec.at("topologySpreadConstraints").value),
    "device claims": lambda spec: bool(spec.at("resourceClaims").value),
    "volumes with a place": _with_volumes,
    "host ports": _with_host_ports,
    "a scheduling group": lambda spec: bool(spec.at("schedulingGroup").value or spec.at("workloadRef").value),
    "`preemptionPolicy: Never`": lambda spec: spec.at("preemptionPolicy").value == "Never",
}
