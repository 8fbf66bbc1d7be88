"""Rules: quota against the Nodes of the cluster. Without Nodes in the input nothing is said."""

import json
from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import GPU, cohort, flavor, job, kueue, local_queue, node, queue

CPU = {"pool": "cpu"}


TEAM = (flavor("default", CPU), queue(), local_queue())


GPU_TAINT = {"key": "gpu", "value": "true", "effect": "NoSchedule"}


def levels(*labels: str) -> str:
    return kueue("Topology", "racks", spec={"levels": [{"nodeLabel": label} for label in labels]})


@pytest.mark.parametrize("word", ["K099", "K100", "K101", "K102", "K103", "K108", "K078"])
def test_without_nodes_nothing_is_said(word: str) -> None:
    placed = flavor("placed", {"pool": "gpu"}, topologyName="racks")
    large = queue(quota=[{"default": {"cpu": 1000}, "placed": {"cpu": 1}}])
    texts = (TEAM[0], flavor("twin", CPU), placed, large, local_queue(), levels("rack"), job(requests={"cpu": "1000"}))
    assert places(word, *texts, complete=True) == []


def test_a_flavor_needs_a_node_with_all_its_labels() -> None:
    both = flavor("default", {"pool": "cpu", "zone": "a"})
    nodes = (node("n1", {"pool": "cpu"}), node("n2", {"zone": "a"}))
    assert places("K099", both, *TEAM[1:], *nodes, complete=True) == ["warning ResourceFlavor default spec.nodeLabels"]
    assert places("K099", both, *TEAM[1:], nodes[0]) == ["info ResourceFlavor default spec.nodeLabels.zone"]
    assert places("K099", both, *TEAM[1:], node("n", {"pool": "cpu", "zone": "a", "x": "y"})) == []


def test_an_unused_flavor_needs_no_node() -> None:
    assert places("K099", *TEAM, flavor("spare", {"pool": "spare"}), node("n", CPU)) == []


def overlapping(zone: str, *, other_cohort: bool = False, **more: Any) -> tuple[str, ...]:
    flavors = (flavor("pool", CPU), flavor("zone", {"zone": "a"}, **more))
    queues = [queue(n, c, [{n: {"cpu": 4}}]) for n, c in (("pool", "org"), ("zone", "far" if other_cohort else "org"))]
    return (*flavors, *queues, node("n1", {"pool": "cpu", "zone": zone}), node("n2", {"pool": "gpu", "zone": "a"}))


def test_flavors_of_one_tree_must_not_share_nodes() -> None:
    (found,) = reported("K100", *overlapping("a"))
    assert str(found.finding.place) == "ResourceFlavor zone spec.nodeLabels"
    assert dict(found.finding.evidence) == {"Nodes in common": "1"}
    assert places("K100", *overlapping("b")) == []
    assert places("K100", *overlapping("a", other_cohort=True)) == []


def test_flavors_by_topology_know_of_each_other() -> None:
    assert places("K100", *overlapping("a", topologyName="racks")) == []


def test_a_flavor_that_takes_all_is_told_as_that_when_it_stands_first() -> None:
    texts = (flavor("all"), flavor("pool", CPU), queue(quota=[{"all": {"cpu": 1}, "pool": {"cpu": 1}}]), node("n", CPU))
    assert places("K100", *texts) == []
    assert len(places("K104", *texts)) == 1
    last = queue(quota=[{"pool": {"cpu": 1}, "all": {"cpu": 1}}])
    assert len(places("K100", *texts[:2], last, texts[3])) == 1


@pytest.mark.parametrize(("quota", "above", "below"), [(7, 0, 1), (8, 0, 0), (9, 1, 0), ("8001m", 1, 0)])
def test_quota_is_held_against_what_nodes_have(quota: int | str, above: int, below: int) -> None:
    texts = (flavor("default", CPU), queue(quota=quota), node("n", CPU), node("other"))
    assert len(places("K101", *texts)) == above
    assert len(places("K102", *texts)) == below


def test_quota_of_all_queues_and_cohorts_adds_up() -> None:
    org = cohort("org", None, {"default": {"cpu": 1}})
    texts = (flavor("default", CPU), org, queue("a", "org", 4), queue("b", "org", 4))
    (found,) = reported("K101", *texts, node("n", CPU), complete=True)
    assert found.finding.message == "quota in `default` is 1 cpu more than its Nodes have"
    assert len(found.finding.related) == 3


def test_a_resource_that_no_node_has_is_none_of_nodes() -> None:
    texts = (flavor("default", CPU), queue(quota=[{"default": {"cpu": 8, "example.com/credits": 99}}]))
    assert places("K101", *texts, node("n", CPU)) == []


def test_gpus_that_other_nodes_have_are_missing() -> None:
    texts = (flavor("default", CPU), queue(quota=[{"default": {"cpu": 8, GPU: 1}}]), node("n", CPU))
    assert len(places("K101", *texts, node("g", {"pool": "gpu"}, **{GPU: "8"}))) == 1


def test_a_taint_on_every_node_keeps_pods_out() -> None:
    tainted = node("n1", CPU, [GPU_TAINT])
    assert places("K108", *TEAM, tainted) == ["warning ResourceFlavor default spec.nodeLabels"]
    assert places("K108", *TEAM, tainted, node("n2", CPU)) == ["info ResourceFlavor default spec.nodeLabels"]


@pytest.mark.parametrize(
    "known",
    [
        {"nodeTaints": [GPU_TAINT]},
        {"tolerations": [{"key": "gpu", "operator": "Exists"}]},
    ],
)
def test_a_taint_that_the_flavor_knows_is_none_of_surprise(known: dict[str, Any]) -> None:
    assert places("K108", flavor("default", CPU, **known), *TEAM[1:], node("n", CPU, [GPU_TAINT])) == []


@pytest.mark.parametrize(
    "taint",
    [
        {"key": "gpu", "effect": "PreferNoSchedule"},
        {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"},
        {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"},
        {"key": 7, "effect": "NoSchedule"},
    ],
)
def test_taints_that_pass_or_do_not_filter_do_not_count(taint: dict[str, Any]) -> None:
    assert places("K108", *TEAM, node("n", CPU, [taint])) == []


@pytest.mark.parametrize(
    "status", [None, "full", {"allocatable": ["8"]}, {"allocatable": {"cpu": "lots", "memory": {}}}]
)
def test_a_node_that_is_none_does_no_harm(status: Any) -> None:
    odd = json.loads(node("odd", CPU)) | {"status": status, "spec": {"taints": {"key": 1}}}
    for word in ("K099", "K100", "K101", "K102", "K103", "K108"):
        places(word, *TEAM, json.dumps(odd) + "\n", job())
