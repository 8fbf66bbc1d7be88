"""The role of a pod within its group: eight digits that are equal for pods with equal requests.

Source: Kueue v0.19, ``pkg/util/pod``: SHA-256 over the fields of the pod's spec that matter for admission, as its
webhook sees them: completed by the API server's own admission, on which the defaults of Kubernetes v1.35 are assumed.
"""

import json
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import bounds_of
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity_text import canonical
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.grouping import ROLE_HASH
from kubectl_fairshare.schedulers.kueue.jobs.role_shapes import kubernetes_json

_LENGTH: Final = 8
_EVICTION_SECONDS: Final = 300
_TAINTS: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_ESCAPED: Final = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def role_hash(pod: Field, context: Context) -> str:
    """The name of the pod's role, which is the name of its pod set."""
    precomputed = pod.at("metadata", "annotations").at(ROLE_HASH).text()
    if precomputed:
        return precomputed
    text = json.dumps({"spec": _shape(pod, context)}, ensure_ascii=False, separators=(",", ":"))
    import hashlib  # brings OpenSSL along

    digest = hashlib.sha256(text.translate(_ESCAPED).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:_LENGTH]


def has_plain_shape(pod: Field) -> bool:
    """Whether the role is known; it is not for pod-level limits, from which Kubernetes derives requests."""
    return bool(pod.at("metadata", "annotations").at(ROLE_HASH).text()) or (
        pod.at("spec", "resources", "limits").value is None
    )


def _shape(pod: Field, context: Context) -> dict[str, Json]:
    spec = pod.at("spec")
    shape: dict[str, Json] = {
        "affinity": kubernetes_json(spec.at("affinity"), "affinity"),
        "containers": _containers(spec, "containers", context),
        "initContainers": _containers(spec, "initContainers", context),
        "nodeSelector": _sorted_amounts(spec.at("nodeSelector").texts()),
        "overhead": _overhead(spec, context),
        "priority": _priority(spec, context),
        "resourceClaims": kubernetes_json(spec.at("resourceClaims"), "claim"),
        "runtimeClassName": spec.at("runtimeClassName").value,
        "tolerations": _tolerations(spec),
        "topologySpreadConstraints": kubernetes_json(spec.at("topologySpreadConstraints"), "spread"),
    }
    if spec.at("resources").value is not None:
        shape["resources"] = _amounts(spec.at("resources", "requests"))
    return {name: shape[name] for name in sorted(shape)}


def _containers(spec: Field, name: str, context: Context) -> list[Json] | None:
    limits = context.limit_ranges.get(spec.owner.namespace, {})
    defaults = {r: bound.text for r, bound in bounds_of(limits, "Container", "defaultRequest").items()}
    found: list[Json] = []
    for entry in spec.at(name).entries():
        resources = entry.at("resources")
        asked = {**defaults, **(_amounts(resources.at("limits")) or {}), **(_amounts(resources.at("requests")) or {})}
        ports = [_port(port, on_host=spec.at("hostNetwork").flag()) for port in entry.at("ports").entries()]
        found.append({"ports": ports or None, "resources": {"requests": _sorted_amounts(asked)}})
    return found or None


def _port(port: Field, *, on_host: bool) -> Json:
    value = {"protocol": "TCP", **port.mapping()}
    if not value.get("hostPort"):
        value["hostPort"] = value.get("containerPort") if on_host else None
    return kubernetes_json(port._replace(value=value), "port")


def _amounts(field: Field) -> dict[str, str] | None:
    field.resources(native=True)
    return _sorted_amounts({name: canonical(value) for name, value in field.mapping().items()})


def _sorted_amounts(amounts: dict[str, str]) -> dict[str, str] | None:
    return {name: amounts[name] for name in sorted(amounts)} or None


def _overhead(spec: Field, context: Context) -> dict[str, str] | None:
    texts = context.overhead_texts.get(spec.at("runtimeClassName").text(), {})
    return _amounts(spec.at("overhead")) or _sorted_amounts(dict(texts))


def _priority(spec: Field, context: Context) -> int:
    name = spec.at("priorityClassName").text()
    if spec.at("priority").value is not None:
        return spec.at("priority").integer(0)
    return context.priority_classes.get(name, 0) if name else context.default_priority or 0


def _tolerations(spec: Field) -> list[Json]:
    """The pod's tolerations, and those that the API server adds to every pod that lacks them."""
    found: list[Json] = kubernetes_json(spec.at("tolerations"), "toleration") or []
    for taint in _TAINTS:
        if not any(_covers(each, taint) for each in found):
            added = {"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": _EVICTION_SECONDS}
            found.append(added)
    return found


def _covers(toleration: dict[str, Json], taint: str) -> bool:
    return toleration.get("key") in (None, taint) and toleration.get("effect") in (None, "NoExecute")
