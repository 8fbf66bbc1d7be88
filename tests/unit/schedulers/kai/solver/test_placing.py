"""Which node a pod gets, and when none takes it."""

import pytest

from kubectl_fairshare.schedulers.kai.solver.placing import Failure, oversized, place_job
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError
from tests.unit.schedulers.kai.solver.scenes import Json, alone, job, layer, node, one, pod, queue

A = queue("a", 16)


def placed(*objects: Json, **fields: object) -> dict[str, str]:
    """Where a pod of one GPU goes."""
    return dict(alone(layer([*objects, A], one("b", "a", 1, spec=fields)), "b").bound)


def test_the_fullest_node_is_taken_and_names_decide_between_equals() -> None:
    full = one("a1", "a", 3, "n1")
    first = layer([node("n0", 4), node("n1", 4), A], full, one("b", "a", 1))
    assert alone(first, "b").bound == {"b-0": "n1"}
    assert placed(node("node-2"), node("node-10")) == {"b-0": "node-10"}


def test_no_pod_is_taken_back_for_a_later_one() -> None:
    pods = (pod("b", 0, 2), pod("b", 1, 3), pod("b", 2, 3))
    first = layer([node("n0", 4), node("n1", 4), A], job("b", "a", *pods, minMember=3))
    assert not alone(first, "b").any
    failed = place_job(first, first.view("b"), ("n0", "n1"), simulated=False)
    assert isinstance(failed, Failure)
    assert (failed.pod, failed.placed) == ("u-b-2", 2)


def test_what_a_node_refuses() -> None:
    assert placed(node("n0", unschedulable=True), node("n1")) == {"b-0": "n1"}
    tainted = node("n0", taints=[{"key": "k", "value": "v", "effect": "NoSchedule"}])
    assert placed(tainted) == {}
    assert placed(tainted, tolerations=[{"key": "k", "operator": "Exists"}]) == {"b-0": "n0"}
    assert placed(node("n0"), nodeSelector={"zone": "x"}) == {}
    assert placed(node("n0", labels={"zone": "x"}), nodeSelector={"zone": "x"}) == {"b-0": "n0"}


def test_a_node_that_states_no_number_of_pods_takes_none() -> None:
    bare = node("n0")
    del bare["status"]["allocatable"]["pods"]
    assert placed(bare) == {}
    assert placed(bare, node("n1")) == {"b-0": "n1"}


def test_a_preference_for_nodes_is_no_score() -> None:
    prefers = {"weight": 100, "preference": {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["z"]}]}}
    affinity = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [prefers]}}
    assert placed(node("n0"), node("n1", labels={"zone": "z"}), affinity=affinity) == {"b-0": "n0"}


def test_pods_that_shun_each_other() -> None:
    term = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "kubernetes.io/hostname"}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    there = one("a1", "a", 1, "n0", labels={"app": "web"})
    first = layer([node("n0"), node("n1"), A], there, one("b", "a", 1, spec={"affinity": affinity}))
    assert alone(first, "b").bound == {"b-0": "n1"}


def test_pods_without_gpus_go_to_nodes_without() -> None:
    first = layer([node("n0"), node("n1", 0), A], one("b", "a", 0))
    assert alone(first, "b").bound == {"b-0": "n1"}


def test_a_shared_gpu_is_taken_before_an_idle_one() -> None:
    first = layer([node("n0"), node("n1"), A], one("a1", "a", 0.5, "n1", group="g0"), one("b", "a", 0.5))
    found = alone(first, "b")
    assert found.bound == {"b-0": "n1"}


def test_a_pod_larger_than_every_node() -> None:
    first = layer([node("n0", 4), A], one("b", "a", 5))
    assert oversized(first, first.ground.tasks["u-b-0"]) == (2, 4.0)
    assert not alone(first, "b").any


def test_a_limit_holds_where_there_is_room() -> None:
    first = layer([node("n0"), queue("a", 8, limit=1)], one("a1", "a", 1, "n0"), one("b", "a", 1))
    failed = place_job(first, first.view("b"), ("n0",), simulated=False)
    assert isinstance(failed, Failure)
    assert failed.exceeded is not None
    assert failed.exceeded.queue == "a"


def test_what_is_not_decided_is_said() -> None:
    topology = {"topology": "t", "requiredTopologyLevel": "rack"}
    first = layer([node("n0"), A], job("b", "a", pod("b", 0, 1), topologyConstraint=topology))
    with pytest.raises(UnmodelledError, match="topology"):
        alone(first, "b")
    sliced = node("n0")
    sliced["status"]["allocatable"]["nvidia.com/mig-1g.5gb"] = "2"
    with pytest.raises(UnmodelledError, match="MIG"):
        alone(layer([sliced, A], one("b", "a", 1)), "b")


def test_a_bind_request_holds_the_shared_gpu_that_it_has_chosen() -> None:
    spec = {"podName": "x-0", "selectedNode": "n0", "selectedGPUGroups": ["g0"], "receivedResourceType": "Fraction"}
    metadata = {"name": "x-0", "namespace": "team"}
    bind = {"apiVersion": "scheduling.run.ai/v1alpha2", "kind": "BindRequest", "metadata": metadata, "spec": spec}
    asking = one("b", "a", 1)
    assert alone(layer([node("n0", 1), A, bind], one("x", "a", 0.5), asking), "b").bound == {}
    assert alone(layer([node("n0", 1), A], one("x", "a", 0.5), asking), "b").bound == {"b-0": "n0"}
    half = alone(layer([node("n0", 1), A, bind], one("x", "a", 0.5), one("b", "a", 0.5)), "b")
    assert half.bound == {"b-0": "n0"}


def test_ports_of_sidecars_and_of_the_network_of_nodes_are_taken() -> None:
    port = [{"containerPort": 80, "hostPort": 80}]
    sidecar = {"initContainers": [{"name": "s", "restartPolicy": "Always", "ports": port}]}
    first = {"initContainers": [{"name": "s", "ports": port}]}
    web = {"containers": [{"name": "m", "ports": [{"containerPort": 80}]}], "hostNetwork": True}
    for there, here, node_of_b in ((sidecar, sidecar, "n1"), (sidecar, first, "n0"), (web, sidecar, "n1")):
        running = one("a1", "a", 0, "n0", spec=there)
        asking = one("b", "a", 0, spec=here)
        assert alone(layer([node("n0", 0), node("n1", 0), A], running, asking), "b").bound == {"b-0": node_of_b}


def test_how_long_taints_are_tolerated_makes_no_pod_harder_to_place() -> None:
    tolerated = {"key": "k", "operator": "Exists", "effect": "NoExecute"}
    jobs = (one(f"b{i}", "a", 1, spec={"tolerations": [tolerated | {"tolerationSeconds": i}]}) for i in range(2))
    tasks = layer([node("n0"), A], *jobs).ground.tasks
    assert tasks["u-b0-0"].signature == tasks["u-b1-0"].signature
