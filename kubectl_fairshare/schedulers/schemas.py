"""The JSON Schemas of all documents that the program prints."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from kubectl_fairshare.report.documents import schema
from kubectl_fairshare.schedulers import ALL


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema with its path below ``schemas/``."""
    return schema.documents({name: import_module(f"{__package__}.{name}.documents").DOCUMENTS for name in ALL})
