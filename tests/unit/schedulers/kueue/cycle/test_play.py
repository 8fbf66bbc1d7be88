"""What a state comes to when cycles are carried out one after another."""

from collections.abc import Iterable

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending, Refusal
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import GPU, cohort, holder, pending, queue, state

RECLAIMS = Preemption(reclaim_within_cohort="Any", within_cluster_queue="LowerPriority")
BORROWS = replace(RECLAIMS, borrow_within_cohort="LowerPriority")
NOW = 1000


def again(of: Holder) -> Pending:
    return pending(of.key.name, of.cluster_queue, of.usage[GPU], priority=of.priority)


def play(given: State, aside: Iterable[str] = ()) -> Play:
    """The play in which all that waits is eligible, but for the names in ``aside``."""
    named = set(aside)
    queues = waiting(given)
    return Play(
        given,
        {name: [w for w in q if w.key.name not in named] for name, q in queues.items()},
        NOW,
        again,
        {name: [w for w in q if w.key.name in named] for name, q in queues.items()},
    )


def holding(of: Play) -> set[str]:
    nodes = of.state.forest.queue_ids.values()
    return {h.key.name for node in nodes for h in of.state.holders.of(node)}


def evicted(of: Play) -> list[tuple[str, str]]:
    return [(e.target.holder.key.name, e.by.key.name) for e in of.evictions]


def test_who_is_evicted_leaves_at_once() -> None:
    given = state(
        cohort("org"),
        queue("owner", "org", 3, preemption=RECLAIMS),
        queue("guest", "org", 2),
        holder("small", "guest", 1, reserved=8),
        holder("large", "guest", 3, reserved=9),
        pending("new", "owner", 2),
    )
    course = play(given)
    assert course.settle(50)
    assert evicted(course) == [("large", "new")]
    assert holding(course) == {"small", "new"}
    entry = course.entry_of(pending("new", "owner").key)
    assert entry is not None
    assert course.entry_of(holder("small", "guest").key) is None


def test_a_victim_that_fits_into_the_rest_is_back_in_the_end() -> None:
    """Without borrowing nothing less will do than all of the queue's own; in the end something is left for it."""
    given = state(
        cohort("org"),
        queue("a", "org", 3, preemption=RECLAIMS),
        queue("b", "org", 3),
        queue("c", "org", 0),
        holder("mine", "a", 1, priority=-10),
        holder("guest", "b", 3, priority=-10),
        holder("other", "b", 1, priority=9),
        holder("third", "c", 1, priority=9),
        pending("new", "a", 3, priority=9),
    )
    course = play(given)
    assert course.settle(50)
    assert evicted(course) == [("guest", "new"), ("mine", "new")]
    assert holding(course) == {"mine", "other", "third", "new"}


def test_who_gave_way_does_not_lead_the_queue() -> None:
    given = state(
        queue("a", None, 4, preemption=RECLAIMS),
        holder("old", "a", 4, priority=1),
        pending("new", "a", 3, priority=2),
        pending("tiny", "a", 1),
    )
    course = play(given)
    assert course.settle(50)
    assert holding(course) == {"new", "tiny"}


def test_who_was_set_aside_waits_until_all_others_have_been_looked_at() -> None:
    """What is given back goes to the one it was taken for, though somebody else would come first in a cycle."""
    given = state(
        cohort("org"),
        queue("a", "org", 2, preemption=BORROWS),
        queue("b", "org", 2),
        holder("mine", "a", 3, priority=-1),
        holder("theirs", "b", 1),
        pending("new", "a", 3, priority=1),
        pending("patient", "b", 1),
    )
    course = play(given, aside=["patient"])
    assert course.cycle()
    assert evicted(course) == [("mine", "new")]
    woken = play(given, aside=["patient"])
    assert woken.cycle()
    woken.wake_all()
    assert course.settle(50)
    assert woken.settle(50)
    assert (holding(course), holding(woken)) == ({"theirs", "new"}, {"theirs", "patient"})


def test_the_head_of_a_strict_queue_is_passed_by_nobody() -> None:
    def given(strategy: str) -> State:
        return state(
            queue("a", None, 2, queueing_strategy=strategy),
            pending("large", "a", 3, priority=1),
            pending("small", "a", 1),
        )

    strict, lax = play(given("StrictFIFO")), play(given("BestEffortFIFO"))
    assert strict.settle(50)
    assert lax.settle(50)
    assert (holding(strict), holding(lax)) == (set(), {"small"})


def test_who_is_set_aside_is_tried_again_only_when_somebody_says_so() -> None:
    given = state(queue("a", None, 2), pending("large", "a", 3))
    course = play(given)
    assert course.settle(50)
    before = course.cycles
    assert course.settle(50)
    assert course.cycles == before + 1
    course.wake_all()
    assert course.cycle() is False


def test_the_state_that_it_began_with_stays_as_it_was() -> None:
    given = state(queue("a", None, 2), pending("w", "a", 2))
    course = play(given)
    assert course.cycle()
    assert given.ledger.usage(given.forest.queue_ids["a"], GPU) == 0
    assert course.state.ledger.usage(given.forest.queue_ids["a"], GPU) == 2
    (held,) = course.state.holders.of(given.forest.queue_ids["a"])
    assert (held.reserved, held.created, held.usage) == (NOW, 100, {GPU: 2})


def test_too_few_cycles_are_told() -> None:
    given = state(queue("a", None, 9), *(pending(f"w{i}", "a", 1) for i in range(9)))
    assert not play(given).settle(5)


def test_a_strict_head_that_breaks_a_limit_stays_and_blocks() -> None:
    """Kueue's ``RequeueIfNotPresent``: a StrictFIFO head comes back at once, except for a NamespaceMismatch."""
    old = replace(pending("old", "a", 1, created=1, queued=1), refusal=Refusal(JobLaw.LIMIT_RANGE))
    given = state(
        queue("a", None, 9, queueing_strategy="StrictFIFO"), old, pending("young", "a", 1, created=2, queued=2)
    )
    course = play(given)
    assert not course.cycle()
    assert course.heads() == {"a": old.name}
