"""The JSON Schema of ElasticQuota, derived from the tables that judge it."""

from collections.abc import Iterator

from kubectl_fairshare.api.json_schema import Document, document, structure_names
from kubectl_fairshare.schedulers.elasticquota.admission.judge import KIND, VERSION
from kubectl_fairshare.schedulers.elasticquota.admission.structures import ELASTIC_QUOTA
from kubectl_fairshare.schedulers.elasticquota.model.objects import GROUP


def documents() -> Iterator[tuple[str, Document]]:
    """Every schema with its path below ``schemas/``."""
    names = structure_names(("schedulers.elasticquota.admission.structures",))
    yield f"elasticquota/{VERSION}/{KIND}.json", document(ELASTIC_QUOTA, f"{GROUP}/{VERSION}", KIND, names)
