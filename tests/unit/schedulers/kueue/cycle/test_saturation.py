"""What queues hold once everybody has an endless backlog."""

from typing import Any

import pytest

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.errors import FairshareError, UsageError
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle import saturation
from kubectl_fairshare.schedulers.kueue.cycle.saturation import saturate
from kubectl_fairshare.schedulers.kueue.model.objects import LocalQueue, Preemption, Quota, ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.review import rights
from kubectl_fairshare.schedulers.kueue.review.rights import entitlements
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from tests.unit.schedulers.kueue.build import CPU, FAIR, GPU, NAMESPACE, cohort, holder, pending, queue, state

ANY = Preemption(reclaim_within_cohort="Any")


def organisation(*nominal: int, pool: int = 0, weights: tuple[float, ...] = (), **more: Any) -> State:
    """Queues a, b, c … in one cohort."""
    queues = (
        queue(name, "org", quota, preemption=ANY, weight=weights[i] if weights else 1.0)
        for i, (name, quota) in enumerate(zip("abcdefgh", nominal, strict=False))
    )
    return state(cohort("org", quotas=pool), *queues, strategies=FAIR, **more)


@pytest.mark.parametrize(
    ("given", "units"),
    [
        (organisation(3, 5), {"a": 3, "b": 5}),
        (organisation(0, 0, pool=10), {"a": 5, "b": 5}),
        (organisation(0, 0, pool=12, weights=(1.0, 3.0)), {"a": 3, "b": 9}),
        (organisation(4, 0, pool=6), {"a": 7, "b": 3}),
        (organisation(0, 0, pool=3, weights=(0.0, 1.0)), {"a": 0, "b": 3}),
    ],
)
def test_shares_become_equal_for_their_weights(given: State, units: dict[str, int]) -> None:
    found = saturate(given, {"gpu": 1})
    assert found.units == units
    assert found.usage == units
    assert (found.rests, found.period, found.swings, found.bundle) == (True, 0, {}, 1)


def test_without_fair_sharing_whoever_comes_first_keeps_it() -> None:
    weighted = organisation(0, 0, pool=12, weights=(1.0, 3.0))
    kueue = replace(weighted.kueue, configuration=replace(weighted.configuration, strategies=None))
    classical = state_of(weighted.snapshot.with_part(kueue))
    assert saturate(classical, {"gpu": 1}).units == {"a": 6, "b": 6}


def test_what_there_is_now_does_not_count() -> None:
    now = state(
        cohort("org"),
        queue("a", "org", 2),
        queue("b", "org", 2),
        holder("w", "a", 3),
        pending("v", "b", 1),
        strategies=FAIR,
    )
    assert saturate(now, {"gpu": 1}).units == {"a": 2, "b": 2}


def test_units_are_whole() -> None:
    found = saturate(organisation(7, 2), {"gpu": 3})
    assert found.units == {"a": 2, "b": 1}
    assert found.usage == {"a": 6, "b": 3}
    assert found.pairs == {"a": {GPU: 6}, "b": {GPU: 3}}


def test_the_first_resource_of_the_shape_is_reported() -> None:
    both = state(queue("a", quotas={GPU: Quota(4), CPU: Quota(3)}))
    found = saturate(both, {"cpu": 1, "gpu": 2})
    assert (found.resource, found.usage, found.pairs) == ("cpu", {"a": 2}, {"a": {CPU: 2, GPU: 4}})


def test_units_go_to_flavors_as_the_queue_lists_them_and_tolerate_all_taints() -> None:
    spot, firm = FlavorResource("spot", "gpu"), FlavorResource("firm", "gpu")
    tainted = ResourceFlavor("spot", {}, (Taint("spot", "true", "NoSchedule"),), ())
    given = state(queue("a", quotas={spot: Quota(2), firm: Quota(1)}), tainted)
    assert saturate(given, {"gpu": 1}).pairs == {"a": {spot: 2, firm: 1}}


