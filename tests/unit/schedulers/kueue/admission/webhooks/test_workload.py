"""Kueue's webhook for Workloads."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.webhooks.workload import causes, warnings

RESERVED = {"conditions": [{"type": "QuotaReserved", "status": "True", "reason": "x", "lastTransitionTime": "x"}]}
ADMISSION = {"clusterQueue": "q", "podSetAssignments": [{"name": "main", "count": 2}]}


def pod_set(name: str = "main", count: int = 2, **more: Any) -> dict[str, Any]:
    return {"name": name, "count": count, "template": {"spec": {}}, **more}


def workload(*pod_sets: Any, status: Any = None, **annotations: str) -> dict[str, Any]:
    sets = list(pod_sets or [pod_set()])
    return {"metadata": {"annotations": annotations}, "spec": {"podSets": sets}, "status": status or {}}


def requests(**amounts: str) -> dict[str, Any]:
    return {"spec": {"containers": [{"resources": {"requests": amounts}}]}}


def fields(new: Any, old: Any = None) -> list[str]:
    return [cause.field for cause in causes(new, old)]


@pytest.mark.parametrize(
    ("pod_sets", "complained"),
    [
        ([pod_set(minCount=1)], []),
        ([pod_set(minCount=1), pod_set("b", minCount=1)], ["spec.podSets"]),
        ([pod_set(template=requests(cpu="1"))], []),
        (
            [pod_set(template=requests(cpu="-1", pods="1"))],
            [f"spec.podSets[0].template.spec.containers[0].resources.requests[{name}]" for name in ("cpu", "pods")],
        ),
        ([pod_set(topologyRequest={"podSetSliceSize": 2})], ["spec.podSets[0].topologyRequest.podSetSliceSize"]),
        ([pod_set(template={"metadata": {"labels": {"a": "?"}}})], ["spec.podSets[0].template.metadata.labels"]),
    ],
)
def test_pod_sets(pod_sets: list[Any], complained: list[str]) -> None:
    assert fields(workload(*pod_sets)) == complained


def test_a_negative_group_count_is_only_warned_about() -> None:
    odd = workload(pod_set(topologyRequest={"subGroupCount": -1}))
    assert fields(odd) == []
    assert [text.partition(":")[0] for text in warnings(odd)] == ["spec.podSets[0].topologyRequest.subGroupCount"]


def test_pod_sets_stay_while_quota_is_reserved_but_may_shrink() -> None:
    status = {**RESERVED, "admission": ADMISSION}
    old = workload(pod_set(count=2), status=status)
    assert fields(workload(pod_set(count=1), status=status), old) == []
    assert fields(workload(pod_set(count=3), status=status), old) == ["spec.podSets.0"]
    assert fields(workload(pod_set(), pod_set("b"), status=status), old) == ["spec.podSets"]
    assert fields(workload(pod_set(count=3)), workload(pod_set(count=2))) == []
