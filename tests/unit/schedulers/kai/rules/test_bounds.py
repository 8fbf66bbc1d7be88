"""Rules: quotas and limits of queues compared with each other and with those above them."""

import pytest

from tests.unit.schedulers.kai.rules.objects import bounds, gpus, kai, node, queue
from tests.unit.schedulers.kueue.rules.asking import places, reported

GPU = "spec.resources.gpu"


@pytest.mark.parametrize(
    ("child", "parent", "found"),
    [(4, 4, False), (5, 4, True), (4.5, 4, True), (-1, 4, True), (-1, -1, False), (9, -1, False), (0, 0, False)],
)
def test_a_childs_quota_is_held_against_its_parents(child: float, parent: float, found: bool) -> None:
    assert bool(reported("A004", gpus("org", quota=parent), gpus("a", "org", quota=child))) is found


def test_all_resources_are_compared_not_cpu_alone() -> None:
    small, large = ({r: bounds(n) for r in ("cpu", "memory", "gpu")} for n in (1, 2))
    assert len(reported("A004", queue("org", resources=small), queue("a", "org", large))) == 3


def test_children_add_up_unless_one_alone_is_too_much() -> None:
    org = gpus("org", quota=8)
    assert reported("A005", org, gpus("a", "org", 4), gpus("b", "org", 4)) == ()
    assert places("A005", org, gpus("a", "org", 4), gpus("b", "org", 4.5)) == [f"warning Queue org {GPU}.quota"]
    assert reported("A005", org, gpus("a", "org", 9), gpus("b", "org", 4)) == ()


@pytest.mark.parametrize(
    ("quota", "limit", "found"), [(4, 4, False), (4, 3.5, True), (4, -1, False), (-1, 4, False), (4, 0, False)]
)
def test_a_limit_is_held_against_the_own_quota(quota: float, limit: float, found: bool) -> None:
    assert bool(reported("A009", gpus("a", quota=quota, limit=limit))) is found


@pytest.mark.parametrize(("limit", "found"), [(8, False), (9, True), (-1, False)])
def test_a_limit_is_held_against_all_limits_above(limit: float, found: bool) -> None:
    texts = gpus("org", limit=8), gpus("team", "org"), gpus("a", "team", limit=limit)
    assert bool(reported("A010", *texts)) is found


def test_a_quota_beyond_a_limit_above_is_told_in_place_of_the_limit() -> None:
    texts = gpus("org", quota=-1, limit=4), gpus("a", "org", quota=6, limit=8)
    assert reported("A010", *texts) == ()
    assert places("A023", *texts) == [f"warning Queue a {GPU}.quota"]


def test_quotas_of_children_are_held_against_the_limit_of_an_unlimited_parent() -> None:
    children = gpus("a", "org", 4), gpus("b", "org", 4)
    assert places("A024", gpus("org", quota=-1, limit=7), *children) == [f"warning Queue org {GPU}.limit"]
    assert reported("A024", gpus("org", quota=-1, limit=8), *children) == ()


def test_a_negative_amount_is_told_for_that_alone() -> None:
    texts = gpus("org", quota=-3, limit=-3), gpus("a", "org", quota=5, limit=5)
    for rule in ("A004", "A005", "A009", "A010", "A012", "A023", "A024"):
        assert reported(rule, *texts) == ()


@pytest.mark.parametrize(("quota", "found"), [(8, False), (8.5, True), (-1, False)])
def test_quotas_at_the_top_are_held_against_ready_nodes(quota: float, found: bool) -> None:
    texts = gpus("a", quota=quota), gpus("b", "a", quota=100), node()
    assert bool(reported("A017", *texts, node("n2", unschedulable=True))) is found


def test_pools_are_held_apart() -> None:
    gold = queue("a", resources={"gpu": bounds(9)}, meta={"labels": {"kai.scheduler/node-pool": "gold"}})
    assert reported("A017", gold, node()) == ()
    assert len(reported("A017", gold, node(pool="gold"))) == 1


def test_fields_of_the_schema_are_told_by_the_rules_for_all_apis() -> None:
    assert places("M003", gpus("a").replace('"quota": 0', '"quota": "0"', 1)) == [
        "error Queue a spec.resources.cpu.quota"
    ]
    assert len(reported("M008", kai("scheduling.run.ai/v2", "Queue", {"name": "a"}, {"resource": {}}))) == 1


def test_other_rules_end_on_cycles_and_on_long_chains() -> None:
    chain = [queue(f"q{n}", f"q{n + 1}") for n in range(500)]
    assert reported("A010", *chain, queue("q500", "q500")) == ()
