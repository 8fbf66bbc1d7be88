"""The kind of Koordinator's API. Source: CustomResourceDefinition of ``scheduling.sigs.k8s.io``."""

from typing import Final

from kubectl_fairshare.api.kinds import Api, Kind
from kubectl_fairshare.schedulers.koordinator.model.names import GROUP, KIND, VERSION

API: Final = Api(
    "schedulers/koordinator/admission/structures",
    dict,
    [Kind(KIND, GROUP, (VERSION,), namespaced=True)],
)
APIS: Final = (API,)
