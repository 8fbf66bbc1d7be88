"""One object in two versions of its API: the same content counts once, other content is a problem of both places."""

import pytest

from kubectl_fairshare.schedulers.kueue.reading.agreement import disagreements
from tests.unit.input.text.texts import read_text

OLD, NEW = "v1beta1", "v1beta2"


def queue(version: str, spec: str, metadata: str = "", status: str = "") -> str:
    start = f"apiVersion: kueue.x-k8s.io/{version}\nkind: ClusterQueue\n"
    return f"{start}metadata: {{name: q{metadata}}}\nspec: {{namespaceSelector: {{}}{spec}}}\n{status}"


def told(first: str, second: str) -> list[str]:
    return [problem.message for problem in disagreements(read_text(f"{first}---\n{second}"))]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (queue(OLD, ""), queue(NEW, "")),
        (queue(OLD, ", cohort: c"), queue(NEW, ", cohortName: c")),
        (queue(OLD, ""), queue(NEW, ", queueingStrategy: BestEffortFIFO")),
        (queue(OLD, "", status="status: {pendingWorkloads: 3}\n"), queue(NEW, "")),
        (queue(OLD, "", ", resourceVersion: '1'"), queue(NEW, "", ", resourceVersion: '2'")),
    ],
    ids=["alike", "a renamed field", "a default", "the status", "a server's mark"],
)
def test_what_is_the_same_after_conversion_agrees(first: str, second: str) -> None:
    assert told(first, second) == []
    assert told(second, first) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (queue(OLD, ", cohort: c"), queue(NEW, ", cohortName: d")),
        (queue(OLD, ""), queue(NEW, ", queueingStrategy: StrictFIFO")),
        (queue(OLD, "", ", labels: {a: b}"), queue(NEW, "")),
    ],
    ids=["another cohort", "another strategy", "other labels"],
)
def test_what_differs_is_told_with_both_versions(first: str, second: str) -> None:
    (message,) = told(first, second)
    assert message.startswith("ClusterQueue q is here in kueue.x-k8s.io/")
    assert OLD in message
    assert NEW in message
    assert message.endswith("and they differ")


def test_both_places_are_named() -> None:
    (problem,) = disagreements(read_text(f"{queue(OLD, ', cohort: c')}---\n{queue(NEW, '')}"))
    assert problem.help == "remove one of them"
    ((words, place),) = problem.related
    assert words == "the other one"
    assert str(place) != str(problem.place)
