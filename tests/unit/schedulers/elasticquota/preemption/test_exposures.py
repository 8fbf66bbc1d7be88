"""Which namespaces may preempt a running pod: each that some new pod could come from."""

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.review.reviewer import exposures
from kubectl_fairshare.schedulers.turns.newcomers import NO_NODE
from tests.unit.schedulers.elasticquota.build import cycle, node, pod, quota, state, victims


def takers(of: State) -> dict[str, list[str]]:
    """The namespaces that may take each pod."""
    return {
        f"{each.key.namespace}/{each.key.name}": sorted(taker.queue for taker in each.takers)
        for each in exposures(of, PreemptorNumbers()).found
    }


def test_a_pod_that_requests_nothing_is_within_a_min_of_0() -> None:
    found = state(node("n", cpu=4), quota("a", {"cpu": 0}), quota("b", {"cpu": 0}), pod("a/run", on="n", cpu=1))

    assert victims(cycle(found, pod("b/new"))) == ["run"]
    assert takers(found) == {"a/run": ["a", "b"]}


def test_a_namespace_that_borrows_without_a_min_takes_nothing_of_others() -> None:
    run = pod("a/run", on="n", cpu=1), pod("b/run", on="n", cpu=1)
    found = state(node("n", cpu=4), quota("a", {"cpu": 0}), quota("b", {"cpu": 0}), quota("idle", {"cpu": 2}), *run)

    assert takers(found) == {"a/run": ["a", "idle"], "b/run": ["b", "idle"]}


def test_no_pod_takes_another_while_all_quotas_stay_above_the_sum_of_all_min() -> None:
    """The victims of one node are all of its candidates, and they are too few for the newcomer to get in."""
    run = pod("a/run", on="n", cpu=1), pod("b/run", on="n", cpu=1)
    found = state(node("n", cpu=4), quota("a", {"cpu": 0}), quota("b", {"cpu": 0}), *run)

    assert cycle(found, pod("b/new", priority=1)).choice is None
    assert takers(found) == {"a/run": [], "b/run": []}


def test_a_namespace_whose_min_is_too_small_to_make_the_node_short_takes_nothing() -> None:
    """With 1 core, all that its min allows, there is room for both."""
    quotas = quota("a", {"cpu": 0}), quota("small", {"cpu": 1}), quota("large", {"cpu": 8})
    found = state(node("n", cpu=4), *quotas, pod("a/run", on="n", cpu=1))

    assert takers(found) == {"a/run": ["a", "large"]}


def test_nothing_is_above_the_highest_priority() -> None:
    quotas = quota("a", {"cpu": 1}), quota("b", {"cpu": 8})
    found = state(node("n", cpu=1), *quotas, pod("a/run", on="n", priority=2_000_001_000, cpu=1))

    assert takers(found) == {"a/run": []}


def test_what_has_no_node_in_the_input_is_in_doubt() -> None:
    found = state(quota("a", {"cpu": 1}), quota("b", {"cpu": 8}), pod("a/run", on="n", cpu=2))

    assert takers(found) == {"a/run": ["a", "b"]}
    assert NO_NODE in exposures(found, PreemptorNumbers()).doubt
