"""The engine decides as CapacityScheduling does: one scheduling cycle on recorded states.

``elasticquota.jsonl.gz`` was recorded from scheduler-plugins' own code at 903da7d on Kubernetes 1.35.4, with
NodeResourcesFit as the only filter.
"""

import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.conformance.compare import AnswerComparison
from kubectl_fairshare.conformance.replays import recording_named
from kubectl_fairshare.conformance.run import cases, run

FILE = Path(__file__).resolve().parents[2] / "testdata" / "conformance" / "elasticquota.jsonl.gz"
ENGINE = recording_named("elasticquota")
SIZE = 1222

Case = dict[str, Any]


@cache
def recorded() -> list[Case]:
    return [dict(case) for case in cases(FILE)]


def named(name: str) -> Case:
    return next(case for case in recorded() if case["name"] == name)


def test_every_decision_is_the_recorded_one() -> None:
    agreement = run(ENGINE, recorded(), most=3)
    assert agreement.first == []
    assert (agreement.agree, agreement.cases) == (SIZE, SIZE)
    assert set(agreement.fields) == set(ENGINE.fields)


@pytest.mark.parametrize("outcome", ["Schedulable", "Preempt", "NoCandidate", "NotEligible", "Error"])
def test_every_outcome_was_recorded(outcome: str) -> None:
    assert any(case["expected"]["outcome"] == outcome for case in recorded())


def spoiled(value: Any) -> Iterator[Any]:
    """The value with one thing in it changed."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in spoiled(inner))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield value[:i] + value[i + 1 :]
            yield from ([*value[:i], other, *value[i + 1 :]] for other in spoiled(inner))
    elif isinstance(value, str):
        yield value + "x"
    elif isinstance(value, bool) or value is None:
        yield "" if value else "x"
    else:
        yield value + 1


@pytest.mark.parametrize("name", ["hand-kep-story1", "hand-pdb-counted-when-node-full", "hand-double-removal-error"])
def test_another_decision_would_be_noticed(name: str) -> None:
    case = named(name)
    answer = ENGINE.replay(case)
    comparison = AnswerComparison(ENGINE.sets)
    for field in ENGINE.fields:
        for other in spoiled(case["expected"].get(field)):
            wrong = {**case["expected"], field: other}
            assert {d.field for d in comparison.differences(wrong, answer, ENGINE.fields)} == {field}


def test_a_replay_changes_nothing_in_its_case() -> None:
    case = named("hand-sidecar-node-charge")
    before = copy.deepcopy(case)
    ENGINE.replay(case)
    assert case == before


def test_a_case_without_its_pod_is_told() -> None:
    agreement = run(ENGINE, [{**named("hand-kep-story1"), "pending": "a/nobody"}], most=1)
    assert [found.difference.got for found in agreement.first] == ["there is no pod `a/nobody` to place"]
