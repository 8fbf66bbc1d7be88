"""The schemas of our documents, as a validator reads them: a reference to another kind is a file next to it."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.screens import ROOT

FOLDER = ROOT / "schemas" / "fairshare" / "v1alpha1"


@cache
def _all() -> "Registry[Any]":
    """Every schema under the name of its file."""
    found = ((path.name, json.loads(path.read_text("utf-8"))) for path in sorted(FOLDER.glob("*.json")))
    return Registry().with_resources((name, Resource.from_contents(schema)) for name, schema in found)


@cache
def validator(kind: str) -> Draft202012Validator:
    """What judges documents of a kind."""
    registry = _all()
    return Draft202012Validator({"$ref": f"{kind.lower()}.json"}, registry=registry)


def problems(document: Any) -> list[str]:
    """What the schema of a document's kind says against it, once it has been through JSON."""
    return [error.message for error in validator(document["kind"]).iter_errors(json.loads(json.dumps(document)))]
