"""Why a queue is inactive, in words."""

import pytest

from kubectl_fairshare.schedulers.kueue.words.inactivity import inactivity_clause


@pytest.mark.parametrize(
    ("reasons", "objects", "words"),
    [
        ("", "", ""),
        ("Stopped", "", "it is stopped"),
        ("FlavorNotFound", "a, b", "it lists a ResourceFlavor that does not exist: a, b"),
        ("Stopped, FlavorNotFound", "a", "it is stopped, and it lists a ResourceFlavor that does not exist: a"),
        ("CohortCycle", "a, b, a", "its cohorts form a cycle: a → b → a"),
        ("FlavorNotFound, AdmissionCheckNotFound", "a, c", "FlavorNotFound, AdmissionCheckNotFound (a, c)"),
        ("SomethingNew", "x", "SomethingNew"),
    ],
)
def test_the_clause(reasons: str, objects: str, words: str) -> None:
    assert inactivity_clause(reasons, objects) == words
