"""What holds of every division and every session of KAI's, whatever the queues."""

from random import Random

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.division.division import QueueClaim, divide, shares_over_map_orders
from kubectl_fairshare.schedulers.kai.division.time_aware import Formula
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, Resources
from kubectl_fairshare.schedulers.kai.session.session import open_session
from tests.sampling import sampled
from tests.unit.schedulers.kai.build import group, node, pod, queue, state

SEEDS = range(60)


def claims(random: Random) -> list[QueueClaim]:
    return [
        QueueClaim(
            f"q{i}",
            random.choice((50, 100, 100, 200)),
            random.randrange(3),
            random.choice((0, 0, 1, 2, 5, -1)),
            random.choice((-1, -1, 3, 8)),
            random.choice((0, 0.5, 1, 2, 3)),
            random.choice((0, 0.5, 2, 7, 20)),
            random.choice((0, 0.1, 0.6)),
        )
        for i in range(random.randrange(1, 9))
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_queue_gets_a_unit_more_than_it_can_use(seed: int) -> None:
    random = Random(seed)
    known, total = claims(random), random.choice((0, 1, 5, 16, 40))
    for claim, share in zip(known, divide(total, Formula(random.choice((0.0, 1.0, 4.0))), known), strict=True):
        assert 0 <= share < claim.requestable + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_beyond_quotas_no_more_is_given_than_there_is(seed: int) -> None:
    random = Random(seed)
    known, total = claims(random), random.choice((0, 1, 5, 16, 40))
    quotas = sum(min(total if c.quota == -1 else c.quota, c.requestable) for c in known)
    assert sum(divide(total, Formula(1.0), known)) <= max(total, quotas) + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_the_input_changes_nothing_that_is_defined(seed: int) -> None:
    random = Random(seed)
    known, total = claims(random), random.choice((1, 5, 16, 40))
    found = shares_over_map_orders(total, Formula(1.0), known)
    shares = {claim.name: share for claim, share in zip(known, found.value, strict=True)}
    for _ in range(3):
        random.shuffle(known)
        other = dict(zip((c.name for c in known), divide(total, Formula(1.0), known), strict=True))
        if found.defined:
            assert other == pytest.approx(shares)


def organisation(random: Random) -> KaiState:
    tops = [queue(f"t{i}", quota=random.choice((0, 2, 4)), created=i) for i in range(3)]
    leaves = [
        queue(f"l{i}", f"t{i % 3}", quota=random.choice((0, 1, 2)), weight=random.choice((1, 2)), created=i)
        for i in range(6)
    ]
    groups, pods = [], []
    for i in range(12):
        groups.append(group(f"run{i}", f"l{random.randrange(6)}", created=i, minimum=1))
        pods.append(pod(f"run{i}", 0, random.choice((1, 2)), at=f"n{i % 3}"))
    groups.append(group("wait", f"l{random.randrange(6)}", created=99))
    pods.append(pod("wait", 0, random.choice((1, 2, 4)), phase=Phase.PENDING))
    return state([*tops, *leaves], groups, pods, [node(f"n{i}", 8) for i in range(3)])


@pytest.mark.parametrize("seed", sampled(SEEDS, 3))
def test_a_plan_is_the_same_in_whatever_order_objects_come(seed: int) -> None:
    random = Random(seed)
    known = organisation(random)
    groups, pods, nodes = list(known.pod_groups), list(known.pods), list(known.nodes)
    for objects in (groups, pods, nodes):
        random.shuffle(objects)
    other = replace(known, pod_groups=tuple(groups), pods=tuple(pods), nodes=tuple(nodes))
    first, second = plan(open_session(known), "wait"), plan(open_session(other), "wait")
    assert (first.outcome, first.proof) == (second.outcome, second.proof)


@pytest.mark.parametrize("seed", sampled(SEEDS, 3))
def test_a_node_more_keeps_no_job_out_that_was_admitted(seed: int) -> None:
    known = organisation(Random(seed))
    more = replace(known, nodes=(*known.nodes, node("new", 8)))
    if plan(open_session(known), "wait").outcome is Outcome.ADMITTED:
        assert plan(open_session(more), "wait").outcome is Outcome.ADMITTED


@pytest.mark.parametrize("seed", sampled(SEEDS, 3))
def test_what_is_reclaimed_is_fair_and_leaves_nobody_out_who_goes(seed: int) -> None:
    found = plan(open_session(organisation(Random(seed))), "wait")
    if found.reclaim is None or not found.reclaim.taken:
        return
    assert found.reclaim.verdict is not None
    assert found.reclaim.verdict.allowed
    last = found.reclaim.taken[-1].job.name
    assert last not in found.reclaim.left_out
    assert {e.job.name for e in found.reclaim.taken} <= {one.job.name for one in found.reclaim.candidates}


@pytest.mark.parametrize("seed", sampled(SEEDS, 3))
def test_what_gives_way_makes_the_room_that_was_missing(seed: int) -> None:
    found = plan(open_session(organisation(Random(seed))), "wait")
    if found.outcome is not Outcome.PREEMPTS:
        return
    assert found.room.idle == Resources(*found.room.idle)
    freed = sum(task.accepted.gpu for eviction in found.victims for task in eviction.tasks)
    assert found.room.idle.gpu + freed >= found.job.request.gpu
    assert found.victims or found.moved
    if found.room.idle.gpu >= found.job.request.gpu:  # but no node has it
        assert found.gates[-1].law in (Law.IDLE_NODE, Law.PLACEMENT)
