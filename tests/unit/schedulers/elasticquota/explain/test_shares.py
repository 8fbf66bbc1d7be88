"""The figures of quotas."""

import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import (
    Bounded,
    QuotaResourceFigures,
    QuotaTable,
    StatusCause,
)
from kubectl_fairshare.schedulers.elasticquota.explain.shares import ceiling, shares
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Hard
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from tests.unit.schedulers.elasticquota.build import GPU, node, pod, quota, source


def table(of: ElasticQuotaState) -> QuotaTable:
    return shares(state_of(of), {})


def figures(found: QuotaTable, namespace: str, resource: str = "cpu") -> QuotaResourceFigures:
    return next(r for r in found.quotas if r.quota.namespace == namespace).figures[resource]


LENT = (
    node("n", cpu=10),
    quota("a", {"cpu": 4}, {"cpu": 7}),
    quota("b", {"cpu": 4}),
    pod("a/x", "n", cpu=6),
    pod("b/y", "n", cpu=1),
    pod("x/z", "n", cpu=1),
)


def test_a_borrower_and_a_lender() -> None:
    found = table(source(*LENT))
    a, b = figures(found, "a"), figures(found, "b")
    assert (a.borrowed, a.lendable, a.own_headroom, a.pool_headroom, a.reachable) == (2000, 0, 1000, 1000, 7000)
    assert (b.borrowed, b.lendable, b.own_headroom, b.pool_headroom, b.reachable) == (0, 3000, None, 1000, 2000)


def test_the_sums_stand_beside_what_nodes_have() -> None:
    sums = table(source(*LENT)).sums["cpu"]
    assert (sums.min, sums.used, sums.allocatable, sums.outside, sums.stranded) == (8000, 7000, 10000, 1000, 1000)


def test_without_nodes_no_capacity_is_known() -> None:
    sums = table(source(*LENT[1:])).sums["cpu"]
    assert (sums.allocatable, sums.stranded) == (None, None)


def test_a_cordoned_node_has_nothing_to_give() -> None:
    found = table(source(node("n", unschedulable=True, cpu=10), *LENT[1:]))
    assert (found.sums["cpu"].allocatable, found.nodes) == (0, (1, 0))


@pytest.mark.parametrize(
    ("most", "resource", "bounded", "bound"),
    [
        (None, "cpu", Bounded.MAX_ABSENT, None),
        ({}, "cpu", Bounded.MISSING_IS_ZERO, 0),
        ({"cpu": 3}, "cpu", Bounded.LISTED, 3000),
        ({"cpu": 3}, GPU, Bounded.MISSING_IS_UNBOUNDED, None),
    ],
)
def test_what_a_maximum_means(most: dict[str, int] | None, resource: str, bounded: Bounded, bound: int | None) -> None:
    found = table(source(quota("a", {"cpu": 1}, most), quota("b", {GPU: 1})))
    at = figures(found, "a", resource)
    assert (at.bounded, at.max) == (bounded, bound)


def hard(bounds: dict[str, str], name: str = "r", *, scoped: bool = False) -> Hard:
    named = {r.replace("gpu", GPU): value for r, value in bounds.items()}
    return Hard(ObjectKey("", "ResourceQuota", "a", name), named, scoped)


@pytest.mark.parametrize(
    ("bounds", "resource", "value", "name"),
    [
        ({"cpu": "4", "requests.cpu": "3"}, "cpu", 3000, "requests.cpu"),
        ({"cpu": "2", "requests.cpu": "3"}, "cpu", 2000, "cpu"),
        ({"requests.gpu": "8"}, GPU, 8, f"requests.{GPU}"),
    ],
)
def test_the_tightest_of_a_resource_quotas_names_counts(
    bounds: dict[str, str], resource: str, value: int, name: str
) -> None:
    found = ceiling([hard(bounds)], resource)
    assert found is not None
    assert (found.value, found.name, found.place.path[-1]) == (value, name, name)


@pytest.mark.parametrize("resource", ["memory", "pods", GPU])
def test_what_a_resource_quota_does_not_bound(resource: str) -> None:
    assert ceiling([hard({"cpu": "4", "gpu": "8", "limits.memory": "1", "pods": "3"})], resource) is None


def test_a_scoped_resource_quota_bounds_only_some_pods() -> None:
    of = replace(source(quota("a", {"cpu": 4})), hards=(hard({"cpu": "1"}, scoped=True),))
    assert figures(table(of), "a").hard is None


def test_status_is_told_apart_with_the_reason() -> None:
    told = replace(quota("a", {"cpu": 9}), status_used={"cpu": 1500})
    running = replace(pod("a/x", "n", cpu=2), running=True)
    running.bare = Vector(cpu=1800)
    found = figures(table(source(told, running, pod("a/y", "n", cpu=3))), "a").status
    assert found is not None
    causes = ((StatusCause.NOT_RUNNING, 3000), (StatusCause.OVERHEAD, 200), (StatusCause.STALE, 300))
    assert (found.value, tuple((each.cause, each.amount) for each in found.causes)) == (1500, causes)


def test_status_that_agrees_is_not_told() -> None:
    told = replace(quota("a", {"cpu": 9}), status_used={"cpu": 2000})
    assert figures(table(source(told, pod("a/y", "n", cpu=2))), "a").status is None


def test_names_that_the_scheduler_drops_are_told() -> None:
    odd = replace(quota("a", {"cpu": 1}), written_max={"requests.cpu": "4"})
    (report,) = table(source(odd)).quotas
    assert report.dropped == ("requests.cpu",)


def test_resource_quotas_with_scopes_are_told_by_name() -> None:
    hards = tuple(hard({"cpu": "1"}, name, scoped=name == "few") for name in ("all", "few"))
    (report,) = table(replace(source(quota("a", {"cpu": 9})), hards=hards)).quotas
    assert report.scoped == ("few",)


def test_figures_stay_within_64_bits() -> None:
    huge = str((1 << 63) - 1)
    found = table(source(node("n", memory="-8Ei"), quota("a", {"memory": huge}), pod("a/x", "n", memory=5)))
    at, sums = figures(found, "a", "memory"), found.sums["memory"]
    shown = (at.lendable, at.pool_headroom, at.reachable, sums.stranded)
    assert all(isinstance(value, int) and abs(value) <= 1 << 63 for value in shown)
    assert sums.stranded == -(1 << 63)
