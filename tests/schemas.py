"""The schemas of our documents, as a validator reads them: a reference to another kind is a file next to it."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.screens import ROOT

FOLDER = ROOT / "schemas" / "fairshare"
PRESENT = "v1alpha2"


@cache
def _all(version: str) -> "Registry[Any]":
    """Every schema of a version under the name of its file."""
    found = ((path.name, json.loads(path.read_text("utf-8"))) for path in sorted((FOLDER / version).glob("*.json")))
    return Registry().with_resources((name, Resource.from_contents(schema)) for name, schema in found)


@cache
def validator(kind: str, version: str = PRESENT) -> Draft202012Validator:
    """What judges documents of a kind."""
    registry = _all(version)
    return Draft202012Validator({"$ref": f"{kind.lower()}.json"}, registry=registry)


def problems(document: Any) -> list[str]:
    """What the schema of a document's kind says against it, once it has been through JSON."""
    judge = validator(document["kind"], document["apiVersion"].rpartition("/")[2])
    return [error.message for error in judge.iter_errors(json.loads(json.dumps(document)))]
