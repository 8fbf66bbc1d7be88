"""No two answers about one state contradict each other: 10 random states of each scheduler, and 20 more at night."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark.structures import ParameterSet

from tests.consistency import campaign
from tests.consistency.accepted import new_errors
from tests.consistency.asking import Program
from tests.consistency.contradictions import contradictions
from tests.consistency.preemptors import Preemptors
from tests.consistency.simulated import moved
from tests.consistency.states import HOUSES, State, states, work_of
from tests.sampling import nightly, sampled
from tests.screens import ROOT

KEPT: Final = ROOT / "testdata" / "consistency"
PARTS: Final = 6
STATES: Final = 5
SOON: Final = 2
"""States that the default suite asks about; the others take minutes: few come with the slow tests, most at night."""
_RANGES: Final = [
    *sampled([(0, 0, SOON), (0, SOON, STATES), (1, 0, STATES)], 3),
    *nightly((part, 0, STATES) for part in range(2, PARTS)),
]


def kept() -> list[ParameterSet]:
    """The smallest state of each scheduler, which the default suite asks about, and the others."""
    files = sorted(KEPT.iterdir(), key=lambda file: file.stat().st_size)
    of_each = [[each for each in files if each.name.startswith(f"{house}-")] for house in HOUSES]
    return [case for own in of_each for case in sampled(own, len(files))]


@pytest.mark.parametrize(("part", "first", "end"), _RANGES)
@pytest.mark.parametrize("house", HOUSES)
def test_no_two_answers_contradict_each_other(house: str, part: int, first: int, end: int, tmp_path: Path) -> None:
    for state in islice(states(house, f"suite/{part}", STATES), first, end):
        found = list(contradictions(state, tmp_path))
        assert found == [], state.name


@pytest.mark.parametrize("file", kept(), ids=lambda file: file.stem)
def test_states_that_once_contradicted_do_not(file: Path, tmp_path: Path) -> None:
    """Each is the smallest state of a campaign that still had the contradiction in its name."""
    objects = json.loads(file.read_text(encoding="utf-8"))["items"]
    assert list(contradictions(State(file.name.partition("-")[0], file.stem, objects), tmp_path)) == []


@pytest.mark.parametrize(
    ("bound", "then", "seen"),
    [("exact", 2, True), ("atLeast", 2, False), ("atLeast", 0, True), ("atMost", 2, True), ("window", 2, False)],
)
def test_a_figure_that_moves_against_its_bound_is_seen(bound: str, then: float, *, seen: bool) -> None:
    assert bool(list(moved({"waiting": (1, bound)}, {"waiting": (then, "exact")}))) is seen


def test_an_error_of_lint_after_a_change_is_seen(tmp_path: Path) -> None:
    """A min above its max, which rule E001 reports, in the object that changed."""
    quota = {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "ElasticQuota"}
    before = {**quota, "metadata": {"name": "q", "namespace": "a"}, "spec": {"min": {"cpu": 1}, "max": {"cpu": 2}}}
    after = {**before, "spec": {"min": {"cpu": 3}, "max": {"cpu": 2}}}
    program = Program("elasticquota", tmp_path)
    assert new_errors(program, [before], [after]) == ["E001 ElasticQuota a/q"]
    assert new_errors(program, [after], [after]) == []


def test_ended_work_is_gone_with_its_objects() -> None:
    for house in HOUSES:
        for state in states(house, "ended", 3):
            names = {work_of(each) for each in state.running}
            assert state.without_work(names).running == []
            assert len(state.without_work(names).objects) == len(state.objects) - len(state.running)


@pytest.mark.slow
def test_a_queue_that_no_plan_names_is_a_contradiction() -> None:
    """A victim of another queue than those that are named is seen."""
    state = next(each for each in states("kueue", "named", 25) if each.running)
    victim = work_of(state.running[0])
    assert list(Preemptors(state).unnamed([("no-such-queue", victim)]))


@pytest.mark.slow
def test_a_named_queue_whose_newcomer_takes_another_is_a_contradiction(tmp_path: Path) -> None:
    """What a plan of the newcomer does not take is seen."""
    for state in states("kueue", "in vain", 25):
        program = Program("kueue", tmp_path)
        preemptors = Preemptors(state)
        file = program.file("state", state.objects)
        assert list(preemptors.in_vain(program, file)) == [], state.name
        idle = program.file("idle", state.without_work({work_of(each) for each in state.running}).objects)
        if list(preemptors.in_vain(program, idle)):
            return
    raise AssertionError("no state had running work that a newcomer takes")


@pytest.mark.parametrize(("found", "said"), [({}, "2 states tried, no contradiction"), ({"a": "x", "b": "y"}, "of 2")])
def test_a_campaign_says_what_was_tried_and_found(
    found: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Pool(ThreadPoolExecutor):
        """Threads of this process."""

    monkeypatch.setattr(campaign, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(campaign, "_contradicted", lambda _, state: (state, found if state.name.endswith("/1") else {}))
    assert campaign.main(["--house", "elasticquota", "--states", "2", "--seed", "3"]) == bool(found)
    last = capsys.readouterr().out.splitlines()[-1]
    assert said in last
    assert not found or last.startswith("2 states tried, 1 with contradictions, of 2 kinds")
