"""The committed schemas are the ones that the modules define."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.meta.repository import ROOT


@pytest.mark.slow
def test_the_schemas_are_up_to_date() -> None:
    command = [sys.executable, ".ci/schemas.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_every_schema_is_one() -> None:
    from jsonschema import Draft202012Validator

    paths = sorted((ROOT / "schemas").rglob("*.json"))
    assert paths != []
    distinct: dict[str, Any] = {}  # many schemas have the same definitions
    for path in paths:
        schema = json.loads(path.read_text(encoding="utf-8"))
        definitions = schema.pop("$defs", {})
        assert isinstance(definitions, dict)
        distinct |= {json.dumps(each): each for each in (schema, *definitions.values())}
    for each in distinct.values():
        Draft202012Validator.check_schema(each)


def test_schemas_of_kinds_that_are_not_ours_are_structure_only() -> None:
    schemas, ours = ROOT / "schemas", ROOT / "schemas" / "fairshare"
    described = [
        str(path.relative_to(ROOT))
        for path in sorted(schemas.rglob("*.json"))
        if not path.is_relative_to(ours)
        and any(isinstance(text, str) for text in _values(json.loads(path.read_text(encoding="utf-8")), "description"))
    ]
    assert described == []


def _values(node: object, key: str) -> list[object]:
    """The values under ``key`` anywhere in a document; a property of that name has a schema, and no text, for value."""
    if isinstance(node, list):
        return [value for each in node for value in _values(each, key)]
    if isinstance(node, dict):
        own = [node[key]] if key in node else []
        return own + [value for each in node.values() for value in _values(each, key)]
    return []
