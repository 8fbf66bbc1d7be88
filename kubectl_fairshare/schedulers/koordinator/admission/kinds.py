"""The kinds of Koordinator's APIs. Source: its CustomResourceDefinitions."""

from typing import Final

from kubectl_fairshare.api.kinds import Api, Kind
from kubectl_fairshare.schedulers.koordinator.model.names import GROUP, KIND, PROFILE_GROUP, PROFILE_KIND, VERSION

_FOLDER: Final = "schedulers/koordinator/admission/structures"
API: Final = Api(_FOLDER, dict, [Kind(KIND, GROUP, (VERSION,), namespaced=True)])
PROFILES: Final = Api(_FOLDER, dict, [Kind(PROFILE_KIND, PROFILE_GROUP, (VERSION,), namespaced=True)])
"""What the profiles of trees look like. No write of one is judged."""
APIS: Final = (API,)
