"""Workloads that are not stored: no moment and no UID orders them, so no answer may rest on an order."""

from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown
from tests.unit.cli.why_state import Object, asked, kueue, queue, running, screen, surroundings, workload


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def unstored(name: str, gpus: int = 1, **more: Any) -> Object:
    """A Workload as it is applied."""
    made = workload(name, gpus, **more)
    made["metadata"] = {"name": name, "namespace": "team"}
    return made


def listed(objects: list[Object]) -> list[tuple[str, int | None, str | None, bool]]:
    """Of each workload that waits its name, position and since, and whether the answer is exact."""
    document = asked(objects, "-A")
    found = [each for group in document["groups"] for each in group["workloads"]]
    return sorted((each["workload"]["name"], each["position"], each["since"], each["exact"]) for each in found)


def cycle(objects: list[Object]) -> str:
    screen(objects, "-A")
    return shown("kubectl-fairshare cycle -f state.json").stdout


def test_workloads_without_a_moment_have_no_place_among_themselves() -> None:
    objects = [*surroundings(), *queue("q"), workload("dated"), unstored("one"), unstored("two")]

    assert listed(objects) == [
        ("dated", 1, "2026-03-02T11:00:00Z", True),
        ("one", None, None, True),
        ("two", None, None, True),
    ]
    document = asked(objects, "workload/one")
    assert [each["name"] for each in document["standing"]["ahead"]] == ["dated"]
    assert [each["name"] for each in document["standing"]["unordered"]] == ["two"]
    assert "place 2 to 3 of 3 in q" in screen(objects, "workload/one").stdout
    assert " 2–3/3" in screen(objects, "-A", "wide").stdout


def test_a_priority_orders_workloads_without_a_moment() -> None:
    objects = [*surroundings(), *queue("q"), unstored("one"), unstored("two", spec={"priority": 1})]

    assert [(name, place) for name, place, *_ in listed(objects)] == [("one", 2), ("two", 1)]
    assert "1 admitted" in cycle(objects)


def test_a_cycle_is_not_exact_where_the_head_is_not_known() -> None:
    pair = [unstored("one"), unstored("two")]

    found = cycle([*surroundings(), *queue("q"), *pair])
    assert "which workload of q comes first" in found
    assert "not exact" in found
    assert "not exact" not in cycle([*surroundings(), *queue("q"), workload("dated"), *pair])
    assert "not exact" not in cycle([*surroundings(), *queue("q"), *pair[:1]])


def test_the_same_moment_without_a_uid_is_no_order_either() -> None:
    pair = [workload(name, metadata={"uid": ""}) for name in ("one", "two")]

    assert "not exact" in cycle([*surroundings(), *queue("q"), *pair])
    assert "not exact" not in cycle([*surroundings(), *queue("q"), workload("one"), workload("two")])


def test_who_blocks_a_strict_queue_is_not_known_either() -> None:
    strict = [*surroundings(), *queue("q", queueingStrategy="StrictFIFO")]
    pair = [unstored("one"), unstored("two", 9)]

    assert [exact for *_, exact in listed([*strict, *pair])] == [False, True]  # more than all quota is never admitted
    assert [exact for *_, exact in listed([*strict, workload("dated", 4), running("r", 1), pair[0]])] == [True, True]
    behind = [*strict, unstored("low", spec={"priority": -1}), *pair]
    assert not asked(behind, "workload/low")["fidelity"]["exact"]


def test_what_the_heads_of_other_queues_leave_depends_on_who_they_are() -> None:
    shared = kueue("Cohort", "org", {"resourceGroups": queue("x")[0]["spec"]["resourceGroups"]})
    queues = [*surroundings(), shared, *queue("a", 0, cohortName="org"), *queue("b", 0, cohortName="org")]
    pair = [unstored("one", 4, queue="a"), unstored("two", 1, queue="a")]
    other = workload("other", 3, queue="b", spec={"priority": -1})

    assert not asked([*queues, *pair, other], "workload/other")["fidelity"]["exact"]
    assert asked([*queues, pair[0], other], "workload/other")["fidelity"]["exact"]
    assert not asked([*queues, *pair], "workload/one")["fidelity"]["exact"]
    fitting = [unstored("one", 3, queue="a"), pair[1]]
    assert asked([*queues, *fitting], "workload/one")["fidelity"]["exact"]
    assert not asked([*queues, *pair, other], "workload/one")["fidelity"]["exact"]
    waits = workload("waits", 4, queue="b")
    assert asked([*queues, running("r", 1, queue="a"), *pair, waits], "workload/waits")["fidelity"]["exact"]


def test_an_eviction_that_counts_is_a_moment() -> None:
    evicted = {
        "type": "Evicted",
        "status": "True",
        "reason": "AdmissionCheck",
        "message": "",
        "lastTransitionTime": "2026-03-02T11:30:00Z",
    }
    back = unstored("one", status={"conditions": [evicted]})

    objects = [*surroundings(), *queue("q"), back, unstored("two")]

    assert [place for _, place, *_ in listed(objects)] == [1, 2]
    assert asked(objects, "workload/two")["standing"]["ahead"][0]["because"] == "older"
