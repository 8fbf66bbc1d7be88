"""No answer is exact where a field that is not modelled can change it.

On recorded cases a field of a pod that is a gap takes ``exact`` from every placement, and one of no account changes
nothing (``pod_fields``).
"""

import copy
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.conformance.run import cases
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.conformance.decisions import whole_objects
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.property.exact.pod_fields import GAPS, IDLE, REQUIRED

ROOT = Path(__file__).resolve().parents[3]
RECORDED = ROOT / "testdata" / "conformance" / "elasticquota.jsonl.gz"
KNOWN = known_schedulers()
RemedyChange = Callable[[list[Any], Any], None]


@cache
def recorded() -> list[Any]:
    return list(cases(RECORDED))


def planned(case: Any, change: RemedyChange | None = None) -> Plan:
    """The plan of the pod that a case asks about, once ``change`` has been made to its objects and to the pod."""
    objects = copy.deepcopy(whole_objects(case))
    if change is not None:
        change(objects, next(o for o in objects if o["kind"] == "Pod" and named(o) == case["pending"]))
    state = assemble(manifests_of(objects, case["name"]), KNOWN).snapshot.part(ElasticQuotaState)
    return plan(state_of(state), next(p for p in state.pods if p.name == case["pending"]), None)


def named(of: Any) -> str:
    return f"{of['metadata']['namespace']}/{of['metadata']['name']}"


def placed(step: int) -> Iterator[Any]:
    """Every ``step``-th recorded case in which the pod gets a node, for sure."""
    for case in recorded()[::step]:
        found = planned(case)
        if found.outcome in (Outcome.ADMITTED, Outcome.PREEMPTS):
            yield case


def field(name: str, value: Any) -> RemedyChange:
    def change(_: list[Any], pod: Any) -> None:
        ports = {"ports": [{"containerPort": 80}]} if name == "hostNetwork" else {}
        pod["spec"]["containers"] = [{**container, **ports} for container in pod["spec"]["containers"]]
        pod["spec"][name] = value

    return change


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in GAPS.items() for value in values])
def test_a_field_that_is_not_modelled_takes_exact_from_every_placement(name: str, value: Any) -> None:
    for case in placed(97):
        assert planned(case, field(name, value)).outcome is Outcome.UNKNOWN, case["name"]


@pytest.mark.parametrize(("name", "value"), IDLE.items())
def test_a_field_of_no_account_changes_nothing(name: str, value: Any) -> None:
    for case in recorded()[::131]:
        before, after = planned(case), planned(case, field(name, value))
        assert (after.outcome, after.fidelity.gaps) == (before.outcome, before.fidelity.gaps), case["name"]


def a_host_port(_: list[Any], pod: Any) -> None:
    pod["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80}]


def a_deletion(_: list[Any], pod: Any) -> None:
    pod["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"


def a_lonely_pod_on_a_node(objects: list[Any], _: Any) -> None:
    objects.append(lonely(next(o for o in objects if o["kind"] == "Node"), "nodeName"))


def a_lonely_pod_with_a_kept_place(objects: list[Any], _: Any) -> None:
    objects.append(lonely(next(o for o in objects if o["kind"] == "Node"), "nominated"))


def lonely(node: Any, where: str) -> Any:
    """A pod that keeps others off its node, or off the one that is kept for it."""
    spec = {"containers": [{"name": "m"}], "affinity": {"podAntiAffinity": REQUIRED}, "priority": 0}
    status = {"phase": "Pending"}
    name = node["metadata"]["name"]
    spec |= {"nodeName": name} if where == "nodeName" else {}
    status |= {"nominatedNodeName": name} if where != "nodeName" else {}
    metadata = {"name": "lonely", "namespace": "elsewhere", "uid": "lonely", "resourceVersion": "1"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def a_second_plugin(objects: list[Any], pod: Any) -> None:
    plugins = {"multiPoint": {"enabled": [{"name": "CapacityScheduling"}, {"name": "Coscheduling"}]}}
    name = pod["spec"].get("schedulerName", "default-scheduler")
    objects.append(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "metadata": {"name": "c", "resourceVersion": "1"},
            "profiles": [{"schedulerName": name, "plugins": plugins}],
        }
    )


def another_quota(objects: list[Any], pod: Any) -> None:
    namespace = pod["metadata"]["namespace"]
    first = next(
        (o for o in objects if o["kind"] == "ElasticQuota" and o["metadata"]["namespace"] == namespace), objects[0]
    )
    if first["kind"] == "ElasticQuota":
        least = {"cpu": "12345", **(first["spec"].get("min") or {}), "example.com/odd": "1"}
        metadata = {**first["metadata"], "name": "zz-second", "uid": "second"}
        objects.append({**first, "metadata": metadata, "spec": {**first["spec"], "min": least}})


@pytest.mark.parametrize(
    "change", [a_host_port, a_deletion, a_lonely_pod_on_a_node, a_lonely_pod_with_a_kept_place, a_second_plugin]
)
def test_what_stands_elsewhere_takes_exact_from_every_placement_too(change: RemedyChange) -> None:
    for case in placed(97):
        assert planned(case, change).outcome is Outcome.UNKNOWN, case["name"]


def test_a_second_quota_of_a_namespace_takes_exact_from_every_answer() -> None:
    for case in recorded()[::131]:
        seen: list[Any] = []

        def change(objects: list[Any], pod: Any, seen: list[Any] = seen) -> None:
            count = len(objects)
            another_quota(objects, pod)
            seen += objects[count:]

        assert planned(case, change).fidelity.exact is not bool(seen), case["name"]
