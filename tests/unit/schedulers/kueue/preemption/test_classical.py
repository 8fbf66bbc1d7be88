"""Classical preemption in tables: who gives way for ``new`` in queue ``a``, and why."""

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.laws import PreemptionReason
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import cohort, holder, pending, queue, state


def targets(found: State) -> list[tuple[str, PreemptionReason]]:
    """The workloads that give way for the one that waits, in order."""
    search = nominate(found, found.kueue.pending[0]).search
    return [] if search is None else [(t.holder.key.name, t.reason) for t in search.targets]


def beside(quota: int, policies: Preemption, theirs: int, request: int = 2) -> State:
    """Queue ``a`` beside ``b``, which uses all 6 of the tree: 4 of its own and 2 that it borrows."""
    held = [holder(f"b{i}", "b", priority=theirs, reserved=i) for i in range(6)]
    a, b = queue("a", "co", quota, preemption=policies), queue("b", "co", 4)
    return state(cohort("co", quotas=2 - quota), a, b, *held, pending("new", "a", request, priority=5))


RECLAIMED = [("b5", PreemptionReason.RECLAMATION), ("b4", PreemptionReason.RECLAMATION)]
BORROWED = [("b5", PreemptionReason.RECLAIM_WHILE_BORROWING), ("b4", PreemptionReason.RECLAIM_WHILE_BORROWING)]


@pytest.mark.parametrize(
    ("quota", "policies", "theirs", "expected"),
    [
        # a takes back what is its own: newest first, whatever their priority if the policy is Any
        (2, Preemption(reclaim_within_cohort="Any"), 9, RECLAIMED),
        (2, Preemption(reclaim_within_cohort="LowerPriority"), 0, RECLAIMED),
        (2, Preemption(reclaim_within_cohort="LowerPriority"), 5, []),
        (2, Preemption(reclaim_within_cohort="Never"), 0, []),
        # without quota of its own a would have to borrow what it takes
        (0, Preemption(reclaim_within_cohort="Any"), 0, []),
        (0, Preemption(reclaim_within_cohort="Any", borrow_within_cohort="LowerPriority"), 0, BORROWED),
        (0, Preemption(reclaim_within_cohort="Any", borrow_within_cohort="LowerPriority"), 5, []),
        (0, Preemption("Never", "Any", "LowerPriority", max_priority_threshold=0), 0, BORROWED),
        (0, Preemption("Never", "Any", "LowerPriority", max_priority_threshold=0), 1, []),
        (1, Preemption("Never", "Any", "LowerPriority", max_priority_threshold=0), 1, []),
    ],
)
def test_who_is_asked_in_another_queue(
    quota: int, policies: Preemption, theirs: int, expected: list[tuple[str, PreemptionReason]]
) -> None:
    assert targets(beside(quota, policies, theirs)) == expected


def test_one_that_is_spared_by_its_priority_spares_no_other_of_its_queue() -> None:
    """One that is leaving already is looked at first, whatever its priority: those after it may be lower."""
    policies = Preemption("Never", "Any", "LowerPriority", max_priority_threshold=0)
    held = holder("leaving", "b", 2, priority=9, evicted=True), holder("low", "b", 4)
    a, b = queue("a", "co", 0, preemption=policies), queue("b", "co", 4)
    found = state(cohort("co", quotas=2), a, b, *held, pending("new", "a", 2, priority=5))
    assert targets(found) == [("low", PreemptionReason.RECLAIM_WHILE_BORROWING)]


@pytest.mark.parametrize(
    ("policy", "priority", "queued", "taken"),
    [
        ("LowerPriority", 4, 0, True),
        ("LowerPriority", 5, 999, False),
        ("LowerOrNewerEqualPriority", 5, 101, True),
        ("LowerOrNewerEqualPriority", 5, 100, False),
        ("LowerOrNewerEqualPriority", 6, 999, False),
        ("LowerOrNewerEqualPriority", 4, 0, True),
        ("Never", 0, 999, False),
    ],
)
def test_who_is_asked_in_the_queue_itself(policy: str, priority: int, queued: int, *, taken: bool) -> None:
    found = state(
        queue("a", None, 1, preemption=Preemption(within_cluster_queue=policy)),
        holder("old", "a", priority=priority, queued=queued),
        pending("new", "a", priority=5, queued=100),
    )

    assert targets(found) == ([("old", PreemptionReason.IN_CLUSTER_QUEUE)] if taken else [])


