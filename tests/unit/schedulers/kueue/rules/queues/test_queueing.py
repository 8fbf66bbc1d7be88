"""Rules: the order in a ClusterQueue, and what keeps it still: queueing strategies and stop policies."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import (
    KUEUE,
    job,
    local_queue,
    places,
    queue,
)

STRICT = "  queueingStrategy: StrictFIFO\n"


@pytest.mark.parametrize(
    ("spec", "flavors", "count"), [(STRICT, ("a", "b"), 1), (STRICT, ("a",), 0), ("", ("a", "b"), 0)]
)
def test_a_strict_queue_over_flavors(spec: str, flavors: tuple[str, ...], count: int) -> None:
    assert len(places("K158", queue("q", spec, flavors))) == count


@pytest.mark.parametrize(("pods", "count"), [(5, 0), (6, 1)])
def test_a_gang_is_large_above_half_of_the_quota(pods: int, count: int) -> None:
    labels = "labels: {kueue.x-k8s.io/queue-name: lq}"
    asking = "- {name: main, resources: {requests: {cpu: 1}}}"
    gang = job(labels, f"parallelism: {pods}\ncompletions: {pods}\n").replace("- name: main", asking)
    small = job(labels).replace("name: train", "name: small")
    feed = local_queue("lq", "q")
    assert len(places("K160", queue("q"), feed, gang, small)) == count
    assert places("K160", queue("q"), feed, gang) == []
    assert places("K160", queue("q", STRICT), feed, gang, small) == []
    assert places("K160", queue("q", "  preemption: {withinClusterQueue: LowerPriority}\n"), feed, gang, small) == []


@pytest.mark.parametrize(("pods", "asking", "count"), [(10, "cpu: 1", 1), (11, "cpu: 1", 0), (6, "cpu: 1, gpu: 1", 0)])
def test_what_can_never_be_admitted_is_no_gang_that_starves(pods: int, asking: str, count: int) -> None:
    labels = "labels: {kueue.x-k8s.io/queue-name: lq}"
    container = f"- {{name: main, resources: {{requests: {{{asking}}}}}}}"
    gang = job(labels, f"parallelism: {pods}\ncompletions: {pods}\n").replace("- name: main", container)
    small = job(labels).replace("name: train", "name: small")
    texts = (queue("q"), "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: default}\n")
    assert len(places("K160", *texts, local_queue("lq", "q"), gang, small)) == count


@pytest.mark.parametrize("policy", ["Hold", "HoldAndDrain"])
def test_stopped_queues_are_told_but_for_the_default_one(policy: str) -> None:
    stop = f"  stopPolicy: {policy}\n"
    assert places("K161", queue("q", stop)) == ["warning ClusterQueue q spec.stopPolicy"]
    assert places("K161", local_queue("lq", "q", stop)) == ["warning LocalQueue team/lq spec.stopPolicy"]
    assert places("K161", local_queue("default", "q", stop)) == []
    assert places("K161", local_queue("lq", "q", "  stopPolicy: None\n")) == []


def test_a_queue_written_in_v1beta1_is_told_alike() -> None:
    text = queue("q", STRICT + "  stopPolicy: Hold\n", ("a", "b"))
    for rule in ("K158", "K161"):
        assert places(rule, text.replace(KUEUE, "kueue.x-k8s.io/v1beta1")) == places(rule, text) != []
