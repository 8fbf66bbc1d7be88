"""What a pod costs its quota and what it takes of a node."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.pod_shape import shape_of
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.jobs.amounts import Amounts, amounts_of
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from tests.unit.schedulers.kueue.jobs.contexts import context_of

GPU = "nvidia.com/gpu"


def container(requests: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": "c", **more, "resources": {"requests": requests or {}, **more.get("resources", {})}}


def amounts(spec: dict[str, Any], status: dict[str, Any] | None = None) -> Amounts:
    return amounts_of(shape_of(spec, status or {}, None, (), stored=True))


def cpu(spec: dict[str, Any], status: dict[str, Any] | None = None) -> tuple[int, int]:
    found = amounts(spec, status)
    return found.charge.cpu, found.request.cpu


def test_containers_add_up() -> None:
    assert cpu({"containers": [container({"cpu": "1"}), container({"cpu": "500m"})]}) == (1500, 1500)


def test_each_container_is_rounded_for_the_quota_and_their_sum_for_the_node() -> None:
    assert cpu({"containers": [container({"cpu": "100u"})] * 3}) == (3, 1)


def test_an_init_container_counts_where_it_is_larger() -> None:
    assert cpu({"containers": [container({"cpu": 1})], "initContainers": [container({"cpu": 3})]}) == (3000, 3000)


def test_a_sidecar_is_the_larger_for_the_quota_and_one_more_for_the_node() -> None:
    spec = {"containers": [container({"cpu": 2})], "initContainers": [container({"cpu": 2}, restartPolicy="Always")]}
    assert cpu(spec) == (2000, 4000)


def test_an_init_container_runs_beside_the_sidecars_before_it() -> None:
    init = [container({"cpu": 1}, restartPolicy="Always"), container({"cpu": 4})]
    assert cpu({"containers": [container({"cpu": 1})], "initContainers": init}) == (4000, 5000)


def test_overhead_comes_on_top_and_is_told_apart() -> None:
    found = amounts({"containers": [container({"cpu": 1})], "overhead": {"cpu": "100m"}})
    assert (found.charge.cpu, found.request.cpu, found.bare.cpu) == (1100, 1100, 1000)


def test_pod_level_requests_count_on_the_node_alone() -> None:
    spec = {"containers": [container({"cpu": 1, GPU: 1})], "resources": {"requests": {"cpu": 3, GPU: 9}}}
    found = amounts(spec)
    assert (found.charge.cpu, found.request.cpu) == (1000, 3000)
    assert (found.charge.scalars, found.request.scalars) == ({GPU: 1}, {GPU: 1})


def test_pod_level_limits_stand_in_where_nothing_is_requested() -> None:
    spec = {"containers": [container({"cpu": 1})], "resources": {"limits": {"cpu": 3, "memory": 5}}}
    found = amounts(spec)
    assert (found.request.cpu, found.request.memory, found.charge.memory) == (1000, 5, 0)


def test_a_limit_is_a_request_where_there_is_none() -> None:
    assert cpu({"containers": [container({}, resources={"limits": {"cpu": 2}})]}) == (2000, 2000)


@pytest.mark.parametrize(("infeasible", "node"), [(False, 4000), (True, 3000)])
def test_a_resize_in_place_counts_on_the_node_alone(infeasible: bool, node: int) -> None:
    state = {"name": "c", "resources": {"requests": {"cpu": "3"}}, "allocatedResources": {"cpu": "2"}}
    conditions = [{"type": "PodResizePending", "reason": "Infeasible"}] if infeasible else []
    status = {"containerStatuses": [state], "conditions": conditions}
    assert cpu({"containers": [container({"cpu": "4"})]}, status) == (4000, node)


@pytest.mark.parametrize(("text", "charge", "request_"), [("10E", 0, 0), ("8Ei", LARGEST, LARGEST)])
def test_a_single_amount_that_does_not_fit_is_read_as_its_text(text: str, charge: int, request_: int) -> None:
    found = amounts({"containers": [container({"memory": text})]})
    assert (found.charge.memory, found.request.memory) == (charge, request_)


def test_limit_ranges_complete_a_pod_that_is_new() -> None:
    limits = {"limits": [{"type": "Container", "defaultRequest": {"cpu": "250m"}, "default": {"memory": "1Gi"}}]}
    manifest = Manifest(ObjectKey("", "LimitRange", "a", "l"), "v1", {"spec": limits}, Origin("", 0))
    context: Context = context_of([manifest], Configuration(), {})
    spec = {"containers": [container({"cpu": 1}), container({})]}
    found = amounts_of(shape_of(spec, {}, context.limit_ranges["a"], (), stored=False))
    assert (found.charge.cpu, found.charge.memory) == (1250, 2 << 30)
