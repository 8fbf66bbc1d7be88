"""Workloads that are read together come out as each alone, however alike their pods are."""

from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers.kueue.jobs import pending_of
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.pending import AlikePods
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from tests.unit.schedulers.kueue.jobs.contexts import context_of
from tests.unit.schedulers.kueue.jobs.scenario import manifest

ANY_CPU: Any = "2"


def workload(name: str, cpu: Any = ANY_CPU, namespace: str = "team", **spec: Any) -> dict[str, Any]:
    pods = {"containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}], **spec}
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"queueName": "q", "podSets": [{"name": "main", "count": 3, "template": {"spec": pods}}]},
    }


def with_reclaimable(data: dict[str, Any], count: int) -> dict[str, Any]:
    return {**data, "status": {"reclaimablePods": [{"name": "main", "count": count}]}}


def limit_range(namespace: str, maximum: str) -> dict[str, Any]:
    spec = {"limits": [{"type": "Container", "min": {"cpu": "1m"}, "max": {"cpu": maximum}}]}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "l", "namespace": namespace}, "spec": spec}


def context(*others: dict[str, Any]) -> Context:
    return context_of([manifest(each) for each in others], Configuration(), {})


def each_alone_and_together(found: Context, *given: dict[str, Any]) -> tuple[list[Pending], list[Pending]]:
    alike = AlikePods(found)
    alone = [pending_of(manifest(each), found) for each in given]
    return alone, [pending_of(manifest(each), found, alike) for each in given]


@pytest.mark.parametrize(
    "given",
    [
        (workload("a"), workload("b"), workload("c", "3")),
        (workload("a"), with_reclaimable(workload("b"), 1), with_reclaimable(workload("c"), 2), workload("d")),
        (workload("a", "7", "other"), workload("b", "7"), workload("c", "7", "other"), workload("d", "7")),
        (workload("a", runtimeClassName="kata"), workload("b", runtimeClassName="kata")),
        (workload("a", 2), workload("b", "2"), workload("c", None), workload("d", None)),
    ],
    ids=["the same pods", "pods that ended", "the limits of two namespaces", "an unknown class", "texts and numbers"],
)
def test_workloads_read_together_are_as_each_alone(given: tuple[dict[str, Any], ...]) -> None:
    alone, together = each_alone_and_together(context(limit_range("team", "4")), *given)
    assert alone == together


def test_the_same_pods_are_kept_once() -> None:
    _, (first, second) = each_alone_and_together(context(), workload("a"), workload("b"))
    assert first.pod_sets[0] is second.pod_sets[0]


def test_a_refusal_names_the_workload_that_it_is_of() -> None:
    found = context(limit_range("team", "1"))
    _, together = each_alone_and_together(found, workload("a"), workload("b"))
    objects = [
        [p.object.name for v in each.refusal.violations for p in v.places[:1]] for each in together if each.refusal
    ]
    assert objects == [["a"], ["b"]]


def test_what_is_no_number_is_not_taken_for_null() -> None:
    found = context()
    alike = AlikePods(found)
    pending_of(manifest(workload("a", None)), found, alike)
    with pytest.raises(FairshareError, match="is not a quantity"):
        pending_of(manifest(workload("b", float("nan"))), found, alike)


def test_many_different_pods_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_fairshare.schedulers.kueue.jobs.pending._MOST_ALIKE", 2)
    found = context()
    alike = AlikePods(found)
    read = [pending_of(manifest(workload("a", str(cpu))), found, alike).pod_sets[0] for cpu in (1, 2, 3, 3, 1)]
    assert [each.requests["cpu"] for each in read] == [1000, 2000, 3000, 3000, 1000]
    assert read[2] is read[3]
    assert read[0] is not read[4]
