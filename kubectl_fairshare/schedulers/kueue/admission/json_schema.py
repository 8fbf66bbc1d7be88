"""JSON Schemas of Kueue's kinds and of its Configuration, derived from the tables that judge them."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.json_schema import Document, document, structure_names
from kubectl_fairshare.schedulers.kueue.admission.configuration import GROUP as CONFIGURATION_GROUP
from kubectl_fairshare.schedulers.kueue.admission.configuration import configuration_structure
from kubectl_fairshare.schedulers.kueue.admission.kinds import GROUP, KINDS, VERSIONS, structure

_MODULES: Final = (
    "schedulers.kueue.admission.structures.admission_check",
    "schedulers.kueue.admission.structures.cluster_queue",
    "schedulers.kueue.admission.structures.cohort",
    "api.structures.condition",
    "schedulers.kueue.admission.structures.configuration",
    "schedulers.kueue.admission.structures.local_queue",
    "schedulers.kueue.admission.structures.multikueue",
    "api.structures.object_meta",
    "api.structures.pod_affinity",
    "api.structures.pod_container",
    "api.structures.pod_template",
    "api.structures.pod_volume",
    "schedulers.kueue.admission.structures.priority_class",
    "schedulers.kueue.admission.structures.provisioning",
    "schedulers.kueue.admission.structures.quota",
    "schedulers.kueue.admission.structures.resource_flavor",
    "api.structures.selector",
    "schedulers.kueue.admission.structures.topology",
    "schedulers.kueue.admission.structures.workload",
    "schedulers.kueue.admission.structures.workload_status",
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
