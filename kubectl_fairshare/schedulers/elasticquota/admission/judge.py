"""What the API server makes of a write of an ElasticQuota; no webhook stands behind it.

Quotas are not compared with each other, nor ``min`` with ``max``. Source: kube-apiserver 1.35.
"""

from kubectl_fairshare.api.judge import judge_write
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.elasticquota.admission.kinds import API


def judge(data: JsonObject, old: JsonObject | None = None, subresource: str | None = None) -> Judgement:
    """What becomes of a write: see ``judged``. Koordinator's objects of the same kind have another group."""
    return judge_write(API, {}, data, old, subresource)
