"""What the API server does with a write of an ElasticQuota; there is no webhook.

Quotas are not compared with each other, nor ``min`` with ``max``. Source: kube-apiserver 1.35.
"""

from kubectl_fairshare.api.judge import judge_write
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.elasticquota.admission.kinds import API


def judge(data: JsonObject, old: JsonObject | None = None, subresource: str | None = None) -> Judgement:
    """The judgement of a write: see ``judge_write``. Koordinator's kind of the same name has another group."""
    return judge_write(API, {}, data, old, subresource)
