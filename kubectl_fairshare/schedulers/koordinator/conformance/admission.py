"""Replays recorded writes of ElasticQuotas and Pods through the webhook."""

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.quantity_text import QuantitySyntaxError
from kubectl_fairshare.schedulers.koordinator.admission import webhook
from kubectl_fairshare.schedulers.koordinator.admission.topology import (
    WebhookTopology,
    pod_name,
    topology_of,
    webhook_quota,
)
from kubectl_fairshare.schedulers.koordinator.admission.webhook import WebhookAnswer
from kubectl_fairshare.schedulers.koordinator.model.names import KIND
from kubectl_fairshare.schedulers.koordinator.reading.gates import gates_of
from kubectl_fairshare.schedulers.recording import manifest_of, manifests_of


def replay(case: JsonObject) -> JsonObject:
    """The answer to a recorded write, in the form of the recording."""
    context = manifests_of(case["context"], case["name"])
    gates = gates_of((case.get("config") or {}).get("featureGates") or {})
    pods = [pod_name(m.key, m.data) for m in context if m.key.kind == "Pod"]
    quotas = [webhook_quota(m.key, m.data) for m in context if m.key.kind == KIND]
    try:
        answer = _answer(case, topology_of(quotas, pods, gates))
    except QuantitySyntaxError as error:
        return {"accepted": False, "stage": "decode", "message": str(error)}
    found: dict[str, object] = {"accepted": answer.accepted, "stage": answer.stage, "message": answer.message}
    if answer.accepted and case["operation"] == "CREATE" and case["object"]["kind"] == KIND:
        stored = {"annotations": dict(answer.annotations), "labels": dict(answer.labels)}
        found["stored"] = {name: texts for name, texts in stored.items() if texts}
    return found


def _answer(case: JsonObject, known: WebhookTopology) -> WebhookAnswer:
    manifest, operation = manifest_of(case["object"], Origin(case["name"], 0)), case["operation"]
    if manifest.key.kind != KIND:
        pod = pod_name(manifest.key, manifest.data)
        if operation == "CREATE":
            return webhook.pod_created(pod, known)
        return webhook.pod_updated(pod, pod_name(manifest.key, case["old"]), known)
    if operation == "DELETE":
        return webhook.deleted(manifest.key.name, known)
    quota = webhook_quota(manifest.key, manifest.data)
    if operation == "CREATE":
        return webhook.created(quota, known)
    return webhook.updated(quota, webhook_quota(manifest.key, case["old"]), known)
