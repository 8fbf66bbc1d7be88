from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from tests.unit.schedulers.kueue.jobs.contexts import context_of
from tests.unit.schedulers.kueue.jobs.scenario import manifest


def limit_range(name: str, maximum: object) -> dict[str, Any]:
    spec = {"limits": [{"type": "Container", "max": {"cpu": maximum}}]}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": name, "namespace": "team"}, "spec": spec}


BROKEN = [
    limit_range("a", "one"),
    limit_range("b", "1"),
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team", "labels": {"a": 1}}},
    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "p"}, "value": "high"},
    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "q"}, "globalDefault": "x"},
    {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "r"}, "overhead": [1]},
    {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": [1]},
]


def test_every_field_that_cannot_be_read_is_reported() -> None:
    with pytest.raises(FairshareError) as caught:
        context_of([manifest(m) for m in BROKEN], Configuration(), {})
    assert sorted((str(p.place), p.message) for p in caught.value.problems) == [
        ("LimitRange team/a spec.limits[0].max.cpu", "`one` is not a quantity"),
        ("Namespace team metadata.labels.a", "`metadata.labels.a` must be a string, not `1`"),
        ("PriorityClass p value", "`value` must be a whole number of 32 bits, not `high`"),
        ("PriorityClass q globalDefault", "`globalDefault` must be true or false, not `x`"),
        ("RuntimeClass r overhead", "`overhead` must be an object, not a list"),
    ]


def test_the_order_of_manifests_changes_nothing() -> None:
    manifests = [manifest(limit_range(name, maximum)) for name, maximum in (("a", "2"), ("b", "1"), ("c", "3"))]
    assert context_of(manifests, Configuration(), {}) == context_of(manifests[::-1], Configuration(), {})