def test_only_queues_that_workloads_can_reach_have_a_backlog() -> None:
    reached = organisation(0, 0, 0, 0, pool=8)
    local = {
        (NAMESPACE, "a"): LocalQueue(NAMESPACE, "a", "a", "None"),
        (NAMESPACE, "b"): LocalQueue(NAMESPACE, "b", "b", "Hold"),
        (NAMESPACE, "c"): LocalQueue(NAMESPACE, "c", "c", "None"),
    }
    queues = reached.kueue.cluster_queues
    stopped = {**queues, "c": replace(queues["c"], stop_policy="Hold")}
    kueue = replace(reached.kueue, local_queues=local, cluster_queues=stopped)
    found = saturate(state_of(reached.snapshot.with_part(kueue)), {"gpu": 1})
    assert found.units == {"a": 8, "b": 0, "c": 0, "d": 0}
    assert found.without_backlog == ("b", "c", "d")


def test_without_any_local_queue_all_have_one() -> None:
    given = organisation(0, 0, pool=4)
    bare = state_of(given.snapshot.with_part(replace(given.kueue, local_queues={})))
    assert saturate(bare, {"gpu": 1}).units == {"a": 2, "b": 2}


def test_the_queues_with_a_backlog_can_be_named() -> None:
    assert saturate(organisation(2, 2, 2), {"gpu": 1}, {"b": None}).units == {"a": 0, "b": 6, "c": 0}


@pytest.mark.parametrize(
    ("backlog", "units"),
    [
        ({"a": 3, "b": None}, {"a": 3, "b": 9, "c": 0}),
        ({"a": 3, "b": 4, "c": 2}, {"a": 3, "b": 4, "c": 2}),
        ({"a": 8, "b": 1, "c": None}, {"a": 6, "b": 1, "c": 5}),
    ],
)
def test_a_backlog_may_end(backlog: dict[str, int | None], units: dict[str, int]) -> None:
    # Weighted by what each borrows: a holds its own 2 besides.
    found = saturate(organisation(2, 0, 0, pool=10), {"gpu": 1}, backlog)
    assert (found.units, found.fidelity.exact) == (units, True)
    assert found.backlog == backlog


def test_a_backlog_that_ends_is_never_exceeded_by_bundles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saturation, "_FEW", 16)
    found = saturate(organisation(0, 0, pool=110), {"gpu": 1}, {"a": 7, "b": None})
    assert (found.bundle, found.units) == (4, {"a": 7, "b": 103})


def test_every_end_that_ties_allow_is_listed() -> None:
    found = saturate(organisation(0, 0, 0, pool=4), {"gpu": 1})
    ends = [dict(usage) for usage in found.possible.results]
    assert ends[0] == found.usage == {"a": 2, "b": 1, "c": 1}
    assert sorted(map(str, ends)) == sorted(
        map(str, [{"a": 2, "b": 1, "c": 1}, {"a": 1, "b": 2, "c": 1}, {"a": 1, "b": 1, "c": 2}])
    )
    assert found.possible.complete
    assert (found.fidelity.outcomes, found.fidelity.exact) == (3, False)


def test_ties_that_lead_to_one_end_leave_it_exact() -> None:
    found = saturate(organisation(0, 0, pool=10), {"gpu": 1})
    assert [dict(usage) for usage in found.possible.results] == [{"a": 5, "b": 5}]
    assert found.fidelity.exact


def test_the_ends_of_several_trees_are_combined() -> None:
    given = state(
        *(cohort(name, quotas=1) for name in ("x", "y")),
        *(queue(f"{name}{i}", name, preemption=ANY) for name in ("x", "y") for i in (1, 2)),
        strategies=FAIR,
    )
    ends = saturate(given, {"gpu": 1}).possible.results
    assert sorted("".join(name for name, amount in end.items() if amount) for end in ends) == [
        "x1y1",
        "x1y2",
        "x2y1",
        "x2y2",
    ]


def test_a_search_for_ends_that_stops_says_so() -> None:
    found = saturate(organisation(0, 0, 0, 0, 0, pool=7), {"gpu": 1}, most_ways=3)
    assert not found.possible.complete
    assert not found.fidelity.exact
    assert found.possible.results[0] == found.usage


