"""The real kubectl, asked offline what it makes of a manifest, and its answers on record."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.screens import ROOT

RECORDS = ROOT / "testdata" / "input"
HEAD = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n"

needs_kubectl = pytest.mark.skipif(shutil.which("kubectl") is None, reason="compares with kubectl, which isn't there")


class Case(NamedTuple):
    """A text and what kubectl makes of it; ``value`` says nothing where it is ``refused``."""

    text: str
    value: Any
    refused: bool


def record(name: str) -> list[Case]:
    """The cases on record in testdata/input."""
    rows = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return [Case(row["text"], row.get("value"), "value" not in row) for row in rows]


def write(name: str, cases: list[Case]) -> None:
    """Puts cases on record, one a line."""
    rows = [{"text": c.text} if c.refused else {"text": c.text, "value": c.value} for c in cases]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    said_by = subprocess.run(["kubectl", "version", "--client", "-o", "json"], capture_output=True, check=True).stdout
    version = json.loads(said_by)["clientVersion"]["gitVersion"]
    text = f'{{"kubectl": {json.dumps(version)}, "cases": [\n{lines}\n]}}\n'
    (RECORDS / f"{name}.json").write_text(text, encoding="utf-8")


def as_go_holds(value: Any) -> Any:
    """A value out of kubectl's JSON, with integers beyond int64 as the floats that they are there."""
    if isinstance(value, dict):
        return {name: as_go_holds(held) for name, held in value.items()}
    if isinstance(value, list):
        return [as_go_holds(held) for held in value]
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
        return float(value)
    return value


def exactly(value: Any) -> Any:
    """A value that compares by type as well: 1, 1.0 and True differ."""
    if isinstance(value, dict):
        return {name: exactly(held) for name, held in value.items()}
    if isinstance(value, list):
        return [exactly(held) for held in value]
    return type(value).__name__, value


def ask(manifests: list[str]) -> list[Any]:
    """What kubectl makes of each manifest, less what asking adds; None where it refuses. One call for all.

    Each manifest starts with ``HEAD``; its name is made to tell it from the others.
    """
    with tempfile.TemporaryDirectory() as folder:
        for number, manifest in enumerate(manifests):
            named = manifest.replace(HEAD, HEAD.replace("name: a", f"name: case-{number}"), 1)
            (Path(folder) / f"{number:04}.yaml").write_bytes(named.encode())
        command = ["kubectl", "annotate", "--local", "-f", folder, "-o", "json", "asked=yes"]
        printed = subprocess.run(command, capture_output=True, check=False).stdout.decode()
    answers: list[Any] = [None] * len(manifests)
    for answer in _documents(printed):
        number = int(answer["metadata"]["name"].removeprefix("case-"))
        answers[number] = as_go_holds({**answer, "metadata": {"name": "a"}})
    return answers


def _documents(printed: str) -> Iterator[Any]:
    decoder, position = json.JSONDecoder(), 0
    while position < len(printed.rstrip()):
        answer, end = decoder.raw_decode(printed, position)
        yield answer
        position = end + 1
