"""Which namespaces may preempt a running pod: each that some new pod could come from."""

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.review.risk import exposures
from tests.unit.schedulers.elasticquota.build import cycle, node, pod, quota, state, victims


def takers(of: State) -> dict[str, list[str]]:
    """The namespaces that may take each pod."""
    return {
        f"{each.key.namespace}/{each.key.name}": sorted(taker.queue for taker in each.takers)
        for each in exposures(of, PreemptorNumbers())
    }


def test_a_pod_that_requests_nothing_is_within_a_min_of_0() -> None:
    found = state(node("n", cpu=4), quota("a", {"cpu": 0}), quota("b", {"cpu": 0}), pod("a/run", on="n", cpu=1))

    assert victims(cycle(found, pod("b/new"))) == ["run"]
    assert takers(found) == {"a/run": ["a", "b"]}


def test_a_namespace_that_borrows_without_a_min_takes_nothing_of_others() -> None:
    run = pod("a/run", on="n", cpu=1), pod("b/run", on="n", cpu=1)
    found = state(node("n", cpu=4), quota("a", {"cpu": 0}), quota("b", {"cpu": 0}), *run)

    assert takers(found) == {"a/run": ["a"], "b/run": ["b"]}
