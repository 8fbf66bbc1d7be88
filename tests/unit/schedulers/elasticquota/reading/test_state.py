"""ElasticQuotas' part of a snapshot: what is read, and what is refused."""

from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import holding, known_schedulers
from kubectl_fairshare.schedulers.elasticquota.gaps import state_gaps
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from kubectl_fairshare.schedulers.recording import manifests_of

API = "scheduling.x-k8s.io/v1alpha1"


def snapshot(*objects: dict[str, Any]) -> Snapshot:
    return assemble(manifests_of(objects, "test"), known_schedulers()).snapshot


def read(*objects: dict[str, Any]) -> ElasticQuotaState:
    return snapshot(*objects).part(ElasticQuotaState)


def quota(spec: Any, api: str = API, **metadata: Any) -> dict[str, Any]:
    found = {"name": "q", "namespace": "a", **metadata}
    return {"apiVersion": api, "kind": "ElasticQuota", "metadata": found, "spec": spec}


def core(kind: str, name: str, **more: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "a"}, **more}


POD = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}


def test_an_absent_list_is_not_an_empty_one() -> None:
    found = read(quota({"min": {}})).quotas["a"]
    assert (found.min, found.max) == (Vector(), None)
    assert (found.bound("cpu"), found.bound("x.com/y")) == (None, None)


def test_a_label_that_is_no_text_is_refused_and_not_an_empty_quota() -> None:
    with pytest.raises(FairshareError, match=r"metadata\.labels\.a: expected a string"):
        read(quota({"min": {"cpu": 1}}, labels={"a": True}))


def test_a_pod_is_read_only_where_there_is_a_quota() -> None:
    pod = core("Pod", "p", spec=POD)
    assert read(pod).pods == ()
    assert [p.name for p in read(pod, quota({})).pods] == ["a/p"]


def test_the_first_quota_by_name_counts() -> None:
    found = read(quota({"min": {"cpu": 2}}, name="z"), quota({"min": {"cpu": 1}}, name="b"))
    assert found.quotas["a"].key.name == "b"
    assert [q.key.name for q in found.others["a"]] == ["z"]


@pytest.mark.parametrize(
    ("gates", "odd"),
    [
        ("ContextualLogging=true,PodLevelResources=true", []),
        ("PodLevelResources=false", ["PodLevelResources=false"]),
        ("NoSuchGate=true", ["NoSuchGate=true"]),
    ],
)
def test_a_gate_of_the_scheduler_that_can_touch_a_decision_is_a_gap(gates: str, odd: list[str]) -> None:
    container = {
        "name": "c",
        "image": "kube-scheduler:v0.34.7",
        "command": ["kube-scheduler", "--feature-gates", gates],
    }
    spec = {"template": {"spec": {"containers": [container]}}}
    made: dict[str, Any] = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
    made["metadata"] = {"name": "scheduler-plugins-scheduler", "namespace": "s"}
    found = read(quota({"min": {"cpu": 1}}), made)
    assert list(found.odd_gates) == odd
    assert [gap.subject for gap in state_gaps(state_of(found)).gaps if gap.feature == "FeatureGate"] == odd


def test_koordinators_quota_is_not_capacity_schedulings() -> None:
    foreign = quota({"min": {"cpu": 1}}, "scheduling.sigs.k8s.io/v1alpha1")
    found = snapshot(foreign)
    assert found.part(ElasticQuotaState).quotas == {}
    assert [each.name for each in holding(found)] == ["koordinator"]
    assert {each.name for each in holding(snapshot(foreign, quota({})))} == {"elasticquota", "koordinator"}


@pytest.mark.parametrize(
    ("tag", "odd"), [("v0.34.7", ""), ("v0.29.7", "v0.29.7"), ("v0.36.1", "v0.36.1"), ("latest", "")]
)
def test_the_release_is_that_of_the_deployment_among_the_files(tag: str, odd: str) -> None:
    container = {"name": "s", "image": f"registry.k8s.io/scheduler-plugins/kube-scheduler:{tag}"}
    spec = {"template": {"spec": {"containers": [container]}}}
    made = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
    made["metadata"] = {"name": "scheduler-plugins-scheduler", "namespace": "scheduler-plugins"}
    found = snapshot(quota({}), made)
    assert found.part(ElasticQuotaState).odd_release == odd
    assert not found.skipped


