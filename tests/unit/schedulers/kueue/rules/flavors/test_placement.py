"""Rules: Where the pods of known workloads can be: node selectors, sizes, gangs."""

from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import flavor, job, kueue, local_queue, node, queue


def in_order(*names: str) -> str:
    return queue(quota=[{name: {"cpu": 4} for name in names}])


def selecting(**pod: Any) -> tuple[str, ...]:
    flavors = (flavor("a100", {"gpu": "a100"}), flavor("h100", {"gpu": "h100"}))
    return (*flavors, in_order("a100", "h100"), local_queue(), job(**pod))


def affinity(*terms: list[str]) -> dict[str, Any]:
    expressions = [[{"key": key, "operator": "Exists"} for key in keys] for keys in terms]
    required = {"nodeSelectorTerms": [{"matchExpressions": each} for each in expressions]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


@pytest.mark.parametrize(
    ("pod", "path"),
    [
        ({"nodeSelector": {"gpu": "a100"}}, None),
        ({"nodeSelector": {"kubernetes.io/arch": "amd64"}}, None),
        ({"nodeSelector": {"model": "a100"}}, "nodeSelector.model"),
        ({"affinity": affinity(["model"])}, "affinity.nodeAffinity"),
        ({"affinity": affinity(["model"], ["gpu"])}, None),
    ],
)
def test_a_selected_key_must_be_one_of_a_flavor(pod: dict[str, Any], path: str | None) -> None:
    wanted = [] if path is None else [f"warning Job team/train spec.template.spec.{path}"]
    assert places("K109", *selecting(**pod)) == wanted


def test_without_a_choice_of_flavors_any_key_will_do() -> None:
    texts = (flavor("default", {"gpu": "a100"}), queue(), local_queue(), job(nodeSelector={"model": "a100"}))
    assert places("K109", *texts) == []


CPU = {"pool": "cpu"}


TEAM = (flavor("default", CPU), queue(), local_queue())


UNPACKED = (
    "fit on the Nodes of `default`, although the Nodes have enough in total: 5 cpu each, 8 cpu on the largest Node"
)


def levels(*labels: str) -> str:
    return kueue("Topology", "racks", spec={"levels": [{"nodeLabel": label} for label in labels]})


@pytest.mark.parametrize(
    ("cpu", "pods", "message"),
    [
        ("8", 2, None),
        ("8001m", 1, "a pod of Job `team/train` requests 8001m cpu, but the largest Node of `default` has 8 cpu"),
        ("4", 4, None),
        ("5", 2, None),
        (
            "5",
            3,
            f"2 of 3 pods of Job `team/train` {UNPACKED}",
        ),
        ("5", 4, None),
    ],
)
def test_pods_must_fit_on_nodes(cpu: str, pods: int, message: str | None) -> None:
    texts = (flavor("default", CPU), queue(quota=100), local_queue(), node("n1", CPU), node("n2", CPU))
    found = reported("K103", *texts, job(requests={"cpu": cpu}, pods=pods))
    assert [r.finding.message for r in found] == ([] if message is None else [message])


def test_one_flavor_with_room_is_enough() -> None:
    texts = (flavor("default", CPU), flavor("large", {"pool": "large"}), local_queue())
    both = queue(quota=[{"default": {"cpu": 100}, "large": {"cpu": 100}}])
    nodes = (node("n", CPU), node("big", {"pool": "large"}, cpu="64"))
    assert places("K103", *texts, both, *nodes, job(requests={"cpu": "32"})) == []
    assert len(places("K103", *texts, both, *nodes, job(requests={"cpu": "32"}, nodeSelector=CPU))) == 1


def test_topology_places_pods_by_itself() -> None:
    texts = (flavor("default", CPU, topologyName="racks"), levels("pool"), queue(quota=100), local_queue())
    assert places("K103", *texts, node("n", CPU), job(requests={"cpu": "32"})) == []


def test_what_quota_forbids_is_not_told_again() -> None:
    assert places("K103", *TEAM, node("n", CPU), job(requests={"cpu": "32"})) == []