@pytest.mark.parametrize(
    ("more", "first"),
    [
        ((holder("own", "a", priority=-9), holder("other", "b", 5)), "other"),
        ((holder("own", "a", priority=-9, evicted=True), holder("other", "b", 5)), "own"),
        ((holder("own", "a", evicted=True), holder("other", "b", 5, evicted=True)), "other"),
    ],
)
def test_other_queues_come_first_except_for_who_leaves_already(more: tuple[Holder, ...], first: str) -> None:
    policies = Preemption("LowerPriority", "Any")
    found = state(
        cohort("co"),
        queue("a", "co", 2, preemption=policies),
        queue("b", "co", 4),
        *more,
        pending("new", "a", 1, priority=5),
    )

    assert [name for name, _ in targets(found)] == [first]


def test_candidates_are_asked_by_priority_then_newest_then_uid() -> None:
    policies = Preemption(within_cluster_queue="LowerPriority")
    held = [
        holder("d", "a", priority=1, reserved=9),
        holder("c", "a", priority=0, reserved=1),
        holder("b", "a", priority=0, reserved=2),
        holder("a", "a", priority=0, reserved=2),
    ]
    found = state(queue("a", None, 4, preemption=policies), *held, pending("new", "a", 4, priority=5))

    assert [name for name, _ in targets(found)] == ["a", "b", "c", "d"]


def test_a_queue_is_asked_only_while_it_is_over_its_quota() -> None:
    """b borrows 1; with b2 gone it does not, so c, which borrows 1 as well, has to give the rest."""
    held = [holder(f"b{i}", "b", priority=0, reserved=i) for i in range(3)]
    held += [holder(f"c{i}", "c", priority=1, reserved=i) for i in range(3)]
    a = queue("a", "co", 2, preemption=Preemption(reclaim_within_cohort="Any"))
    found = state(cohort("co"), a, queue("b", "co", 2), queue("c", "co", 2), *held, pending("new", "a", 2, priority=5))

    assert [name for name, _ in targets(found)] == ["b2", "c2"]


@pytest.mark.parametrize(
    ("sizes", "request_", "needed", "spared"),
    [
        ((1, 1, 8), 8, ["w2"], ["w1", "w0"]),
        ((1, 1, 8), 9, ["w0", "w2"], ["w1"]),
        ((1, 1, 8), 10, ["w0", "w1", "w2"], []),
        # who is put back leaves its place to the last one
        ((1, 3, 6), 9, ["w2", "w1"], ["w0"]),
    ],
)
def test_who_is_not_needed_after_all_is_put_back(
    sizes: tuple[int, ...], request_: int, needed: list[str], spared: list[str]
) -> None:
    held = [holder(f"w{i}", "a", size, priority=i) for i, size in enumerate(sizes)]
    a = queue("a", None, 10, preemption=Preemption(within_cluster_queue="LowerPriority"))
    search = nominate(
        found := state(a, *held, pending("new", "a", request_, priority=9)), found.kueue.pending[0]
    ).search

    assert search is not None
    assert [t.holder.key.name for t in search.targets] == needed
    assert [t.holder.key.name for t in search.put_back] == spared


def test_where_borrowing_is_forbidden_it_is_first_tried_without() -> None:
    """Borrowing, w0 alone would do, as 2 are free; without it a has to make do with its own 3."""
    held = [holder("w0", "a", priority=0), holder("w1", "a", priority=1), holder("other", "b", 5, priority=9)]
    a = queue("a", "co", 3, preemption=Preemption("LowerPriority", "Any"))
    found = state(cohort("co", quotas=2), a, queue("b", "co", 4), *held, pending("new", "a", 3, priority=5))

    assert [name for name, _ in targets(found)] == ["w1", "w0"]


def test_where_taking_while_borrowing_is_allowed_that_is_first_tried() -> None:
    held = [holder("w0", "a", priority=0), holder("w1", "a", priority=1), holder("other", "b", 5, priority=9)]
    a = queue("a", "co", 3, preemption=Preemption("LowerPriority", "Any", "LowerPriority"))
    found = state(cohort("co", quotas=2), a, queue("b", "co", 4), *held, pending("new", "a", 3, priority=5))

    assert [name for name, _ in targets(found)] == ["w0"]
