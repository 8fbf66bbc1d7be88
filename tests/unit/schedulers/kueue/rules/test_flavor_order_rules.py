"""Flavors: their order, taints, labels, topologies, and what workloads select."""

import json
from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import GPU, flavor, job, kueue, local_queue, manifest, node, queue

SPOT = {"key": "spot", "value": "true", "effect": "NoSchedule"}


def in_order(*names: str) -> str:
    return queue(quota=[{name: {"cpu": 4} for name in names}])


@pytest.mark.parametrize(
    ("order", "count"),
    [(("any", "spot"), 1), (("spot", "any"), 0), (("any", "plain"), 0), (("plain", "any", "spot"), 1)],
)
def test_a_flavor_for_every_pod_stands_last(order: tuple[str, ...], count: int) -> None:
    flavors = (flavor("any"), flavor("plain"), flavor("spot", {"pool": "spot"}))
    assert len(places("K104", *flavors, in_order(*order))) == count


def test_it_is_told_once_for_all_queues() -> None:
    quotas = [{"any": {"cpu": 4}, "spot": {"cpu": 4}}]
    queues = (queue("b", quota=quotas), queue("a", quota=quotas))
    (found,) = reported("K104", flavor("any"), flavor("spot", {"pool": "spot"}), *queues)
    assert found.finding.place.object.name == "a"
    assert dict(found.finding.evidence)["queues"] == "2"


def test_taints_keep_pods_out_of_the_first_flavor() -> None:
    flavors = (flavor("any", None, nodeTaints=[SPOT]), flavor("spot", {"pool": "spot"}))
    assert places("K104", *flavors, in_order("any", "spot")) == []


@pytest.mark.parametrize(
    ("taints", "tolerations", "rules"),
    [
        ([SPOT], [], ["K105"]),
        ([SPOT], [{"key": "spot", "operator": "Exists"}], ["K106"]),
        ([SPOT], [{"key": "spot-taint", "operator": "Exists"}], ["K105"]),
        ([SPOT | {"effect": "PreferNoSchedule"}], [], ["K107"]),
        ([], [{"operator": "Exists"}], []),
    ],
)
def test_taints_filter_or_do_not(taints: list[Any], tolerations: list[Any], rules: list[str]) -> None:
    text = flavor("spot", {"pool": "spot"}, nodeTaints=taints, tolerations=tolerations)
    assert [word for word in ("K105", "K106", "K107") if places(word, text)] == rules


@pytest.mark.parametrize(
    ("cpu", "gpu", "count"),
    [
        ({"pool": "a"}, {"pool": "b"}, 1),
        ({"pool": "a"}, {"pool": "a"}, 0),
        ({"pool": "a"}, {"gpu": "b"}, 0),
        ({}, {}, 0),
    ],
)
def test_groups_must_not_contradict_each_other(cpu: dict[str, str], gpu: dict[str, str], count: int) -> None:
    groups = queue(quota=[{"large": {"cpu": 4}}, {"a100": {GPU: 4}}])
    found = places("K085", flavor("large", cpu), flavor("a100", gpu), groups)
    assert found == ["warning ClusterQueue team spec.resourceGroups[1]"] * count


def test_flavors_with_and_without_topology_do_not_mix() -> None:
    racks = kueue("Topology", "racks", spec={"levels": [{"nodeLabel": "rack"}]})
    flavors = (flavor("a", {"pool": "a"}, topologyName="racks"), flavor("b", {"pool": "b"}))
    assert places("K079", racks, *flavors, in_order("a", "b")) == [
        "warning ClusterQueue team spec.resourceGroups[0].flavors[1].name"
    ]
    assert places("K079", racks, *flavors, in_order("a"), queue("other", quota=[{"b": {"cpu": 4}}])) == []


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


def limit_range(**item: Any) -> str:
    return manifest("v1", "LimitRange", "defaults", "team", spec={"limits": [{"type": "Container", **item}]})


def test_a_limit_without_request_is_charged_the_default() -> None:
    ranges = limit_range(defaultRequest={"cpu": "500m"})
    (found,) = reported("K065", flavor(), queue(), local_queue(), ranges, job(requests={}, limits={"cpu": "4"}))
    assert str(found.finding.place) == "Job team/train spec.template.spec.containers[0].resources.limits.cpu"
    assert dict(found.finding.evidence) == {
        "charged per pod": "500m cpu",
        "requested by the pod": "4 cpu",
        "pods": "1",
    }


@pytest.mark.parametrize(
    ("ranges", "requests", "limits"),
    [
        (limit_range(defaultRequest={"cpu": "500m"}), {"cpu": "4"}, {"cpu": "4"}),
        (limit_range(defaultRequest={"cpu": "500m"}), {}, {}),
        (limit_range(defaultRequest={"cpu": "4"}), {}, {"cpu": "4"}),
        (limit_range(max={"cpu": "8"}), {"cpu": "1"}, {"cpu": "4"}),
        (limit_range(defaultRequest={"memory": "1Gi"}), {}, {"cpu": "4"}),
    ],
)
def test_what_is_charged_and_requested_alike_is_no_mistake(
    ranges: str, requests: dict[str, str], limits: dict[str, str]
) -> None:
    asking = job(requests=requests, limits=limits)
    assert places("K065", flavor(), queue(), local_queue(), ranges, asking, node("n")) == []


@pytest.mark.parametrize("spec", [None, {}, {"template": None}, {"template": {"spec": None}}])
def test_a_job_without_pods_does_no_harm(spec: Any) -> None:
    empty = json.dumps(json.loads(job()) | {"spec": spec}) + "\n"
    ranges = limit_range(defaultRequest={"cpu": "500m"})
    words = ("K058", "K061", "K065", "K080", "K098", "K103", "K109")
    assert [places(word, flavor(), queue(), local_queue(), ranges, empty, node("n")) for word in words] == [[]] * 7
