"""JSON Schemas of KAI-Scheduler's kinds, derived from the tables that judge them."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.json_schema import Document, document, structure_names
from kubectl_fairshare.schedulers.kai.admission.kinds import KINDS, served_kind

_MODULES: Final = (
    "api.structures.condition",
    "api.structures.pod_affinity",
    "api.structures.pod_container",
    "api.structures.pod_template",
    "api.structures.selector",
    "schedulers.kai.admission.structures.config",
    "schedulers.kai.admission.structures.pod_group",
    "schedulers.kai.admission.structures.queue",
    "schedulers.kai.admission.structures.scheduling_shard",
)


def documents() -> Iterator[tuple[str, Document]]:
    """Every schema with its path below ``schemas/``."""
    names = structure_names(_MODULES)
    for kind, (group, version, *_) in KINDS.items():
        struct = served_kind(kind).struct
        yield f"kai/{version}/{kind}.json", document(struct, f"{group}/{version}", kind, names)
