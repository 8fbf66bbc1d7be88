"""Answers about recorded states of older releases are exact, but for few that name what is in doubt."""

from kubectl_fairshare.conformance.replays import recording_named
from kubectl_fairshare.conformance.run import run
from tests.conformance.grades import graded, told
from tests.conformance.test_kueue import OLDER, recorded

MOST = 0.05


def test_few_states_with_topologies_or_past_usage_are_not_exact() -> None:
    names = [name for name in OLDER if name.endswith(("-tas", "-afs"))]
    found = graded([case for name in names for case in recorded(name)])
    assert sum(found.grades.values()) == sum(OLDER[name] for name in names)
    assert found.inexact <= MOST, found.gaps


def test_what_is_printed_has_agreement_by_field_and_the_grades() -> None:
    some = recorded("kueue-0.17-tas")[:4]
    lines = [*told("some", run(recording_named("kueue"), some, 0), graded(some))]
    assert lines[0].startswith("some: 4 of 4 agree; exact ")
    assert "plans 4/4" in lines[1]
