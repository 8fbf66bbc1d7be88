"""What the API server makes of a write of an ElasticQuota. Quotas are not compared with each other, nor min with max.

Source: kube-apiserver 1.35, scheduler-plugins' CustomResourceDefinition of ``scheduling.x-k8s.io``.
"""

from typing import Final

from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.api.plain import judged
from kubectl_fairshare.api.writes import Served, identity
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.elasticquota.admission.structures import ELASTIC_QUOTA
from kubectl_fairshare.schedulers.elasticquota.model.objects import GROUP

VERSION: Final = "v1alpha1"
KIND: Final = "ElasticQuota"
_SERVED: Final = Served(KIND, VERSION, ELASTIC_QUOTA, namespaced=True, has_status=True)


def judge(data: JsonObject, old: JsonObject | None = None, subresource: str | None = None) -> Judgement:
    """What becomes of writing ``data``: a create, or with ``old`` an update of that object.

    ``subresource`` is ``status`` for a write that goes there. Objects of another group, such as Koordinator's
    of the same kind, are not served.
    """
    if identity(data) != (GROUP, VERSION, KIND):
        return Judgement(False, NOT_FOUND)
    return judged(_SERVED, data, old, subresource)
