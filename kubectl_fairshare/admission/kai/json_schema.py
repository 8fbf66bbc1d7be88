"""JSON Schemas of KAI-Scheduler's kinds, derived from the tables that judge them."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.admission.json_schema import Document, document, structure_names
from kubectl_fairshare.admission.kai.kinds import KINDS, served_kind

_MODULES: Final = (
    "structures.condition",
    "structures.pod_affinity",
    "structures.pod_container",
    "structures.pod_template",
    "structures.selector",
    "kai.structures.config",
    "kai.structures.pod_group",
    "kai.structures.queue",
    "kai.structures.scheduling_shard",
)


def documents() -> Iterator[tuple[str, Document]]:
    """Every schema with its path below ``schemas/``."""
    names = structure_names(_MODULES)
    for kind, (group, version, *_) in KINDS.items():
        struct = served_kind(kind).struct
        yield f"kai/{version}/{kind}.json", document(struct, f"{group}/{version}", kind, names)
