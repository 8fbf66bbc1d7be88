"""Every file in ``testdata/scenarios`` is decided as it says, and ``docs/scenarios.md`` lists them all."""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from tests.conformance.answers import answer, differences
from tests.conformance.scenarios import FOLDER, Document, Scenario, UnknownKeyError, every_scenario, scenario, snapshot
from tests.screens import ROOT, compare

SCENARIOS = every_scenario()
each = pytest.mark.parametrize("told", SCENARIOS, ids=lambda told: told.name)


@cache
def found(name: str) -> Document:
    """The answer to a scenario, asked once."""
    return answer(next(told for told in SCENARIOS if told.name == name))


@each
def test_a_scenario_is_decided_as_it_says(told: Scenario) -> None:
    assert list(differences(told.then, found(told.name))) == []


@each
def test_a_wrong_answer_would_be_noticed(told: Scenario) -> None:
    unnoticed = [wrong for wrong in spoiled(told.then) if not list(differences(wrong, found(told.name)))]
    assert unnoticed == []
    assert list(spoiled(told.then))


def spoiled(value: Any) -> Iterator[Any]:
    """The value with one thing in it changed, in every way that leaves its keys alone."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in spoiled(inner))
    elif isinstance(value, list):
        yield [*value, {}]
        for i, inner in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1 :]] for other in spoiled(inner))
    elif isinstance(value, bool) or value is None:
        yield not value
    else:
        yield value + ("x" if isinstance(value, str) else 1)


def test_a_key_that_no_answer_has_is_an_error() -> None:
    answered = {"outcome": "Admitted", "victims": [{"workload": "a"}]}
    with pytest.raises(UnknownKeyError, match=r"then has no `outcom`; there is: outcome, victims"):
        list(differences({"outcom": "Admitted"}, answered))
    with pytest.raises(UnknownKeyError, match=r"then\.victims\[0\] has no `job`"):
        list(differences({"victims": [{"job": "a"}]}, answered))


def test_a_difference_tells_both_sides() -> None:
    answered = {"victims": [{"workload": "a"}], "borrowing": 1}
    gaps = list(differences({"victims": [], "borrowing": 2}, answered))
    assert gaps == [
        "then.victims: expected [], found [{'workload': 'a'}]",
        "then.borrowing: expected 2, found 1",
    ]


QUEUE = {
    "kind": "ClusterQueue",
    "metadata": {"name": "q"},
    "spec": {
        "resourceGroups": [
            {
                "coveredResources": ["cpu"],
                "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": 1}]}],
            }
        ]
    },
}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"objects": [QUEUE], "runing": []}, "given has no `runing`"),
        ({"objects": [QUEUE], "running": [{"queue": "q", "each": {"cpu": 1}, "prio": 1}]}, "running has no `prio`"),
        ({"objects": [QUEUE], "pending": [{"queue": "q", "each": {"cpu": 1}}]}, "a workload has no `each`"),
    ],
)
def test_a_key_that_no_state_has_is_an_error(given: Document, complaint: str) -> None:
    with pytest.raises(UnknownKeyError, match=complaint):
        snapshot(given)


def test_a_key_that_no_scenario_has_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text("title: Odd\nwhy: nobody knows\n")
    with pytest.raises(UnknownKeyError, match=r"odd\.yaml has no `why`"):
        scenario(path)


def test_running_workloads_are_written_out() -> None:
    running = [{"queue": "q", "name": "w", "count": 2, "each": {"cpu": "500m"}, "priority": 3, "leaving": True}]
    first, second = snapshot({"objects": [QUEUE], "running": running}).part(KueueState).holders
    assert (first.name, first.cluster_queue, first.priority, first.evicted) == ("team/w-1", "q", 3, True)
    assert dict(first.usage) == {("f", "cpu"): 500}
    assert second.reserved - first.reserved == 60 * 10**9


@each
def test_the_order_of_the_objects_does_not_matter(told: Scenario) -> None:
    given = {**told.given, "objects": told.given["objects"][::-1]}
    turned = Scenario(told.name, told.title, told.source, told.because, given, told.when, told.then)
    assert answer(turned) == found(told.name)


def index() -> str:
    """The page that lists the scenarios by the document that they belong to."""
    lines = [
        "# Scenarios",
        "",
        "Each file is a small state of a cluster, a question about it, the scheduler's answer, and why it is so. The",
        "tests ask the engine every one of these questions. [How they are written](../testdata/scenarios/README.md).",
    ]
    told = sorted(SCENARIOS, key=lambda s: (s.subject, s.name))
    for subject, group in groupby(told, key=lambda s: s.subject):
        lines += ["", f"## {subject}", "", "| scenario | what it shows | source |", "| --- | --- | --- |"]
        lines += [_row(one) for one in group]
    return "\n".join(lines) + "\n"


def _row(told: Scenario) -> str:
    where = told.source.removeprefix(told.subject).removeprefix(", ")
    return f"| [{told.name}](../testdata/scenarios/{told.name}.yaml) | {told.title} | {where} |"


def test_the_page_of_scenarios_is_true(request: pytest.FixtureRequest) -> None:
    rewrite = bool(request.config.getoption("--rewrite-goldens"))
    compare(ROOT / "docs" / "scenarios.md", index(), rewrite=rewrite)


@each
def test_a_scenario_can_be_read(told: Scenario) -> None:
    longest = max((FOLDER / f"{told.name}.yaml").read_text(encoding="utf-8").splitlines(), key=len)
    assert len(longest) <= 120
    assert told.title[0].isupper()
    assert not told.title.endswith(".")
    assert told.because.endswith(".\n")
