"""The JSON Schemas of all documents that the program prints, and of the kinds that schedulers serve."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from kubectl_fairshare.api import json_schema
from kubectl_fairshare.lint.documents import schema as lint
from kubectl_fairshare.report.documents import schema
from kubectl_fairshare.schedulers import ALL, lint_houses


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema with its path below ``schemas/``."""
    kinds = {name: import_module(f"{__package__}.{name}.documents.kinds") for name in ALL}
    yield from schema.documents({name: each.DOCUMENTS for name, each in kinds.items()})
    yield from lint.documents(lint_houses())
    for name in ALL:
        for api in import_module(f"{__package__}.{name}.admission.kinds").APIS:
            yield from json_schema.documents(name, api)
