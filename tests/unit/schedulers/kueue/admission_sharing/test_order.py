"""Victims of a queue that orders by past usage: the higher usage first, whatever the priorities."""

from typing import Any

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.admission_sharing.order import has_same_names, is_ambiguous, usage_order
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import Entry, UsageLedger
from kubectl_fairshare.schedulers.kueue.model.objects import AdmissionSharing
from kubectl_fairshare.schedulers.kueue.model.workload import Holder

PAST = UsageLedger(
    AdmissionSharing(),
    frozenset({"q"}),
    {("a", "heavy"): Entry(usage=10.0), ("a", "light"): Entry(usage=1.0), ("b", "heavy"): Entry(usage=99.0)},
)


def holder(name: str, local: str, priority: int = 0, *, namespace: str = "a", **more: Any) -> Holder:
    key = ObjectKey("kueue.x-k8s.io", "Workload", namespace, name)
    fields: dict[str, Any] = {"created": 0, "queued": 0, "reserved": 0, "evicted": False, "usage": {}} | more
    return Holder(key=key, uid=name, cluster_queue="q", local_queue=local, priority=priority, **fields)


def order(*holders: Holder) -> list[str]:
    return [h.key.name for h in sorted(holders, key=usage_order(PAST, "q"))]


def test_usage_comes_before_priority_and_eviction_before_usage() -> None:
    low, high = holder("low", "light", 0), holder("high", "heavy", 9)
    assert order(low, high) == ["high", "low"]
    assert order(low, holder("leaving", "light", 99, evicted=True), high) == ["leaving", "high", "low"]


def test_one_local_queue_keeps_the_usual_order() -> None:
    assert order(holder("b", "heavy", 5), holder("a", "heavy", 1)) == ["a", "b"]


def test_local_queues_of_one_name_are_not_compared_by_usage() -> None:
    assert order(holder("mine", "heavy", 1), holder("theirs", "heavy", 5, namespace="b")) == ["mine", "theirs"]
    assert has_same_names([("a", "heavy"), ("b", "heavy")])
    assert not has_same_names([("a", "heavy"), ("a", "heavy"), ("a", "light")])


def test_a_stranger_between_two_that_usage_turns_round_makes_the_order_ambiguous() -> None:
    ordered = [holder("first", "heavy", 5), holder("second", "light", 1)]
    assert is_ambiguous(ordered, [holder("stranger", "x", 3)])
    assert not is_ambiguous(ordered, [holder("stranger", "x", 9)])
    assert not is_ambiguous(list(reversed(ordered)), [holder("stranger", "x", 3)])
    evicted = [holder("first", "heavy", 5, evicted=True), holder("second", "light", 1)]
    assert not is_ambiguous(evicted, [holder("stranger", "x", 3)])
