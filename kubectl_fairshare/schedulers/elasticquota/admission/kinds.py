"""The kind of scheduler-plugins' API. Source: CustomResourceDefinition of ``scheduling.x-k8s.io``."""

from typing import Final

from kubectl_fairshare.api.kinds import Api, Kind
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND

VERSION: Final = "v1alpha1"
API: Final = Api(
    "schedulers/elasticquota/admission/structures",
    dict,
    [Kind(KIND, GROUP, (VERSION,), namespaced=True)],
)
APIS: Final = (API,)
