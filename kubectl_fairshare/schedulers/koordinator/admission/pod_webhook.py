"""What Koordinator's webhook rejects in a new pod for its own fields: its QoS class, its priority, its resources.

The webhook's other rules concern quotas, or are off by default. A profile of co-location may change the fields first.
Source: koordinator v1.8.0, ``pkg/webhook/pod/validating``, ``apis/extension``, ``config/webhook``.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.model.names import BATCH, DOMAIN, PLUGINS_GROUP

QOS: Final = f"{DOMAIN}/qosClass"
_PRIORITY_CLASS: Final = f"{DOMAIN}/priority-class"
_RESERVE: Final = f"{PLUGINS_GROUP}/reserve-pod"
EXEMPT: Final = "control-plane"
"""The webhook does not look at pods in namespaces with this label."""
_RANGES: Final = {
    "koord-prod": range(9000, 10_000),
    "koord-mid": range(7000, 8000),
    "koord-batch": range(5000, 6000),
    "koord-free": range(3000, 4000),
}
"""The priorities of each of Koordinator's priority classes; others are in none."""
_FORBIDDEN: Final = {
    "BE": ("", "koord-prod"),
    "LSR": ("", "koord-mid", "koord-batch", "koord-free"),
}
"""The priority classes that a QoS class excludes."""
_OWN_CPUS: Final = ("LSR", "LSE")
_MILLI: Final = 10**6
_THOUSAND: Final = 1000


class ReviewedPod(Value, frozen=True):
    """A pod as the webhook sees it: completed, with the priority of its class; ``requests`` are in 10⁻⁹."""

    priority: int
    requests: Mapping[str, int]
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)


def pod_complaints(pod: ReviewedPod) -> Iterator[str]:
    """Each reason to reject the pod, in a clause."""
    qos = pod.labels.get(QOS, "")
    if _RESERVE in pod.annotations:
        yield f"the annotation {_RESERVE} is forbidden"
    if qos != "BE" and any(pod.requests.get(resource) for resource in BATCH.values()):
        yield f"it requests batch resources and has no label {QOS}: BE"
    found = _priority_class(pod)
    if found in _FORBIDDEN.get(qos, ()):
        yield f"QoS class {qos} excludes {f'priority class {found}' if found else 'a priority outside of all classes'}"
    if qos in _OWN_CPUS:
        yield from _cpu_complaints(qos, pod.requests.get("cpu", 0))


def _priority_class(pod: ReviewedPod) -> str:
    """The class that the label names, otherwise that of the priority; empty without one."""
    named = pod.labels.get(_PRIORITY_CLASS)
    if named is not None:
        return named if named in _RANGES else ""
    return next((name for name, priorities in _RANGES.items() if pod.priority in priorities), "")


def _cpu_complaints(qos: str, cpu: int) -> Iterator[str]:
    """Pods with CPUs of their own request a whole number of them."""
    if cpu == 0:
        yield f"QoS class {qos} needs a request of cpu"
    elif -(-cpu // _MILLI) % _THOUSAND:
        yield f"QoS class {qos} needs whole CPUs"
