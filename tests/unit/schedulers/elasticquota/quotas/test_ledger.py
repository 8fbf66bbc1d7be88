"""What every quota has in use."""

from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from tests.unit.schedulers.elasticquota.build import cycle, node, pod, quota, state

BIG = node("n1", cpu=100, memory=1000, gpu=8)


def verdict(*objects: object, **request: object) -> QuotaVerdict:
    at = state(BIG, *objects)  # type: ignore[arg-type]
    return cycle(at, pod("a/new", **request)).gate.verdict  # type: ignore[arg-type]


def test_a_namespace_without_a_quota_is_in_no_sum() -> None:
    at = state(BIG, quota("b", {"cpu": 1}), pod("a/old", "n1", cpu=50), pod("b/old", "n1", cpu=1))
    assert cycle(at, pod("a/new", cpu=1)).gate.law is Law.NO_QUOTA
    assert at.ledger.total.cpu == 1000


def test_pods_on_unknown_nodes_are_in_use() -> None:
    assert verdict(quota("a", {"cpu": 4}, {"cpu": 4}), pod("a/old", "elsewhere", cpu=4), cpu=1) is QuotaVerdict.OVER_MAX


def test_one_uid_counts_once() -> None:
    twin = pod("a/twin", "n1", cpu=3)
    twin.uid = "a/old"
    assert state(BIG, quota("a"), pod("a/old", "n1", cpu=3), twin).ledger.used("a").cpu == 3000
