"""A head that finds nobody to give way keeps room in its queue, unless it may take it back at any time."""

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, run_cycle
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption, Quota
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import cohort, holder, pending, queue, state


def statuses(found: State) -> dict[str, HeadStatus]:
    """What becomes of each head."""
    return {entry.nomination.workload.key.name: entry.status for entry in run_cycle(found).entries}


@pytest.mark.parametrize(
    ("reclaim", "request_", "status"),
    [
        ("Never", 2, HeadStatus.SKIPPED),
        ("LowerPriority", 2, HeadStatus.SKIPPED),
        ("Any", 2, HeadStatus.ASSUMED),
        ("Never", 3, HeadStatus.ASSUMED),  # which is more than a could ever have
    ],
)
def test_who_comes_later_finds_the_room_taken(reclaim: str, request_: int, status: HeadStatus) -> None:
    """a lent 1 of its 2 to a stopped queue, nobody of which gives way; 1 is free, and b asks for it after a."""
    a = queue("a", "co", Quota(2, borrowing_limit=0), preemption=Preemption(reclaim_within_cohort=reclaim))
    found = state(
        cohort("co"),
        *(a, queue("b", "co", 0), queue("lent", "co", 2, stop_policy="Hold")),
        holder("held", "lent", 3, priority=9),
        pending("first", "a", request_, priority=2),
        pending("later", "b", 1, priority=1),
    )

    assert statuses(found) == {"first": HeadStatus.REQUEUED, "later": status}


@pytest.mark.parametrize(("limit", "status"), [(1, HeadStatus.SKIPPED), (None, HeadStatus.SKIPPED)])
def test_an_over_used_queue_gives_its_cohort_nothing_by_keeping_room(limit: int | None, status: HeadStatus) -> None:
    """a uses 5, and may have 3: the room that it keeps is −2, which nobody else may take for free.

    2 are free. c takes 1 of them; b, after a, asks for 2 and must not find them.
    """
    found = state(
        cohort("co", quotas=5),
        *(queue("a", "co", Quota(2, borrowing_limit=limit)), queue("b", "co", 0), queue("c", "co", 0)),
        holder("held", "a", 5),
        pending("before", "c", 1, priority=3),
        pending("asking", "a", 1 if limit else 2, priority=2),
        pending("later", "b", 2, priority=1),
    )

    assert statuses(found)["later"] is status
