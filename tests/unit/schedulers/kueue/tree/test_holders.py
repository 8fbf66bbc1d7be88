"""What a queue's workloads hold, also after some have left and others have come."""

from tests.unit.schedulers.kueue.build import GPU, holder, queue, state


def test_usages_are_those_of_the_workloads_that_hold_quota_now() -> None:
    gone, comes = holder("gone", "a", 1), holder("comes", "a", 3)
    before = state(queue("a", None, 10), queue("b", None, 10), gone, holder("other", "b", 2))
    a, b = (before.forest.queue_ids[name] for name in "ab")
    assert (before.holders.usages(a), before.holders.usages(b)) == (({GPU: 1},), ({GPU: 2},))
    after = before.after((gone,), (comes,))
    assert (after.holders.usages(a), after.holders.usages(b)) == (({GPU: 3},), ({GPU: 2},))
    assert before.holders.usages(a) == ({GPU: 1},)