def restless(*more: Any) -> State:
    """The owner takes back cpus by right; the guest, who borrows less, is let in again before it."""
    return state(
        queue("owner", "org", {CPU: Quota(5), GPU: Quota(1)}, preemption=ANY),
        queue("guest", "org", {CPU: Quota(0), GPU: Quota(8)}),
        *more,
        strategies=FAIR,
    )


def test_cycles_that_never_rest_are_told() -> None:
    found = saturate(restless(queue("other", quotas=3)), {"gpu": 3, "cpu": 2})
    assert (found.rests, found.period, found.swings) == (False, 2, {"guest": (0, 1)})
    assert (found.units["owner"], found.units["other"]) == (1, 0)


def test_what_a_queue_holds_is_known_at_each_cycle_of_a_period() -> None:
    found = saturate(restless(), {"gpu": 3, "cpu": 2})
    assert sorted(each.get(GPU, 0) for each in found.phases["guest"]) == [0, 3]
    assert (found.is_steady("guest", GPU), found.is_steady("owner", GPU)) == (False, True)


def test_what_changes_for_ever_is_nobodys_part_of_a_full_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    given = restless()
    swinging = saturate(given, {"gpu": 3, "cpu": 2})
    monkeypatch.setattr(rights, "saturate", lambda *_, **__: swinging)
    parts = {(each.queue.name, each.resource): each.entitled for each in entitlements(given, {given.forest.root(0)})}
    assert parts["guest", "gpu"] is None
    assert parts["owner", "gpu"] is not None


def test_trees_that_repeat_at_different_paces_repeat_together() -> None:
    """Two periods are as long as their least common multiple, not as the longer one."""
    tree = saturation._TreeRun(restless(), (), {"gpu": 1})
    courses = [replace(tree, pictures=[()] * (period + 1), period=period) for period in (2, 3)]
    found = saturation._result(restless(), {"gpu": 1}, courses, {}, ())
    assert (found.period, found.rests) == (6, False)


def test_a_tree_that_rests_is_not_held_up_by_one_that_does_not() -> None:
    found = saturate(restless(queue("other", quotas={CPU: Quota(4), GPU: Quota(9)})), {"gpu": 3, "cpu": 2})
    assert found.rests is False
    assert found.units["other"] == 2


@pytest.mark.parametrize("shape", [{}, {"gpu": 0}, {"gpu": 1, "cpu": -1}])
def test_a_unit_asks_for_something(shape: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        saturate(organisation(1), shape)


def test_quota_without_end_cannot_be_filled() -> None:
    with pytest.raises(FairshareError, match="Cohort `org` has quota for more than"):
        saturate(organisation(UNLIMITED, 1), {"gpu": 1})


@pytest.mark.slow
def test_many_units_come_in_bundles_first() -> None:
    found = saturate(organisation(0, 0, 0, pool=600_000, weights=(1.0, 2.0, 3.0)), {"gpu": 1})
    assert found.units == {"a": 100_000, "b": 200_000, "c": 300_000}
    assert found.bundle == 512


def test_bundles_only_shorten_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    given = organisation(0, 10, 0, pool=110, weights=(1.0, 1.0, 3.0))
    plain = saturate(given, {"gpu": 1})
    monkeypatch.setattr(saturation, "_FEW", 16)
    bundled = saturate(given, {"gpu": 1})
    assert (plain.bundle, bundled.bundle) == (1, 4)
    assert bundled.units == plain.units
    assert bundled.cycles < plain.cycles


@pytest.mark.parametrize(("of_cohort", "of_queue"), [(2, 10**12), (10**12, 0)], ids=["a queue", "a cohort"])
def test_a_part_of_a_tree_may_have_more_than_the_tree_where_little_is_lent(of_cohort: int, of_queue: int) -> None:
    lends = cohort("dept", "org", {GPU: Quota(of_cohort, None, 4)})
    given = state(cohort("org"), lends, queue("red", "dept", of_queue), queue("blue", "org", 8))
    assert given.forest.nodes[given.forest.root(given.forest.queue_ids["blue"])].subtree[GPU] == 12
    with pytest.raises(FairshareError, match="has quota for more than 1000000000 such unit workloads"):
        saturate(given, {GPU.resource: 1})
