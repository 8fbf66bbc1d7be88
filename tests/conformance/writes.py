"""Recorded writes to a real kube-apiserver, and how our answers are held against them."""

import gzip
import json
from pathlib import Path
from typing import Any

TESTDATA = Path(__file__).resolve().parents[2] / "testdata" / "conformance"


def recorded(name: str) -> list[dict[str, Any]]:
    """The recorded writes of one API."""
    with gzip.open(TESTDATA / f"{name}-admission.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def exactly(value: Any) -> str:
    """A text in which ``1`` and ``1.0`` differ."""
    return json.dumps(value, sort_keys=True)


def assert_agrees(answer: Any, expected: dict[str, Any]) -> None:
    """Fails unless the answer is the recorded one, the words of causes left aside."""
    assert answer["accepted"] == expected["accepted"]
    assert answer["stage"] == expected["stage"]
    assert {(c["field"], c["type"]) for c in answer["causes"]} == {(c["field"], c["type"]) for c in expected["causes"]}
    assert sorted(answer["unknownFields"]) == sorted(expected["unknownFields"])
    assert answer["warnings"] == expected.get("warnings", [])
    assert exactly(answer["stored"]) == exactly(expected.get("stored"))
