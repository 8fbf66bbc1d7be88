"""Whole plans are those that KAI-Scheduler v0.17 made on recorded clusters: where pods go, who leaves, who moves.

The file is the part of a larger recording that meets everything which the whole of it meets; see ``choose_cases``.
Where KAI's own result depends on the order of a map, the recording says so and is not compared; what an engine leaves
open is counted.
"""

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.conformance.compare import AnswerComparison
from kubectl_fairshare.conformance.replays import REPLAYS, recording_named
from kubectl_fairshare.conformance.run import Agreement, cases, run
from kubectl_fairshare.schedulers.kai.conformance.decisions import state_of
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.session.session import open_session
from tests.conformance.test_kai import Case

FILE = Path(__file__).resolve().parents[2] / "testdata" / "conformance" / "kai-plan.jsonl.gz"
SIZE = 150
PLANS = REPLAYS["kai-plan"]

chosen = pytest.mark.parametrize(
    "every",
    [
        pytest.param(1, id="all", marks=pytest.mark.slow),
        pytest.param(5, id="a fifth"),
    ],
)
"""All cases where slow tests run, in one process; a fifth of them in the default run."""


@cache
def recorded() -> list[Case]:
    return [dict(case) for case in cases(FILE)]


@cache
def replayed(every: int) -> tuple[Agreement, dict[str, Any]]:
    """How far the answers are the recorded ones, and each answer by the name of its case, for every so many cases."""
    lines: list[bytes] = []
    agreement = run(recording_named("kai-plan"), recorded()[::every], most=3, emit=lines.append)
    answers = map(json.loads, lines)
    return agreement, {answer["name"]: answer["expected"] for answer in answers}


@chosen
def test_every_plan_is_the_recorded_one(every: int) -> None:
    agreement, _ = replayed(every)
    assert agreement.first == []
    assert (agreement.agree, agreement.cases) == (SIZE // every, SIZE // every)
    assert set(agreement.fields) == set(PLANS.fields)


@chosen
def test_few_jobs_are_left_open(every: int) -> None:
    agreement, _ = replayed(every)
    jobs = sum(len(case["expected"]["jobs"]) for case in recorded()[::every])
    assert 0 < sum(agreement.unknown.values()) < jobs * 0.1


def test_another_plan_would_be_noticed() -> None:
    case = next(
        c for c in recorded() if any(job.get("alone", {}).get("evicted") for job in c["expected"]["jobs"].values())
    )
    answer = PLANS.compared(PLANS.replay(case))
    wrong = copy.deepcopy(PLANS.compared(case["expected"]))
    comparison = AnswerComparison(PLANS.sets)
    assert not [*comparison.differences(wrong, answer, PLANS.fields)]
    name = next(name for name, job in wrong["jobs"].items() if job["alone"].get("evicted"))
    wrong["jobs"][name]["alone"]["evicted"].pop()
    found = [difference.path for difference in comparison.differences(wrong, answer, PLANS.fields)]
    assert found == [f"jobs/{name}/alone/evicted/{len(wrong['jobs'][name]['alone']['evicted'])}"]


@chosen
def test_what_is_said_is_the_recorded_text(every: int) -> None:
    said, answers = 0, replayed(every)[1]
    for case in recorded()[::every]:
        answer = answers[case["name"]]["jobs"]
        for name, job in case["expected"]["jobs"].items():
            wanted = (job.get("alone") or {}).get("condition")
            if not wanted or "unknown" in answer[name] or case.get("nondeterministic"):
                continue
            said += 1
            assert answer[name]["alone"]["condition"]["message"] == wanted["message"], (case["name"], name)
    assert said > 100 // every


def test_where_kai_names_any_filter_each_recorded_text_is_told() -> None:
    """The moments of a delay vary, too: they are those of the recording."""
    varying = 0
    for case in recorded():
        for path, texts in (case.get("nondeterministic") or {}).items():
            _, name, *field = path.split("/")
            if field != ["alone", "condition", "message"] or any("delay window" in text for text in texts):
                continue
            found = plan(open_session(state_of(case)), name).placement
            if found is None or found.action:
                continue
            varying += 1
            assert {found.condition, *found.other_conditions} >= set(texts), (case["name"], name)
    assert varying >= 1


@pytest.mark.slow
def test_where_kai_itself_varies_no_plan_is_exact() -> None:
    varying = 0
    for case in recorded():
        paths = [path.split("/") for path in case.get("nondeterministic") or {}]
        names = sorted({path[1] for path in paths if path[0] == "jobs" and path[2:] == ["alone", "by"]})
        session = open_session(state_of(case)) if names else None
        for name in names:
            assert session is not None
            varying += 1
            assert not plan(session, name).fidelity.exact, (case["name"], name)
    assert varying >= 3
