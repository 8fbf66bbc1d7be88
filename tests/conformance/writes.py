"""Recorded writes to a real kube-apiserver, and how our answers are held against them."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

_BATCH: Final = 16
TESTDATA = Path(__file__).resolve().parents[2] / "testdata" / "conformance"


def recorded(name: str) -> list[dict[str, Any]]:
    """The recorded writes of one API."""
    with gzip.open(TESTDATA / f"{name}-admission.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def exactly(value: Any) -> str:
    """A text in which ``1`` and ``1.0`` differ."""
    return json.dumps(value, sort_keys=True)


def batches(name: str) -> list[Any]:
    """The recorded writes of one API as parameters of a test, some at a time: a test costs more than a write."""
    every = recorded(name)
    starts = range(0, len(every), _BATCH)
    return [pytest.param(every[i : i + _BATCH], id=every[i]["name"]) for i in starts]


def assert_agree(replay: Callable[[Any], Any], batch: list[dict[str, Any]]) -> None:
    """Fails with the names of the cases in which the answer is not the recorded one, and what differs in the first."""
    differing = {case["name"]: pair for case in batch if len(set(pair := _answers(replay(case), case["expected"]))) > 1}
    assert not differing, (list(differing), next(iter(differing.values())))


def _answers(answer: Any, expected: dict[str, Any]) -> tuple[str, str]:
    """Both answers as texts, the words of causes left aside."""
    warnings, stored = expected.get("warnings", []), expected.get("stored")
    return _text(answer), _text({**expected, "warnings": warnings, "stored": stored})


def _text(answer: Any) -> str:
    causes = sorted({(cause["field"], cause["type"]) for cause in answer["causes"]})
    fields = {name: answer[name] for name in ("accepted", "stage", "warnings", "stored")}
    return exactly({**fields, "causes": causes, "unknownFields": sorted(answer["unknownFields"])})
