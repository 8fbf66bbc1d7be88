"""Fair preemption in tables: which workloads are preempted for ``new`` in queue ``a``, and by which law."""

from collections.abc import Mapping

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.laws import Law, Preemptor
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE, ClusterQueue, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.preemption.fair_targets import fair_targets
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.preemption.targets import SearchResult
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, holder, pending, queue, state

ANY = Preemption("LowerPriority", "Any")


def search(*, quota: int, request: int, strategies: tuple[str, ...], sizes: tuple[int, ...]) -> SearchResult:
    """Queue ``a`` with its quota beside ``b`` with none, whose workloads of these sizes use all of the tree."""
    held = [holder(f"b{i}", "b", size, reserved=i) for i, size in enumerate(sizes)]
    company = cohort("co", quotas=sum(sizes) - quota)
    a, b = queue("a", "co", quota, preemption=ANY), queue("b", "co", 0)
    found = state(company, a, b, *held, pending("new", "a", request), strategies=strategies)
    return nominate(found, found.kueue.pending[0]).search or SearchResult()


@pytest.mark.parametrize(
    ("quota", "request_", "strategies", "sizes", "laws"),
    [
        (2, 2, (FINAL_SHARE,), (1, 1, 1, 1), [Law.ENTITLED, Law.ENTITLED]),
        # a would use half of what can be lent, and so does b once 2 have left
        (0, 2, (FINAL_SHARE,), (1, 1, 1, 1), [Law.S2A, Law.S2A]),
        (0, 3, (FINAL_SHARE,), (1, 1, 1, 1), []),
        # what is left of b is less than a would use; b as it is uses more
        (0, 3, (INITIAL_SHARE,), (2, 3), [Law.S2B]),
        (0, 3, (FINAL_SHARE,), (2, 3), []),
    ],
)
def test_law_by_law(
    quota: int, request_: int, strategies: tuple[str, ...], sizes: tuple[int, ...], laws: list[Law]
) -> None:
    found = search(quota=quota, request=request_, strategies=strategies, sizes=sizes)
    assert [target.trial.law for target in found.targets] == laws


def test_the_second_pass_tries_one_candidate_of_each_queue_by_s2b() -> None:
    found = search(quota=0, request=3, strategies=(FINAL_SHARE, INITIAL_SHARE), sizes=(4, 1))
    assert [(t.holder.key.name, t.law, t.taken) for t in found.trials] == [
        ("b1", Law.S2A, True),
        ("b0", Law.S2A, False),
        ("b0", Law.S2B, True),
    ]
    assert [target.holder.key.name for target in found.targets] == ["b0"]
    assert [target.holder.key.name for target in found.put_back] == ["b1"]


def test_workloads_of_one_queue_that_hold_the_same_are_refused_by_one_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    without: list[Mapping[FlavorResource, int]] = []

    def minus(ledger: Ledger, number: int, usage: Mapping[FlavorResource, int]) -> Ledger:
        without.append(usage)
        return original(ledger, number, usage)

    original = Ledger.minus
    monkeypatch.setattr(Ledger, "minus", minus)
    found = search(quota=0, request=14, strategies=(FINAL_SHARE,), sizes=(4, 4, 5, 4))
    assert [(t.holder.key.name, t.taken, t.theirs and t.theirs.value) for t in found.trials] == [
        ("b3", False, 13 * 1000 / 17),
        ("b2", False, 12 * 1000 / 17),
        ("b1", False, 13 * 1000 / 17),
        ("b0", False, 13 * 1000 / 17),
    ]
    assert len([usage for usage in without if usage[GPU] in (4, 5)]) == 2


def test_a_refusal_in_one_queue_is_none_in_another() -> None:
    sizes = {"b": (4, 4, 5), "c": (4, 4, 4)}
    held = [holder(f"{q}{i}", q, size, reserved=i) for q, of in sizes.items() for i, size in enumerate(of)]
    queues = [queue("a", "co", 0, preemption=ANY), queue("b", "co", 0), queue("c", "co", 0)]
    found = state(cohort("co", quotas=25), *queues, *held, pending("new", "a", 11), strategies=(FINAL_SHARE,))
    trials = (nominate(found, found.kueue.pending[0]).search or SearchResult()).trials
    assert [(t.holder.key.name, t.taken, t.theirs and t.theirs.value) for t in trials] == [
        ("b2", False, 8 * 1000 / 25),
        ("b1", False, 9 * 1000 / 25),
        ("b0", False, 9 * 1000 / 25),
        ("c2", False, 8 * 1000 / 25),
        ("c1", False, 8 * 1000 / 25),
        ("c0", False, 8 * 1000 / 25),
    ]


@pytest.mark.parametrize(("parts", "taken"), [(({GPU: 1}, {CPU: 5}), ["b0"]), (({GPU: 1, CPU: 5},), [])])
def test_a_side_of_an_equal_share_gives_what_leaves_it_that_share(
    parts: tuple[Mapping[FlavorResource, int], ...], taken: list[str]
) -> None:
    none = {GPU: Quota(0), CPU: Quota(0)}
    queues = [queue(name, "co", none, preemption=ANY) for name in "ab"]
    lender: list[ClusterQueue | Holder] = [queue("c", "co", none | {GPU: Quota(9)}), holder("c0", "c", {GPU: 9})]
    held = [holder(f"b{i}", "b", usage) for i, usage in enumerate(parts)]
    company = cohort("co", quotas={GPU: Quota(1), CPU: Quota(10)})
    found = state(company, *queues, *lender, *held, holder("a0", "a", {CPU: 5}), strategies=(FINAL_SHARE,))
    asking = Preemptor(found.forest.queue_ids["a"], 0, 0, frozenset((GPU,)), {GPU: 1})

    result = fair_targets(found, asking, Replay())

    assert [target.holder.key.name for target in result.targets] == taken
    assert result.foreseen is not bool(taken)
    assert [trial.holder.key.name for trial in result.trials] == ["b0"]
