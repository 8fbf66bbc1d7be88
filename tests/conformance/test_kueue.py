"""The engine decides as Kueue v0.19.2 did: recorded states, courses of cycles, and steps of a living cluster.

Each file is the part of a larger recording that meets everything which the whole of it meets; see
``choose_cases``; ``kueue-transformed`` has all states of v0.16.9 and v0.17.8 in which the order of requests decides
what a transformation makes of them. ``kueue`` and ``kueue-saturated`` were recorded from the scheduler's own code,
``kueue-living`` from a manager that ran beside a real API server.
"""

import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.conformance.compare import AnswerComparison
from kubectl_fairshare.conformance.replays import REPLAYS, recording_named
from kubectl_fairshare.conformance.run import cases, run
from kubectl_fairshare.schedulers.recording import NONDETERMINISTIC, Recording
from tests.sampling import sampled

FOLDER = Path(__file__).resolve().parents[2] / "testdata" / "conformance"
OLDER = {
    **dict.fromkeys(("kueue-0.16", "kueue-0.17", "kueue-0.18", "kueue-0.18-patches"), 70),
    **dict.fromkeys(("kueue-0.16-tas", "kueue-0.17-tas"), 60),
    **dict.fromkeys(("kueue-0.16-afs", "kueue-0.17-afs"), 25),
    "kueue-transformed": 38,
}
SIZES = {
    "kueue": 200,
    "kueue-saturated": 30,
    "kueue-living": 30,
    "kueue-tas": 60,
    "kueue-afs": 25,
    "kueue-mix": 20,
    **OLDER,
}
REPLAYED_AS = dict.fromkeys(("kueue-tas", "kueue-afs", "kueue-mix", *OLDER), "kueue")
"""Recordings that another engine's replay decides, as they are of its form."""

Case = dict[str, Any]


@cache
def recorded(engine: str) -> list[Case]:
    return [dict(case) for case in cases(FOLDER / f"{engine}.jsonl.gz")]


def recording_of(name: str) -> Recording:
    """How the recording is replayed."""
    return recording_named(REPLAYED_AS.get(name, name))


@pytest.mark.parametrize("engine", SIZES)
@pytest.mark.parametrize("every", [pytest.param(1, id="all", marks=pytest.mark.slow), pytest.param(9, id="a ninth")])
def test_every_decision_is_the_recorded_one(engine: str, every: int) -> None:
    assert len(recorded(engine)) == SIZES[engine]
    chosen = recorded(engine)[::every]
    agreement = run(recording_of(engine), chosen, most=3)
    assert agreement.first == []
    assert (agreement.agree, agreement.cases) == (len(chosen), len(chosen))


def test_every_field_is_recorded_somewhere() -> None:
    for engine in {REPLAYED_AS.get(name, name) for name in SIZES}:
        names = [name for name in SIZES if REPLAYED_AS.get(name, name) == engine]
        met = {field for name in names for case in recorded(name) for field in case["expected"]}
        assert set(REPLAYS[engine].fields) <= met, engine


def spoiled(value: Any) -> Iterator[Any]:
    """The value with one thing in it changed, in every way that leaves its keys alone."""
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
        yield value + 1 + abs(value) // 10**6  # far enough to be another number


def few(engine: str) -> list[Case]:
    """The shortest cases in which nothing is left to chance: each is spoiled in hundreds of ways."""
    certain = (case for case in recorded(engine) if not case.get(NONDETERMINISTIC))
    return sorted(certain, key=lambda case: len(str(case["expected"])))[:3]


@pytest.mark.parametrize("engine", sampled(SIZES, 4))
def test_another_decision_would_be_noticed(engine: str) -> None:
    known = recording_of(engine)
    for case in few(engine):
        answer = known.replay(case)
        for field in known.fields:
            for other in spoiled(case["expected"].get(field)):
                wrong = {**case, "expected": {**case["expected"], field: other}}
                differing = run_with(engine, wrong, answer)
                assert differing == {field}, (case["name"], field, other)


def run_with(engine: str, case: Case, answer: Any) -> set[str]:
    """The fields in which the case differs from an answer that was found before."""
    known = recording_of(engine)
    comparison = AnswerComparison(known.sets)
    return {d.field for d in comparison.differences(case["expected"], answer, known.fields)}


@pytest.mark.parametrize("engine", SIZES)
def test_a_replay_changes_nothing_in_its_case(engine: str) -> None:
    case = few(engine)[0]
    before = copy.deepcopy(case)
    recording_of(engine).replay(case)
    assert case == before
