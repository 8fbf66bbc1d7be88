"""Never is said only of a workload that no end of running work lets in, and not now only of one that some end does.

The right values are what Kueue's ``assignFlavors`` gives on each of the states: the first flavor that fits, pod set by
pod set, with what the earlier pod sets assumed.
"""

from collections import Counter
from random import Random

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.laws import visiting_order
from kubectl_fairshare.schedulers.kueue.model.objects import Quota, ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, PodSet
from kubectl_fairshare.schedulers.kueue.review.rulings import ruling
from kubectl_fairshare.schedulers.kueue.words.screens.plan import verdict
from tests.unit.schedulers.kueue.build import holder, pending, queue, state

A_CPU, A_GPU = FlavorResource("a", "cpu"), FlavorResource("a", "gpu")
B_CPU, B_GPU = FlavorResource("b", "cpu"), FlavorResource("b", "gpu")
SMALL, WITH_GPU, LARGE = ({"cpu": 2}, {"cpu": 2, "gpu": 1}, {"cpu": 4})


def planned(*holders: Holder, asks: tuple[dict[str, int], ...] = (SMALL, WITH_GPU, LARGE), a: int = 6) -> Plan:
    """The plan of a workload with these pod sets on flavors a (six CPUs, one GPU) and b (two CPUs, one GPU)."""
    quotas = {A_CPU: Quota(a), A_GPU: Quota(1), B_CPU: Quota(2), B_GPU: Quota(1)}
    pods = tuple(PodSet(f"p{i}", 1, requests) for i, requests in enumerate(asks))
    given = state(queue("q", None, quotas), pending("w", "q", pod_sets=pods), *holders)
    return plan(given, given.kueue.pending[0])


TAKES_GPU = holder("g", "q", {A_GPU: 1})


def test_work_that_runs_may_lead_the_scan_to_flavors_that_fit() -> None:
    """Alone, p1 takes a's GPU and two of its CPUs, and p2 finds two left; with that GPU in use p1 is served by b."""
    assert planned().outcome is Outcome.NEVER
    assert planned(TAKES_GPU).outcome is Outcome.ADMITTED


def test_what_a_part_of_the_running_work_leaves_room_for_is_not_never() -> None:
    for other in ({A_CPU: 1}, {B_CPU: 1}, {B_GPU: 1}):
        found = planned(TAKES_GPU, holder("x", "q", other))
        assert (found.outcome, found.fidelity.exact) == (Outcome.WAITS, True)
        never = [each for each in found.bindings if each.ever]
        assert not found.once_alone or not never, "it fits once the other has ended"
        assert len(never) < len(found.bindings)
        assert planned(holder("x", "q", other)).outcome is Outcome.NEVER


def test_never_is_found_though_an_earlier_pod_set_only_waits() -> None:
    """Kueue ends at p0, whose token is WaitingForQuota, and does not look at p1."""
    found = planned(holder("x", "q", {A_CPU: 6, B_CPU: 2}), asks=(SMALL, {"cpu": 7}))
    assert (found.outcome, found.fidelity.exact) == (Outcome.NEVER, True)
    assert found.bindings[0].ever
    assert planned(holder("x", "q", {A_CPU: 6, B_CPU: 2}), asks=(SMALL, {"cpu": 4})).outcome is Outcome.WAITS


