"""Answers about recorded states of older releases are exact, but for few that name what is in doubt."""

import pytest

from kubectl_fairshare.conformance.replays import recording_named
from kubectl_fairshare.conformance.run import run
from kubectl_fairshare.schedulers.kueue.conformance.decisions import replay
from kubectl_fairshare.schedulers.recording import NONDETERMINISTIC, POSSIBLE
from tests.conformance.grades import graded, told
from tests.conformance.test_kueue import OLDER, recorded

MOST = 0.05
MANY = 10


@pytest.mark.slow
def test_few_states_with_topologies_or_past_usage_are_not_exact() -> None:
    names = [name for name in OLDER if name.endswith(("-tas", "-afs"))]
    found = graded([case for name in names for case in recorded(name)])
    assert sum(found.grades.values()) == sum(OLDER[name] for name in names)
    assert found.inexact <= MOST, found.gaps


def test_what_varied_with_the_order_of_requests_is_what_we_list() -> None:
    """Each value that Kueue's own draws gave, and no other, where transformations make what pods request."""
    varied = 0
    for case in recorded("kueue-transformed"):
        answer = replay(case)
        ways = answer.get(POSSIBLE) or [answer]
        for path, seen in dict(case.get(NONDETERMINISTIC) or {}).items():
            part, number, *field = path.split("/")
            if field not in (["mode"], ["borrowing"], ["status"]):
                continue
            name = case["expected"][part][int(number)]["workload"]
            found = {each[field[0]] for way in ways for each in way[part] if each["workload"] == name}
            assert found == set(seen), f"{case['name']} {path}"
            varied += 1
    assert varied > MANY


def test_states_where_draws_decide_are_told_by_their_outcomes_alone() -> None:
    found = graded(recorded("kueue-transformed"))
    assert found.gaps == {}


def test_what_is_printed_has_agreement_by_field_and_the_grades() -> None:
    some = recorded("kueue-0.17-tas")[:4]
    lines = [*told("some", run(recording_named("kueue"), some, 0), graded(some))]
    assert lines[0].startswith("some: 4 of 4 agree; exact ")
    assert "plans 4/4" in lines[1]
