"""Whether the quotas admit a pod."""

import pytest

from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from tests.unit.schedulers.elasticquota.build import cycle, kept, node, pod, quota, state

BIG = node("n1", cpu=100, memory=1000, gpu=8)


def verdict(*objects: object, **request: object) -> QuotaVerdict:
    at = state(BIG, *objects)  # type: ignore[arg-type]
    return cycle(at, pod("a/new", **request)).gate.verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(("cpu", "found"), [(1, QuotaVerdict.SUCCESS), (2, QuotaVerdict.OVER_MAX)])
def test_what_reaches_the_maximum_fits(cpu: int, found: QuotaVerdict) -> None:
    assert verdict(quota("a", {"cpu": 9}, {"cpu": 4}), pod("a/old", "n1", cpu=3), cpu=cpu) is found


@pytest.mark.parametrize(("cpu", "found"), [(1, QuotaVerdict.SUCCESS), (2, QuotaVerdict.OVER_POOL)])
def test_what_reaches_the_sum_of_all_minima_fits(cpu: int, found: QuotaVerdict) -> None:
    objects = (quota("a", {"cpu": 4}), quota("b", {"cpu": 4}), pod("b/old", "n1", cpu=7))
    assert verdict(*objects, cpu=cpu) is found


def test_a_maximum_that_leaves_memory_out_forbids_it() -> None:
    limited = quota("a", {"cpu": 4, "memory": 4}, {"cpu": 4})
    assert verdict(limited, cpu=1) is QuotaVerdict.SUCCESS
    assert verdict(limited, cpu=1, memory=1) is QuotaVerdict.OVER_MAX


def test_a_maximum_that_leaves_gpus_out_does_not_bound_them() -> None:
    assert verdict(quota("a", {"gpu": 4}, {"cpu": 4}), gpu=4) is QuotaVerdict.SUCCESS


def test_an_empty_maximum_is_not_an_absent_one() -> None:
    assert verdict(quota("a", {"cpu": 4}, {}), cpu=1) is QuotaVerdict.OVER_MAX
    assert verdict(quota("a", {"cpu": 4}, None), cpu=1) is QuotaVerdict.SUCCESS


def test_one_gpu_that_no_minimum_lists_keeps_all_out() -> None:
    objects = (quota("a", {"cpu": 4}), quota("b", {"cpu": 4}), pod("b/old", "n1", gpu=1))
    assert verdict(*objects, cpu=1) is QuotaVerdict.OVER_POOL


def test_a_pod_without_requests_is_refused_over_the_maximum() -> None:
    assert verdict(quota("a", {"cpu": 9}, {"cpu": 2}), pod("a/old", "n1", cpu=3)) is QuotaVerdict.OVER_MAX


@pytest.mark.parametrize(
    ("peer", "in_quota", "in_pool"),
    [
        (pod("a/peer", priority=5, cpu=1), True, True),
        (pod("a/peer", priority=4, cpu=1), False, False),
        (pod("b/peer", priority=-9, cpu=1), False, True),
        (pod("c/peer", priority=99, cpu=1), False, False),
    ],
    ids=["as important", "less important", "of another within its min", "of a borrower"],
)
def test_which_kept_places_count(peer: object, in_quota: bool, in_pool: bool) -> None:
    waiting = kept(peer, "n1")  # type: ignore[arg-type]
    at = state(BIG, quota("a", {"cpu": 9}), quota("b", {"cpu": 1}), quota("c"), pod("c/old", "n1", cpu=1), waiting)
    gate = cycle(at, pod("a/new", priority=5, cpu=1)).gate
    (found,) = gate.peers
    assert (found.in_quota, found.in_pool) == (in_quota, in_pool)
    assert (gate.in_quota.cpu, gate.in_pool.cpu) == (1000 + 1000 * in_quota, 1000 + 1000 * in_pool)
