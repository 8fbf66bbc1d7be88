"""JSON Schemas of Kueue's kinds and of its Configuration, derived from the tables that judge them."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.admission.json_schema import Document, document, structure_names
from kubectl_fairshare.admission.kueue.configuration import GROUP as CONFIGURATION_GROUP
from kubectl_fairshare.admission.kueue.configuration import configuration_structure
from kubectl_fairshare.admission.kueue.kinds import GROUP, KINDS, VERSIONS, structure

_MODULES: Final = (
    "kueue.structures.admission_check",
    "kueue.structures.cluster_queue",
    "kueue.structures.cohort",
    "structures.condition",
    "kueue.structures.configuration",
    "kueue.structures.local_queue",
    "kueue.structures.multikueue",
    "structures.object_meta",
    "structures.pod_affinity",
    "structures.pod_container",
    "structures.pod_template",
    "structures.pod_volume",
    "kueue.structures.priority_class",
    "kueue.structures.provisioning",
    "kueue.structures.quota",
    "kueue.structures.resource_flavor",
    "structures.selector",
    "kueue.structures.topology",
    "kueue.structures.workload",
    "kueue.structures.workload_status",
)


def documents() -> Iterator[tuple[str, Document]]:
    """Every schema with its path below ``schemas/``."""
    names = structure_names(_MODULES)
    for version in VERSIONS:
        for kind in KINDS:
            place = f"kueue/{version}/{kind}.json"
            yield place, document(structure(version, kind), f"{GROUP}/{version}", kind, names)
        configuration = configuration_structure(version)
        if configuration is not None:
            place = f"kueue/{version}/Configuration.json"
            yield place, document(configuration, f"{CONFIGURATION_GROUP}/{version}", "Configuration", names)
