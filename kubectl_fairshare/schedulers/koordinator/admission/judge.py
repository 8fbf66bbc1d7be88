"""What the API server's schema does with a write of an ElasticQuota, before the webhook sees it.

Source: kube-apiserver 1.35, the CustomResourceDefinition of koordinator v1.8.0.
"""

from kubectl_fairshare.api.judge import judge_write
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.koordinator.admission.kinds import API


def schema_judgement(data: JsonObject) -> Judgement:
    """The judgement of a write by the schema alone."""
    return judge_write(API, {}, data, None, None)
