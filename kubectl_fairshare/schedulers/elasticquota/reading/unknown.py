"""What CapacityScheduling knows of objects: their kinds, and the names in the domains of scheduler-plugins.

Source: scheduler-plugins at 903da7d, ``apis/scheduling`` and ``pkg``.
Tested in ``tests/property/exact/test_unknown_fields.py``.
"""

from typing import Final

from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.api.unknown import KnownParts, scheduler_struct
from kubectl_fairshare.input.text.scheduler_configuration import HOLDERS, enabled_at
from kubectl_fairshare.input.units.installed_charts import ChartObject
from kubectl_fairshare.input.unknown_fields import unknown_around_pods, unknown_settings
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind
from kubectl_fairshare.schedulers.elasticquota.admission.kinds import APIS
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND
from kubectl_fairshare.schedulers.elasticquota.reading.profiles import NAMING, PLUGIN

KNOWN: Final = KnownParts(
    APIS,
    {
        f"{GROUP}/": frozenset({"pod-group"}),
        f"preemption-toleration.{GROUP}/": frozenset({"minimum-preemptable-priority", "toleration-seconds"}),
    },
)
_KINDS: Final = ((GROUP, KIND), ("", "Node"), ("policy", "PodDisruptionBudget"))


def unknown_places(kinds: ByKind, made: ChartObject | None = None) -> tuple[Place, ...]:
    """The places of what is unknown in the objects that decide; ``made`` is the configuration that a chart makes."""
    holders = [manifest for kind in HOLDERS for manifest in kinds.get(kind, ())]
    settings = unknown_settings(holders, made, KNOWN, _runs, _arguments)
    return (*unknown_around_pods(kinds, KNOWN, _KINDS), *settings)


def _runs(profile: Field) -> bool:
    return any(PLUGIN in enabled_at(profile, point) for point in NAMING)


def _arguments(plugin: str) -> Struct | None:
    """The plugin takes no arguments."""
    return scheduler_struct("Args") if plugin == PLUGIN else None
