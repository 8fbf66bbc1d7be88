"""Writes to Kueue's API get the answers that a real kube-apiserver with Kueue's CRDs and webhooks gave.

``kueue-admission.jsonl.gz`` is a part of a larger recording (kube-apiserver 1.35.4, Kueue v0.19.2): every
case made by hand, the two shortest of each kind, version, way of writing and stage, and one for every way
in which the generator breaks objects.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.conformance.admission import replay

FILE = Path(__file__).resolve().parents[2] / "testdata" / "conformance" / "kueue-admission.jsonl.gz"


def recorded() -> list[Any]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        return [pytest.param(case, id=case["name"]) for case in map(json.loads, lines)]


def exactly(value: Any) -> str:
    """A text in which ``1`` and ``1.0`` differ."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("case", recorded())
def test_the_answer_is_the_recorded_one(case: dict[str, Any]) -> None:
    answer, expected = replay(case), case["expected"]
    assert answer["accepted"] == expected["accepted"]
    assert answer["stage"] == expected["stage"]
    assert {(c["field"], c["type"]) for c in answer["causes"]} == {(c["field"], c["type"]) for c in expected["causes"]}
    assert sorted(answer["unknownFields"]) == sorted(expected["unknownFields"])
    assert answer["warnings"] == expected.get("warnings", [])
    assert exactly(answer["stored"]) == exactly(expected.get("stored"))
