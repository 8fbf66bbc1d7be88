"""ResourceQuotas that keep made-up pods from being created: by requests alone, as far as these decide."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.jobs.resource_quotas import CreationQuota, QuotaScope
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kubescheduler.bounds import PodBounds, pod_bounds
from tests.screens import Screen
from tests.unit.cli.commands.test_new_pods import OF_PODS, asking_pod

Run = Callable[[str], Screen]
ONE = 10**9
CPU = {"cpu": ONE}
OTHERS = [CPU, CPU]


def bounds(hard: dict[str, int], used: dict[str, int] | None = None, *scopes: QuotaScope) -> PodBounds:
    amounts = {name: value * ONE // 1000 for name, value in hard.items()}
    stated = {name: value * ONE // 1000 for name, value in (used or {}).items()}
    key = ObjectKey("", "ResourceQuota", "a", "hard")
    return pod_bounds([CreationQuota(key, ("spec", "hard"), amounts, amounts, stated, scopes)])


# Kubernetes' ResourceQuota: waiting pods count like running ones, and an equal sum still fits.
@pytest.mark.parametrize(
    ("hard", "expected"),
    [
        ({"requests.cpu": 3000}, []),
        ({"requests.cpu": 2900}, [("requests.cpu", ONE, 2 * ONE, False)]),
        ({"cpu": 500}, [("cpu", ONE, 2 * ONE, True)]),
        ({"pods": 2000, "services": 0}, [("pods", ONE, 2 * ONE, False)]),
        ({"count/pods": 2000}, [("count/pods", ONE, 2 * ONE, False)]),
        ({"requests.nvidia.com/gpu": 0}, []),
    ],
)
def test_a_pod_above_a_bound_is_not_created(hard: dict[str, int], expected: list[tuple[str, int, int, bool]]) -> None:
    found = bounds(hard).refusals("a", CPU, OTHERS)
    assert [(each.name, each.wanted, each.used, each.is_final) for each in found] == expected
    assert not bounds(hard).refusals("b", CPU, OTHERS)


@pytest.mark.parametrize(
    ("hard", "scopes", "undecided"),
    [
        ({"requests.cpu": 3000, "services": 0, "requests.storage": 0}, (), []),
        ({"limits.cpu": 3000, "cpu": 3000}, (), ["limits.cpu"]),
        ({"cpu": 3000, "services": 0}, (QuotaScope("BestEffort"),), ["cpu"]),
    ],
)
def test_bounds_that_requests_do_not_decide_are_named(
    hard: dict[str, int], scopes: tuple[QuotaScope, ...], undecided: list[str]
) -> None:
    found = bounds(hard, None, *scopes).gaps("a")
    assert [str(place.path[-1]) for gap in found for place in gap.places] == undecided
    assert not (scopes and bounds({"cpu": 0}, None, *scopes).refusals("a", CPU, OTHERS))


def test_a_status_that_counts_other_pods_is_in_doubt_while_there_are_pods() -> None:
    stated = bounds({"pods": 9000, "cpu": 9000}, {"pods": 3000, "cpu": 2000})
    found = stated.compared([("a", CPU), ("a", CPU), ("b", CPU)])
    assert [str(place.path[-1]) for gap in found.gaps("a") for place in gap.places] == ["pods"]
    assert not found.idle().gaps("a")
    assert not stated.compared([("a", CPU), ("a", {"cpu": ONE // 2}), ("a", {"cpu": ONE // 2})]).gaps("a")


@pytest.mark.parametrize(("hard", "number"), [({"pods": 5000}, 3), ({"cpu": 4500}, 2), ({"services": 0}, 9)])
def test_copies_are_created_one_after_another(hard: dict[str, int], number: int) -> None:
    assert bounds(hard).copies("a", CPU, OTHERS, 9) == number


def state(house: str, hard: dict[str, str], used: dict[str, str] | None = None) -> list[Any]:
    """A quota and a node of 4 cpu, on which a pod of 1 runs, and a ResourceQuota."""
    group, scheduler, _ = OF_PODS[house]
    spec = {"min": {"cpu": 4}, "max": {"cpu": 4}}
    quota = {"apiVersion": f"{group}/v1alpha1", "kind": "ElasticQuota", "spec": spec}
    room = {"cpu": "4", "memory": "8Gi", "pods": "9"}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": room}}
    running = asking_pod("runs", scheduler)
    running["spec"]["nodeName"] = "n"
    tight: dict[str, Any] = {"apiVersion": "v1", "kind": "ResourceQuota", "spec": {"hard": hard}}
    if used is not None:
        tight["status"] = {"hard": hard, "used": used}
    named = [{**each, "metadata": {"name": "team", "namespace": "team"}} for each in (quota, tight)]
    return [*named, node, running]


@pytest.mark.parametrize("house", OF_PODS)
@pytest.mark.parametrize(
    ("hard", "used", "copies"),
    [
        ({"services": "0"}, None, 3),
        ({"count/pods": "1"}, None, 0),
        ({"pods": "3"}, None, 2),
        ({"requests.cpu": "2"}, None, 1),
        ({"requests.cpu": "2"}, {"requests.cpu": "1"}, 1),
        ({"pods": "10"}, {"pods": "10"}, None),
        ({"limits.cpu": "9"}, None, None),
    ],
)
def test_capacity_counts_what_plan_lets_be_created(
    run: Run, tmp_path: Path, house: str, hard: dict[str, str], used: dict[str, str] | None, copies: int | None
) -> None:
    path = tmp_path / "state.json"
    content = {"apiVersion": "v1", "kind": "List", "items": state(house, hard, used)}
    path.write_text(json.dumps(content), encoding="utf-8")
    document = json.loads(run(f"kubectl-fairshare capacity -f {path} --complete -o json").stdout)
    (found,) = document["queues"]
    assert document["fidelity"]["exact"] is (copies is not None)
    assert copies in (found["copies"], None)
    call = f"kubectl-fairshare plan -f {path} --complete -n team --request cpu="
    for size in (1, 2) if copies is not None else ():
        outcome = json.loads(run(f"{call}{size} -o json").stdout)["outcome"]
        assert (outcome == "Admitted") is (size * 1000 <= found["now"]["size"]["value"])
