"""Who holds what a waiting pod lacks, and who could preempt a placed one."""

from collections.abc import Iterable

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.schedulers.elasticquota.explain.preemptors import OUTSIDE, takers
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.holding import holders, holding
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Exposed
from tests.unit.schedulers.elasticquota.build import cycle, node, pod, quota, state


def exposed(at: State, of: Pod, attempts: Iterable[tuple[Attempt, bool]] = ()) -> Exposed:
    return holding(at, of, attempts, takers(at, PreemptorNumbers(), [of]).of[of.key])


def test_where_a_max_is_reached_the_pods_of_the_namespace_hold_it() -> None:
    old = (pod("a/small", "n", cpu=1), pod("a/large", "n", cpu=3), pod("b/other", "n", cpu=1))
    at = state(node("n", cpu=9), quota("a", {"cpu": 9}, {"cpu": 4}), quota("b", {"cpu": 1}), *old)
    held = holders(at, "a", cycle(at, pod("a/new", cpu=1)).gate)
    assert [(h.pod.name, h.amount, h.borrows) for h in held] == [("a/large", 3000, False), ("a/small", 1000, False)]


def test_where_the_sum_of_all_min_is_reached_the_borrowers_hold_it() -> None:
    old = (pod("b/x", "n", cpu=3), pod("c/y", "n", cpu=1), pod("a/z", "n", cpu=0))
    quotas = (quota("a", {"cpu": 2}), quota("b", {"cpu": 1}), quota("c", {"cpu": 1}))
    at = state(node("n", cpu=9), *quotas, *old)
    held = holders(at, "a", cycle(at, pod("a/new", cpu=1)).gate)
    assert [(h.pod.name, h.amount, h.borrows) for h in held] == [("b/x", 3000, True)]


def test_a_pod_that_the_quotas_admit_lacks_nothing_of_them() -> None:
    at = state(node("n", cpu=1), quota("a", {"cpu": 9}), pod("a/old", "n", cpu=1))
    assert holders(at, "a", cycle(at, pod("a/new", cpu=1)).gate) == ()


def test_a_borrower_may_lose_its_pods_to_those_that_lend() -> None:
    old, new = pod("b/old", "n", cpu=3), pod("a/next", cpu=2)
    at = state(node("n", cpu=4), quota("a", {"cpu": 3}), quota("b", {"cpu": 1}), old, new)
    found = exposed(at, old, [(cycle(at, new), True)])
    assert [(e.resource, e.more) for e in found.borrowed] == [("cpu", 2000)]
    assert found.lenders == (("a", "cpu", 3000),)
    assert [(each.pod.name, each.node, each.certain) for each in found.now] == [("a/next", "n", True)]


def test_within_its_min_no_other_namespace_takes_a_pod() -> None:
    old = pod("b/old", "n", cpu=1)
    at = state(node("n", cpu=4), quota("a", {"cpu": 3}), quota("b", {"cpu": 1}), old)
    found = exposed(at, old)
    assert (found.borrowed, found.lenders, found.by_own) == ((), (), True)


def test_a_pod_without_a_quota_is_no_matter_of_quotas() -> None:
    old = pod("x/old", "n", cpu=1)
    found = exposed(state(node("n", cpu=4), quota("a", {"cpu": 3}), old), old)
    assert (found.by_own, found.borrowed, [each.queue for each in found.takers]) == (False, (), [OUTSIDE])


def test_of_several_nodes_none_is_certain() -> None:
    old = [pod(f"b/old-{i}", f"n{i}", cpu=4) for i in (1, 2)]
    at = state(node("n1", cpu=4), node("n2", cpu=4), quota("a", {"cpu": 8}), quota("b", {"cpu": 0}), *old)
    found = exposed(at, old[0], [(cycle(at, pod("a/next", cpu=4)), True)])
    assert [(each.node, each.certain) for each in found.now] == [("n1", False)]
