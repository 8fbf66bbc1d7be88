"""An order by past usage is certain where what the manager alone knows cannot turn it round."""

import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.admission_sharing.firmness import has_firm_head, has_firm_order, is_firm
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import Entry, UsageLedger
from kubectl_fairshare.schedulers.kueue.model.objects import AdmissionSharing
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

ONE, OTHER = ("a", "one"), ("a", "other")


def past(one: tuple[float, float], other: tuple[float, float]) -> UsageLedger:
    entries = {ONE: Entry(low=one[0], high=one[1]), OTHER: Entry(low=other[0], high=other[1])}
    return UsageLedger(AdmissionSharing(), frozenset({"q"}), entries)


def pending(local: str) -> Pending:
    return Pending(ObjectKey("kueue.x-k8s.io", "Workload", "a", local), local, local, 0, 0, 0, ())


@pytest.mark.parametrize(
    ("one", "other", "firm"),
    [
        ((0, 1), (2, 3), True),
        ((2, 3), (0, 1), True),
        ((0, 2), (1, 3), False),
        ((0, 2), (2, 3), False),  # equal usage is a tie, which priority breaks
        ((1, 1), (1, 1), True),
    ],
)
def test_ranges_that_meet_are_too_close_to_call(
    one: tuple[float, float], other: tuple[float, float], firm: bool
) -> None:
    known = past(one, other)
    assert is_firm(known, ONE, OTHER) is firm
    assert has_firm_head(known, "q", [pending("one"), pending("other")]) is firm
    assert has_firm_order(known, "q", [ONE, OTHER, ONE]) is firm


def test_a_queue_that_does_not_order_by_usage_is_never_in_doubt() -> None:
    doubtful = past((0, 2), (1, 3))
    assert has_firm_head(doubtful, "plain", [pending("one"), pending("other")])
    assert has_firm_order(doubtful, "plain", [ONE, OTHER])
    assert has_firm_head(doubtful, "q", [pending("one"), pending("one")])
    assert has_firm_order(doubtful, "q", [ONE, ("b", "one")])
