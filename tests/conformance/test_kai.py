"""The engine decides as KAI-Scheduler v0.17 did on recorded states.

The file is the part of a larger recording that meets everything which the whole of it meets; see
``choose_cases``. Where KAI's own result depends on the order of a map, the recording says so and is not compared.
"""

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.conformance.compare import AnswerComparison
from kubectl_fairshare.conformance.replays import REPLAYS, recording_named
from kubectl_fairshare.conformance.run import cases, run
from tests.conformance.test_kueue import spoiled

FILE = Path(__file__).resolve().parents[2] / "testdata" / "conformance" / "kai.jsonl.gz"
SIZE = 150
KAI = REPLAYS["kai"]

Case = dict[str, Any]


@cache
def recorded() -> list[Case]:
    return [dict(case) for case in cases(FILE)]


def short(least: int) -> list[Case]:
    """The shortest cases with at least so many queues, in which KAI leaves nothing to chance."""
    defined = (c for c in recorded() if not c.get("nondeterministic"))
    known = [c for c in defined if len(c["expected"].get("queues") or ()) >= least]
    return sorted(known, key=lambda case: len(str(case["expected"])))[:2]


@pytest.mark.parametrize("every", [pytest.param(1, id="all", marks=pytest.mark.slow), pytest.param(5, id="a fifth")])
def test_every_decision_is_the_recorded_one(every: int) -> None:
    assert len(recorded()) == SIZE
    chosen = recorded()[::every]
    agreement = run(recording_named("kai"), chosen, most=3)
    assert agreement.first == []
    assert (agreement.agree, agreement.cases) == (len(chosen), len(chosen))
    assert set(agreement.fields) == set(KAI.fields)


def test_another_decision_would_be_noticed() -> None:
    for case in short(2):
        answer = KAI.replay(case)
        for field in KAI.fields:
            for other in spoiled(case["expected"].get(field)):
                wrong = {**case["expected"], field: other}
                found = AnswerComparison(KAI.sets).differences(wrong, answer, KAI.fields)
                assert {d.field for d in found} == {field}, (case["name"], field, other)


def test_a_replay_changes_nothing_in_its_case() -> None:
    case = short(2)[0]
    before = copy.deepcopy(case)
    KAI.replay(case)
    assert case == before
