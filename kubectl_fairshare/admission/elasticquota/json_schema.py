"""The JSON Schema of ElasticQuota, derived from the tables that judge it."""

from collections.abc import Iterator

from kubectl_fairshare.admission.elasticquota.judge import KIND, VERSION
from kubectl_fairshare.admission.elasticquota.structures import ELASTIC_QUOTA
from kubectl_fairshare.admission.json_schema import Document, document, structure_names
from kubectl_fairshare.model.elasticquota import GROUP


def documents() -> Iterator[tuple[str, Document]]:
    """Every schema with its path below ``schemas/``."""
    names = structure_names(("elasticquota.structures",))
    yield f"elasticquota/{VERSION}/{KIND}.json", document(ELASTIC_QUOTA, f"{GROUP}/{VERSION}", KIND, names)
