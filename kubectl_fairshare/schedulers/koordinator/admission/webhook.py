"""The answer of Koordinator's webhook to one write of an ElasticQuota or a Pod.

Source: koordinator v1.8.0, ``pkg/webhook/elasticquota``, ``pkg/webhook/pod``.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.numbers import text as number_text
from kubectl_fairshare.model.quantity_text import ParsedQuantity
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.koordinator.admission.complaints import self_complaints, topology_complaints
from kubectl_fairshare.schedulers.koordinator.admission.go_json import GoJsonError, decoded_amounts
from kubectl_fairshare.schedulers.koordinator.admission.topology import PodName, WebhookQuota, WebhookTopology
from kubectl_fairshare.schedulers.koordinator.model import names

MUTATING: Final = "mutating"
VALIDATING: Final = "validating"
PANIC: Final = "panic"
_SHOWN_PODS: Final = 2


class WebhookAnswer(Value, frozen=True):
    """What the webhook says: accepted with the labels and annotations that it stores, or a stage and a message."""

    message: str = ""
    stage: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        """Whether the write is accepted."""
        return not self.stage


def _refused(message: str) -> WebhookAnswer:
    return WebhookAnswer(message, VALIDATING)


def created(quota: WebhookQuota, known: WebhookTopology) -> WebhookAnswer:
    """The answer to a new quota: defaults are filled in, then it is validated."""
    filled = defaulted(quota, known)
    if isinstance(filled, WebhookAnswer):
        return filled
    message = next(_creating(filled, known), "")
    return _refused(message) if message else WebhookAnswer(labels=filled.labels, annotations=filled.annotations)


def _creating(quota: WebhookQuota, known: WebhookTopology) -> Iterator[str]:
    if quota.name in known.quotas:
        yield f"AddQuota quota already exist:{quota.name}"
    for namespace in quota.namespaces:
        if namespace in known.bound:
            owner = known.bound[namespace]
            yield f"AddQuota quota {quota.name}'s annotation namespace {namespace} is already bound to quota {owner}"
    yield from (each.message for each in self_complaints(quota))
    yield from (each.message for each in topology_complaints(quota, known))


def defaulted(quota: WebhookQuota, known: WebhookTopology) -> WebhookQuota | WebhookAnswer:
    """The quota with parent, tree id and weight filled in, or the refusal if that fails."""
    if quota.name == names.ROOT:
        return quota
    labels = {**quota.labels, names.PARENT: quota.labels.get(names.PARENT) or names.ROOT}
    if not labels.get(names.TREE) and labels[names.PARENT] != names.ROOT:
        parent = known.quotas.get(labels[names.PARENT])
        if parent is None:
            return WebhookAnswer(f"fill quota {quota.name} failed, parent not exist", MUTATING)
        if parent.tree:
            labels[names.TREE] = parent.tree
    text = quota.annotations.get(names.WEIGHT, "")
    if not text:
        weight = _marshalled(quota.max)
    else:
        try:
            weight = _completed(text, quota.max or {})
        except GoJsonError as error:
            return WebhookAnswer(f"fillDefaultQuotaInfo unmarshal sharedWeight failed:{error}", MUTATING)
        except KeyError:
            return WebhookAnswer("assignment to entry in nil map", PANIC)
    return replace(quota, labels=labels, annotations={**quota.annotations, names.WEIGHT: weight})


def _marshalled(amounts: Mapping[str, ParsedQuantity] | None) -> str:
    if amounts is None:
        return "null"
    texts = {resource: amounts[resource].text for resource in sorted(amounts)}
    return json.dumps(texts, separators=(",", ":"), ensure_ascii=False)


def _completed(text: str, most: Mapping[str, ParsedQuantity]) -> str:
    """The weights with those of missing resources from max, without those that max lacks; unchanged if none is.

    Raises ``GoJsonError``, and ``KeyError`` for ``null``, at which the webhook panics if max lists anything.
    """
    weights = decoded_amounts(text)
    if weights is None:
        if most:
            raise KeyError(text)
        return text
    if weights.keys() == most.keys():
        return text
    return _marshalled({resource: weights.get(resource, amount) for resource, amount in most.items()})


def updated(quota: WebhookQuota, old: WebhookQuota, known: WebhookTopology) -> WebhookAnswer:
    """The answer to a changed quota. Nothing is checked if neither labels of the tree, namespaces nor spec change."""
    message = "" if _compared(quota) == _compared(old) else next(_updating(quota, old, known), "")
    return _refused(message) if message else WebhookAnswer()


def _updating(quota: WebhookQuota, old: WebhookQuota, known: WebhookTopology) -> Iterator[str]:
    name = quota.name
    if name in (names.SYSTEM, names.ROOT):
        yield f"invalid quota {name}"
    for namespace in quota.namespaces:
        owner = known.bound.get(namespace, name)
        if owner != name:
            start = f"UpdadteQuota, quota {name} update namespaces, but namespace {namespace}"
            yield f"{start} is already bound to quota {owner}"
    if name not in known.quotas:
        yield f"UpdateQuota quota not exist in quotaInfoMap:{name}"
        return
    yield from (each.message for each in self_complaints(quota))
    before = known.quotas[name]
    yield from (each.message for each in topology_complaints(quota, known, before, old.namespaces))


def _compared(quota: WebhookQuota) -> Json:
    """What an update compares: two quantities are equal only if they are written the same."""
    spec = quota.spec if isinstance(quota.spec, dict) else {}
    lists = {name: _texts_of(spec.get(name)) for name in ("min", "max")}
    labels = [quota.labels.get(name, "") for name in (names.PARENT, names.IS_PARENT, names.TREE)]
    return labels, quota.annotations.get(names.NAMESPACES, ""), lists


def _texts_of(amounts: Json) -> Json:
    if not isinstance(amounts, dict):
        return None
    return {
        resource: value if isinstance(value, str) else number_text(value or 0) for resource, value in amounts.items()
    }


def deleted(name: str, known: WebhookTopology) -> WebhookAnswer:
    """The answer to a quota that is deleted."""
    if name in names.ASSUMED:
        return _refused(f"can not delete quotaGroup :{name}")
    if name not in known.quotas:
        return _refused(f"not found quota:{name}")
    start = f"delete quota failed, quota {name} has"
    if children := known.children.get(name):
        return _refused(f"{start} {len(children)} child quotas")
    if pods := known.labelled(name):
        shown = [pod.key.name for pod in pods[:_SHOWN_PODS]] + ["..."] * (len(pods) > _SHOWN_PODS)
        return _refused(f"{start} {len(pods)} child pods: {', '.join(shown)}")
    return WebhookAnswer()


def pod_created(pod: PodName, known: WebhookTopology) -> WebhookAnswer:
    """The answer to a new pod: it may not name a quota that says that it has children."""
    quota = known.quotas.get(_quota_of(pod, known))
    if known.gates.parents_take_pods or quota is None or quota.name == names.DEFAULT or not quota.is_parent:
        return WebhookAnswer()
    text = f"pod can not be linked to a parentQuotaGroup,quota:{quota.name}, pod:{pod.key.name}"
    return _refused(text)


def pod_updated(pod: PodName, old: PodName, known: WebhookTopology) -> WebhookAnswer:
    """The answer to a changed pod."""
    if pod.labels.get(names.PREEMPTIBLE, "") != old.labels.get(names.PREEMPTIBLE, ""):
        return _refused("Preemptible label is forbidden modify now.")
    return pod_created(pod, known)


def _quota_of(pod: PodName, known: WebhookTopology) -> str:
    wished = pod.labels.get(names.QUOTA_NAME, "")
    if wished or known.gates.no_default:
        return wished
    namespace = pod.key.namespace
    own = known.quotas.get(namespace)
    if own is not None and own.key.namespace == namespace:
        return namespace
    listing = sorted(quota.name for quota in known.quotas.values() if namespace in quota.namespaces)
    return listing[0] if listing else names.DEFAULT
