"""``why`` says what the next cycles do with each workload that waits, one after another, and not with each alone."""

from pathlib import Path

import pytest

from tests.unit.cli.why_state import (
    Object,
    asked,
    condition,
    configuration,
    evidence,
    queue,
    running,
    surroundings,
    workload,
)

LOWER = {"withinClusterQueue": "LowerPriority"}
NEXT = ("Waiting", "PendingEvaluation", "kueue-next-cycle")
TAKEN = ("NotNow", "WaitingForQuota", "kueue-taken-first")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(objects: list[Object]) -> dict[str, tuple[str, str, str]]:
    """By name of each workload that waits its verdict, reason and law; ``why -A`` says the same, and all is exact."""
    listed = asked(objects, "-A --complete")
    groups = {each["workload"]["name"]: (g, each) for g in listed["groups"] for each in g["workloads"]}
    found = {}
    for name, (group, each) in sorted(groups.items()):
        alone = asked(objects, f"workload/{name} -n team --complete")
        found[name] = alone["verdict"], alone["reason"], alone["law"]
        assert (group["verdict"], group["reason"]) == found[name][:2]
        assert each["exact"]
        assert alone["fidelity"]["exact"]
    return found


def test_as_many_get_in_as_quota_is_free_for() -> None:
    """Eight GPUs: the third finds two left, the fourth, which is smaller, takes them."""
    sizes = {"a": 4, "b": 2, "c": 3, "d": 2}
    objects = [
        *surroundings(),
        *queue("q", 8),
        *(workload(n, gpus, created=i) for i, (n, gpus) in enumerate(sizes.items())),
    ]
    assert told(objects) == {"a": NEXT, "b": NEXT, "c": TAKEN, "d": NEXT}
    taken = asked(objects, "workload/c -n team --complete")
    assert "Workload team/a" in evidence(taken)
    assert taken["sentence"].startswith("team/a and others go first")
    (bind,) = taken["bindings"]
    assert (bind["needed"]["value"], bind["reachable"]["value"]) == (3, 2)
    assert [r["outcome"] for r in taken["remedies"]] == ["Admitted"] * len(taken["remedies"])
    assert taken["remedies"]


def test_a_refused_strict_head_keeps_its_queue_however_small_the_next_ones_are() -> None:
    strict = [*surroundings(), *queue("q", 8, queueingStrategy="StrictFIFO")]
    objects = [*strict, *(workload(n, gpus, created=i) for i, (n, gpus) in enumerate([("a", 6), ("b", 3), ("c", 1)]))]
    assert told(objects) == {"a": NEXT, "b": TAKEN, "c": ("NotNow", "PendingEvaluation", "kueue-behind-head")}
    assert asked(objects, "workload/c -n team --complete")["head"]["name"] == "b"


def test_a_queue_of_the_same_cohort_takes_quota_in_a_later_cycle() -> None:
    """Cycle 1 admits a1 and b1, cycle 2 has one GPU left: b2 is older than a2."""
    both = [*queue("a", 4, cohortName="org"), *queue("b", 4, cohortName="org")]
    heads = [workload("a1", 4, queue="a", created=1), workload("b1", 3, queue="b", created=2)]
    objects = [*surroundings(), *both, *heads]
    later = [workload("b2", 1, queue="b", created=3), workload("a2", 1, queue="a", created=4)]
    assert told([*objects, *later]) == {"a1": NEXT, "b1": NEXT, "a2": TAKEN, "b2": NEXT}
    assert told([*objects, later[1]])["a2"] == NEXT


@pytest.mark.parametrize(("size", "reason"), [(2, "WaitingForQuota"), (1, "PendingEvaluation")])
def test_behind_a_preemptor_counts_what_is_left_once_its_victims_have_gone(size: int, reason: str) -> None:
    """``low`` holds three, ``first`` takes two of them: one is left for the next."""
    objects = [
        *surroundings(),
        *queue("q", 8, preemption=LOWER),
        running("low", 3),
        running("high", 5, spec={"priority": 9}),
    ]
    asks = [workload("first", 2, created=1, spec={"priority": 5}), workload("w", size, created=2, spec={"priority": 5})]
    found = told([*objects, *asks])
    assert found == {"first": NEXT, "w": ("NotNow", reason, "kueue-behind-preemptor")}


def test_equal_workloads_are_set_aside_together_and_smaller_ones_still_tried() -> None:
    objects = [*surroundings(), *queue("q", 8), running("r", 7)]
    asks = [workload(f"w{i}", 2, created=i) for i in range(5)]
    found = told([*objects, *asks, workload("small", 1, created=9)])
    assert found.pop("small") == NEXT
    assert {law for _, _, law in found.values()} == {"kueue-exceeds-available"}


@pytest.mark.parametrize("objects", [(configuration(waitForPodsReady={"blockAdmission": True}),)])
def test_later_cycles_that_are_not_played_leave_the_answer_open(objects: tuple[Object, ...]) -> None:
    both = [workload("a", 1, created=1), workload("b", 1, created=2)]
    state = [*surroundings(), *queue("q", 8), *objects, *both]
    assert asked(state, "workload/a -n team --complete")["fidelity"]["exact"]
    found = asked(state, "workload/b -n team --complete")
    assert not found["fidelity"]["exact"]
    assert "LaterCycles" in str(found["fidelity"])


def test_a_feature_of_one_before_it_leaves_its_turn_open() -> None:
    first = workload("first", 1, created=1)
    first["spec"]["podSets"][0]["template"]["spec"]["resourceClaims"] = [
        {"name": "c", "resourceClaimTemplateName": "t"}
    ]
    objects = [*surroundings(), *queue("q", 8), running("r", 6), first]
    for gpus, law in ((2, "kueue-taken-first"), (1, "kueue-next-cycle")):
        found = asked([*objects, workload("w", gpus, created=2)], "workload/w -n team --complete")
        assert (found["law"], found["fidelity"]["exact"]) == (law, False)


def test_ties_of_later_cycles_leave_the_answer_open() -> None:
    """In cycle 2 the heads borrow one GPU each, and the cohort has one: no rank orders them."""
    both = [*queue("a", 4, cohortName="org"), *queue("b", 4, cohortName="org")]
    heads = [workload("a1", 4, queue="a", created=1), workload("b1", 4, queue="b", created=1)]
    spare = queue("c", 1, cohortName="org")
    pair = [workload("a2", 1, queue="a", created=2), workload("b2", 1, queue="b", created=2)]
    ranked = [*surroundings(), *spare, *both, *heads, *pair]
    for name in ("a1", "b1"):
        assert asked(ranked, f"workload/{name} -n team --complete")["fidelity"]["exact"]
    for name in ("a2", "b2"):
        assert not asked(ranked, f"workload/{name} -n team --complete")["fidelity"]["exact"], name


def test_a_record_of_the_state_that_others_leave_is_no_contradiction() -> None:
    refused = "insufficient unused quota for example.com/gpu in flavor any, 1 more needed"
    message = f"couldn't assign flavors to pod set main: {refused}"
    pending = condition("QuotaReserved", "False", "Pending", message)
    objects = [
        *surroundings(),
        *queue("q", 8),
        workload("a", 8, created=1),
        workload("w", 1, pending, created=2),
    ]
    found = asked(objects, "workload/w -n team --complete")
    assert found["law"] == "kueue-taken-first"
    assert found["comparison"]["agreement"] == "Same"
