"""What the API server and KAI's webhooks do with one write. Source: kube-apiserver 1.35, KAI-Scheduler v0.17."""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.judge import judge_write
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.api.webhooks import Webhooks
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.admission.kinds import API
from kubectl_fairshare.schedulers.kai.admission.laws import MIN_RUNTIME
from kubectl_fairshare.schedulers.kai.admission.webhooks import pod_group
from kubectl_fairshare.schedulers.kai.admission.webhooks.queue import QueueWebhook

_WEBHOOKS: Final = {"PodGroup": Webhooks(pod_group.ask), "Queue": Webhooks(QueueWebhook())}
_MIN_RUNTIMES: Final = (("spec", "preemptMinRuntime"), ("spec", "reclaimMinRuntime"))


def judge(
    data: JsonObject,
    old: JsonObject | None = None,
    subresource: str | None = None,
    queues: Iterable[JsonObject] | None = None,
) -> Judgement:
    """The judgement of a write: see ``judge_write``.

    ``queues`` are the other queues that exist. If they are given, KAI runs with ``--enable-quota-validation``, which is
    off by default.
    """
    webhooks = _WEBHOOKS
    if queues is not None:
        webhooks = {**_WEBHOOKS, "Queue": Webhooks(QueueWebhook(_views(queues), quotas=True))}
    return _lawful(judge_write(API, webhooks, data, old, subresource))


def _lawful(judgement: Judgement) -> Judgement:
    """The judgement; a duration that KAI's webhook cannot decode has a law of its own."""
    cause = judgement.unlisted
    if cause is None or cause.path not in _MIN_RUNTIMES:
        return judgement
    return replace(judgement, unlisted=replace(cause, law=MIN_RUNTIME))


def _views(queues: Iterable[JsonObject]) -> dict[str, JsonObject]:
    """The queues by name as KAI's client sees them, without those that it cannot decode."""
    struct, views = API.structure("v2", "Queue"), dict[str, JsonObject]()
    for each in queues:
        try:
            view = golang.decode(struct, {**each, "metadata": each.get("metadata") or {}})
        except golang.DecodingError:
            continue
        views[view["metadata"].get("name", "")] = view
    return views
