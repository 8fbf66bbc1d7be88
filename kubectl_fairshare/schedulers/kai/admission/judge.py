"""What the API server and KAI's webhooks make of one write.

Source: kube-apiserver 1.35, KAI-Scheduler v0.17.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.api.plain import Webhook, judged
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kai.admission.kinds import served, served_kind
from kubectl_fairshare.schedulers.kai.admission.laws import MIN_RUNTIME
from kubectl_fairshare.schedulers.kai.admission.webhooks import pod_group
from kubectl_fairshare.schedulers.kai.admission.webhooks.queue import QueueWebhook

_QUEUE: Final = "Queue"
_MIN_RUNTIMES: Final = (("spec", "preemptMinRuntime"), ("spec", "reclaimMinRuntime"))


def judge(
    data: JsonObject,
    old: JsonObject | None = None,
    subresource: str | None = None,
    queues: Iterable[JsonObject] | None = None,
) -> Judgement:
    """What becomes of writing ``data``: a create, or with ``old`` an update of that object.

    ``subresource`` is ``status`` for a write that goes there. With ``queues``, those that exist beside it, KAI
    is taken to run with ``--enable-quota-validation``, which is off by default. Objects of other groups are
    not served.
    """
    kind = served(data)
    if kind is None:
        return Judgement(False, NOT_FOUND)
    return _lawful(judged(kind, data, old, subresource, _webhook(kind.kind, queues)))


def _lawful(judgement: Judgement) -> Judgement:
    """The judgement; a span of time that KAI's webhook cannot decode is a law of its own."""
    found = judgement.unlisted
    if found is None or found.path not in _MIN_RUNTIMES:
        return judgement
    return replace(judgement, unlisted=replace(found, law=MIN_RUNTIME))


def _webhook(kind: str, queues: Iterable[JsonObject] | None) -> Webhook | None:
    if kind == _QUEUE:
        return QueueWebhook() if queues is None else QueueWebhook(_views(queues), quotas=True)
    return pod_group.ask if kind == "PodGroup" else None


def _views(queues: Iterable[JsonObject]) -> dict[str, JsonObject]:
    """The queues by name as KAI's client sees them; one that it cannot decode is not there."""
    struct, views = served_kind(_QUEUE).struct, dict[str, JsonObject]()
    for each in queues:
        try:
            view = golang.decode(struct, {**each, "metadata": each.get("metadata") or {}})
        except golang.DecodingError:
            continue
        views[view["metadata"].get("name", "")] = view
    return views