@pytest.mark.parametrize(
    ("asks", "because"),
    [
        ({"memory": 3, "disk": 1}, "the ClusterQueue does not cover disk"),
        ({"memory": 3, "cpu": 3}, "not enough cpu in c"),
        ({"memory": 3, "cpu": 2}, ""),
        ({"memory": 1, "pods": 3}, "not enough pods in n"),
        ({"memory": 2, "pods": 2}, ""),
    ],
)
def test_never_is_found_though_an_earlier_group_only_waits(asks: dict[str, int], because: str) -> None:
    """Kueue ends at the memory, which would have to be borrowed while another queue holds it, and visits no other."""
    assert min(asks, key=visiting_order) == "memory"
    memory, cpu, number = FlavorResource("m", "memory"), FlavorResource("c", "cpu"), FlavorResource("n", "pods")
    groups = tuple(ResourceGroup((pair.resource,), (pair.flavor,)) for pair in (memory, cpu, number))
    tree = (
        queue("q", "all", {memory: Quota(2), cpu: Quota(2), number: Quota(2)}, groups=groups),
        queue("r", "all", {memory: Quota(2)}),
    )
    count = asks.pop("pods", 1)
    given = state(*tree, holder("x", "r", {memory: 2}), pending("w", "q", pod_sets=(PodSet("main", count, asks),)))
    found = plan(given, given.kueue.pending[0])
    assert (found.outcome, found.fidelity.exact) == (Outcome.NEVER if because else Outcome.WAITS, True)
    assert "memory" in verdict(found) if not because else because in verdict(found)
    ruled = ruling(given, given.kueue.pending[0])
    assert ruled.outcome is found.outcome
    assert (because.split() or [""])[-1] in ruled.what_binds()
    assert all(limit.ever for limit in found.bindings) is bool(because)


@pytest.mark.slow
def test_of_several_groups_never_is_what_no_end_of_work_lets_in() -> None:
    """One pod set: it gets in without all the others, or in no state that ends of work lead to."""
    chance, found = Random(7), Counter[Outcome]()
    pairs = [FlavorResource(flavor, name) for name in ("memory", "disk", "cpu") for flavor in ("a", "b")]
    for _ in range(600):
        names = chance.sample(("memory", "disk", "cpu"), 3)
        cut = chance.choice((1, 2, 3))
        parts = [part for part in (names[:cut], names[cut:]) if part]
        groups = tuple(ResourceGroup(tuple(part), ("a", "b")) for part in parts)
        quotas = {pair: Quota(chance.randrange(4)) for pair in pairs}
        others = {pair: Quota(chance.randrange(4)) for pair in pairs}
        holders = [holder(f"h{i}", chance.choice("qr"), {chance.choice(pairs): 2}) for i in range(chance.randrange(6))]
        asks = {name: chance.randrange(1, 4) for name in chance.sample((*names, "zz"), chance.randrange(1, 4))}
        work = pending("w", "q", pod_sets=(PodSet("main", 1, asks),))
        given = state(queue("q", "all", quotas, groups=groups), queue("r", "all", others), *holders, work)
        made = plan(given, work)
        alone = scan(given.emptied(), work)[-1].admits
        assert (made.outcome is not Outcome.NEVER) is alone, asks
        assert made.fidelity.exact
        found[made.outcome] += 1
    assert min(found[each] for each in (Outcome.ADMITTED, Outcome.WAITS, Outcome.NEVER)) > 20


def test_no_choice_of_flavors_is_within_quota() -> None:
    many = [holder(f"h{i}", "q", {A_CPU: i}) for i in range(9)]
    assert planned(*many, asks=(WITH_GPU, WITH_GPU, WITH_GPU)).outcome is Outcome.NEVER


@pytest.mark.parametrize(("number", "exact"), [(2, True), (9, False)])
def test_where_too_many_ends_are_possible_it_is_not_exact(number: int, exact: bool) -> None:
    """Nothing of what runs holds a's GPU, so no end helps; of nine different ones not every subset is tried."""
    found = planned(*(holder(f"h{i}", "q", {B_CPU: 0, A_CPU: i}) for i in range(number)))
    assert found.fidelity.exact is exact
    assert found.outcome is (Outcome.NEVER if exact else Outcome.UNKNOWN)


def test_equal_running_work_counts_once_for_each_number_of_ends() -> None:
    found = planned(*(holder(f"h{i}", "q", {A_CPU: 1}) for i in range(6)))
    assert (found.outcome, found.fidelity.exact) == (Outcome.NEVER, True)
