"""The engine decides as Koordinator does: figures, single scheduling cycles and the webhook, as recorded.

``koordinator.jsonl.gz`` and ``koordinator-admission.jsonl.gz`` were recorded from Koordinator's own code, v1.8.0, with
NodeResourcesFit as the only filter. They hold all cases that were made by hand, and every twelfth or third other one.
"""

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.conformance.replays import recording_named
from kubectl_fairshare.conformance.run import cases, run

FOLDER = Path(__file__).resolve().parents[2] / "testdata" / "conformance"
SIZES = {"koordinator": 85, "koordinator-admission": 153}
Case = dict[str, Any]


@cache
def recorded(name: str) -> list[Case]:
    return [dict(case) for case in cases(FOLDER / f"{name}.jsonl.gz")]


@pytest.mark.parametrize("name", SIZES)
def test_every_decision_is_the_recorded_one(name: str) -> None:
    engine = recording_named(name)
    agreement = run(engine, recorded(name), most=3)
    assert agreement.first == []
    assert (agreement.agree, agreement.cases) == (SIZES[name], SIZES[name])
    assert set(agreement.fields) == set(engine.fields)


@pytest.mark.parametrize("outcome", ["Schedulable", "Preempt", "NoCandidate", "NotEligible", "Error"])
def test_every_outcome_was_recorded(outcome: str) -> None:
    pods = [pod for case in recorded("koordinator") for pod in case["expected"]["pods"].values()]
    assert any(pod["outcome"] == outcome for pod in pods)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("hand-share-by-weight", ("quotas", "a", "runtime", "cpu"), 65_001),
        ("hand-no-max-is-free", ("quotas", "a", "runtime", "cpu"), 0),
        ("hand-preempt-in-vain", ("pods", "default/p3", "outcome"), "NoCandidate"),
        ("hand-revoke-forgets-dimension", ("revoke", "a"), ["default/none"]),
    ],
)
def test_a_changed_recording_is_noticed(name: str, path: tuple[str, ...], value: object) -> None:
    case = copy.deepcopy(next(case for case in recorded("koordinator") if case["name"] == name))
    place = case["expected"]
    for part in path[:-1]:
        place = place.setdefault(part, {})
    place[path[-1]] = value
    agreement = run(recording_named("koordinator"), [case], most=3)
    assert [found.difference.path for found in agreement.first][:1] != []


def test_a_path_that_varies_between_runs_is_not_compared() -> None:
    case = copy.deepcopy(next(case for case in recorded("koordinator") if case["name"] == "hand-share-by-weight"))
    case["expected"]["quotas"]["a"]["runtime"]["cpu"] = 1
    case["varies"] = [{"path": ["quotas", "a", "runtime", "cpu"], "seen": [1, 65_000]}]
    assert run(recording_named("koordinator"), [case], most=3).agree == 1
