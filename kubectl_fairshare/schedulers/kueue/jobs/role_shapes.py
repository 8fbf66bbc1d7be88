"""How Kubernetes writes the fields of a pod that define its role: their order, and which are omitted if empty.

Source: ``k8s.io/api/core/v1``, types of a pod's scheduling fields. The hash is over the text, so the order counts.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import Json


class _Part(NamedTuple):
    """One field: its name, the shape of its value (empty if it is not an object), and whether it is always written."""

    name: str
    shape: str = ""
    always: bool = False


def _plain(*names: str) -> tuple[_Part, ...]:
    return tuple(_Part(name) for name in names)


def _required_parts(*names: str) -> tuple[_Part, ...]:
    return tuple(_Part(name, always=True) for name in names)


_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_SHAPES: Final[Mapping[str, tuple[_Part, ...]]] = {
    "port": (*_plain("name", "hostPort"), *_required_parts("containerPort"), *_plain("protocol", "hostIP")),
    "toleration": _plain("key", "operator", "value", "effect", "tolerationSeconds"),
    "claim": (*_required_parts("name"), *_plain("resourceClaimName", "resourceClaimTemplateName")),
    "spread": (
        *_required_parts("maxSkew", "topologyKey", "whenUnsatisfiable"),
        _Part("labelSelector", "selector"),
        *_plain("minDomains", "nodeAffinityPolicy", "nodeTaintsPolicy", "matchLabelKeys"),
    ),
    "selector": (_Part("matchLabels"), _Part("matchExpressions", "requirement")),
    "requirement": (*_required_parts("key", "operator"), _Part("values")),
    "affinity": (
        _Part("nodeAffinity", "node affinity"),
        _Part("podAffinity", "pod affinity"),
        _Part("podAntiAffinity", "pod affinity"),
    ),
    "node affinity": (_Part(_REQUIRED, "node selector"), _Part(_PREFERRED, "preferred node")),
    "node selector": (_Part("nodeSelectorTerms", "node term", always=True),),
    "node term": (_Part("matchExpressions", "requirement"), _Part("matchFields", "requirement")),
    "preferred node": (*_required_parts("weight"), _Part("preference", "node term", always=True)),
    "pod affinity": (_Part(_REQUIRED, "pod term"), _Part(_PREFERRED, "weighted term")),
    "pod term": (
        _Part("labelSelector", "selector"),
        _Part("namespaces"),
        *_required_parts("topologyKey"),
        _Part("namespaceSelector", "selector"),
        *_plain("matchLabelKeys", "mismatchLabelKeys"),
    ),
    "weighted term": (*_required_parts("weight"), _Part("podAffinityTerm", "pod term", always=True)),
}


def kubernetes_json(field: Field, shape: str) -> Json:
    """The value as Kubernetes writes it: an object of that ``shape``, or a list of them; None without a value."""
    if field.value is None:
        return None
    if isinstance(field.value, list):
        return [_object(entry, shape) for entry in field.entries()] or None
    return _object(field, shape)


def _object(field: Field, shape: str) -> dict[str, Json]:
    return dict(_parts(field, _SHAPES[shape]))


def _parts(field: Field, parts: Iterable[_Part]) -> Iterable[tuple[str, Json]]:
    for part in parts:
        below = field.at(part.name)
        value = kubernetes_json(below, part.shape) if part.shape else _plain_value(below.value)
        if value is not None or part.always:
            yield part.name, value


def _plain_value(value: Json) -> Json:
    """The object without empty texts, lists and maps; maps are in the order of their keys."""
    if isinstance(value, dict):
        return {key: value[key] for key in sorted(value)} or None
    return None if value in ("", []) else value