def test_kueue_is_asked_where_no_quotas_are() -> None:
    assert [each.name for each in holding(Snapshot())] == ["kueue"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"min": {"cpu": 0.5}}, "spec.min.cpu"),
        ({"max": "4"}, "spec.max"),
        ({"min": {"cpu": "x"}}, "spec.min.cpu"),
        ([], "spec"),
    ],
)
def test_a_quota_that_an_api_server_refuses_is_told(spec: Any, message: str) -> None:
    with pytest.raises(FairshareError) as caught:
        read(quota(spec))
    assert all("rejects ElasticQuota a/q" in p.message and message in p.message for p in caught.value.problems)


@pytest.mark.parametrize("part", ["min", "max"])
def test_an_amount_that_only_the_schema_takes_is_told_at_itself(part: str) -> None:
    with pytest.raises(FairshareError) as caught:
        read(quota({part: {"cpu": 1, "memory": "1e1.5", "pods": 3}}))
    (problem,) = caught.value.problems
    assert isinstance(problem.place, Place)
    assert problem.place.path == ("spec", part, "memory")


def test_a_version_that_is_not_served_is_told() -> None:
    with pytest.raises(FairshareError, match=r"does not serve `scheduling\.x-k8s\.io/v1beta1`"):
        read(quota({}, "scheduling.x-k8s.io/v1beta1"))


def test_nothing_is_judged_twice_that_a_server_holds() -> None:
    assert read(quota({"min": {"cpu": 1}}, resourceVersion="7")).quotas["a"].least == Vector(cpu=1000)


def test_a_node_has_its_capacity_where_it_tells_no_more() -> None:
    status = {"capacity": {"cpu": "4"}}
    assert read(quota({}), core("Node", "n", status=status)).nodes["n"].allocatable.cpu == 4000
    both = {**status, "allocatable": {"cpu": "3"}}
    assert read(quota({}), core("Node", "n", status=both)).nodes["n"].allocatable.cpu == 3000


@pytest.mark.parametrize(
    ("more", "scoped"),
    [({}, False), ({"scopes": ["BestEffort"]}, True), ({"scopeSelector": {"matchExpressions": []}}, True)],
)
def test_scopes_of_a_resource_quota_are_seen(more: Any, scoped: bool) -> None:
    (found,) = read(quota({}), core("ResourceQuota", "r", spec={"hard": {"cpu": "4"}, **more})).hards
    assert (dict(found.bounds), found.scoped, found.path) == ({"cpu": "4"}, scoped, ("spec", "hard"))


def test_a_resource_quotas_status_is_what_is_enforced() -> None:
    told = core("ResourceQuota", "r", spec={"hard": {"cpu": "4"}}, status={"hard": {"cpu": "3"}})
    (found,) = read(quota({}), told).hards
    assert (dict(found.bounds), found.path) == ({"cpu": "3"}, ("status", "hard"))


def test_a_budget_is_read_with_its_status() -> None:
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "b", "namespace": "a"},
        "spec": {"selector": {"matchLabels": {"app": "x"}}},
        "status": {"disruptionsAllowed": 2, "disruptedPods": {"gone": "2026-01-01T00:00:00Z"}},
    }
    (found,) = read(quota({}), budget).budgets
    assert (found.allowed, found.disrupted) == (2, frozenset({"gone"}))


@pytest.mark.parametrize(
    "broken",
    [
        core("Node", "n", status={"allocatable": {"cpu": "x"}}),
        core("Node", "n", spec={"taints": "x"}),
        core("ResourceQuota", "r", spec={"hard": {"cpu": "x"}}),
        core("Pod", "p", spec={"containers": [{"resources": {"requests": "x"}}]}),
    ],
)
def test_what_cannot_be_read_is_a_problem_with_its_object(broken: dict[str, Any]) -> None:
    with pytest.raises(FairshareError) as caught:
        read(quota({}), broken)
    assert [problem.place is not None for problem in caught.value.problems] == [True]


def test_kinds_that_answers_rest_on_are_not_skipped() -> None:
    objects = (core("Pod", "p", spec=POD), core("Node", "n"), core("ConfigMap", "c"))
    assert snapshot(quota({}), *objects).skipped == {"v1 ConfigMap": 1}
    assert snapshot(*objects).skipped == {"v1 ConfigMap": 1, "v1 Node": 1, "v1 Pod": 1}
