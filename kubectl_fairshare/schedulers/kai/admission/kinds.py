"""The kinds of KAI-Scheduler's APIs, each served in one version.

Source: KAI-Scheduler v0.17, CustomResourceDefinitions of ``scheduling.run.ai`` and ``kai.scheduler``.
"""

from typing import Final

from kubectl_fairshare.api.kinds import Api, Kind
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, QUEUE_GROUP

API: Final = Api(
    "schedulers/kai/admission/structures",
    dict,
    [
        Kind("Queue", QUEUE_GROUP, ("v2",)),
        Kind("PodGroup", QUEUE_GROUP, ("v2alpha2",), namespaced=True),
        Kind("SchedulingShard", CONFIG_GROUP, ("v1",)),
        Kind("Config", CONFIG_GROUP, ("v1",)),
    ],
)
KINDS: Final = API.kinds
APIS: Final = (API,)
