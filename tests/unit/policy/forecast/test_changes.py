"""What would bring a job forward: each change that is listed does so when it is made in the objects."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.answers.forecast import Forecast, ForecastVerdict, TriedChanges
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.changes import FEW_PLAYS, with_changes
from kubectl_fairshare.policy.forecast.durations import DurationOptions
from kubectl_fairshare.policy.forecast.plays import ForecastTerms, forecast
from kubectl_fairshare.policy.simulation.parameters import NamedSpan
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation import test_quotas as quota_states
from tests.unit.policy.simulation import test_sessions as session_states
from tests.unit.policy.simulation.states import SECOND, snapshot_of
from tests.unit.schedulers.koordinator import test_motion as runtime_states

NOW = 1_772_442_000 * SECOND
TERMS = ForecastTerms(NOW, durations=DurationOptions((NamedSpan("*", 3600 * SECOND),)))
Objects = list[dict[str, Any]]
ELASTIC = "".join(quota_states.TWO) + quota_states.NODE
RUNTIME = runtime_states.TWO + runtime_states.NODE
KAI = session_states.TWO + session_states._NODE


def cluster_queue(name: str, quota: int) -> dict[str, Any]:
    group = {
        "coveredResources": ["nvidia.com/gpu"],
        "flavors": [{"name": "a100", "resources": [{"name": "nvidia.com/gpu", "nominalQuota": quota}]}],
    }
    preemption = {"withinClusterQueue": "LowerPriority"}
    spec = {"namespaceSelector": {}, "preemption": preemption, "resourceGroups": [group]}
    return kueue("ClusterQueue", {"name": name}, spec=spec)


def kueue(kind: str, metadata: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": metadata, **rest}


def workload(name: str, queue: str, count: int, priority: int, runs: str = "") -> dict[str, Any]:
    template = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"nvidia.com/gpu": "1"}}}]}}
    pods = {"name": "main", "count": count, "template": template}
    metadata = {"name": name, "namespace": "team", "uid": name, "creationTimestamp": "2026-03-02T08:30:00Z"}
    assigned = {"name": "main", "count": count, "flavors": {"nvidia.com/gpu": "a100"}}
    assigned |= {"resourceUsage": {"nvidia.com/gpu": str(count)}}
    at = {"status": "True", "reason": "R", "message": "", "lastTransitionTime": "2026-03-02T08:40:00Z"}
    conditions = [{"type": kind, **at} for kind in ("QuotaReserved", "Admitted", "PodsReady")]
    status = {"admission": {"clusterQueue": runs, "podSetAssignments": [assigned]}, "conditions": conditions}
    spec = {"queueName": queue, "priority": priority, "podSets": [pods]}
    return kueue("Workload", metadata, spec=spec, status=status if runs else {})


def state() -> Objects:
    """``busy`` is full; ``asked`` waits for all of it behind ``first``. ``idle`` has room for a part of it."""
    return [
        kueue("ResourceFlavor", {"name": "a100"}),
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}},
        cluster_queue("busy", 8),
        cluster_queue("idle", 8),
        *(kueue("LocalQueue", {"name": n, "namespace": "team"}, spec={"clusterQueue": n}) for n in ("busy", "idle")),
        kueue("WorkloadPriorityClass", {"name": "high"}, value=100),
        workload("holds", "busy", 4, 10, runs="busy"),
        workload("small", "busy", 2, 10, runs="busy"),
        workload("holds-idle", "idle", 1, 10, runs="idle"),
        workload("first", "busy", 8, 10),
        workload("asked", "busy", 4, 0),
    ]


def asked(folder: Path, objects: Objects, terms: ForecastTerms = TERMS) -> Forecast:
    house = scheduler_named("kueue")
    snapshot = snapshot_of(folder, "\n---\n".join(map(yaml.safe_dump, objects)))
    work = house.adoption(snapshot, NOW)
    found = forecast(house, snapshot, work, terms, ("team/asked",))
    return with_changes(house, snapshot, work, terms, found)


def changes(found: Forecast) -> TriedChanges:
    (each,) = found.waiting
    assert each.changes is not None
    return each.changes


def fewer_pods(objects: Objects, count: int) -> None:
    objects[-1]["spec"]["podSets"][0]["count"] = count


def other_queue(objects: Objects, name: str) -> None:
    objects[-1]["spec"]["queueName"] = name


def higher_priority(objects: Objects, value: int) -> None:
    objects[-1]["spec"]["priority"] = value


MADE: dict[str, Callable[[Objects], None]] = {
    "count 4 → 2": lambda objects: fewer_pods(objects, 2),
    "LocalQueue busy → idle": lambda objects: other_queue(objects, "idle"),
    "priority 0 → 100 (class high)": lambda objects: higher_priority(objects, 100),
}


def test_what_is_listed_brings_the_job_forward_when_it_is_made_in_the_objects(tmp_path: Path) -> None:
    found = asked(tmp_path, state())
    (before,) = found.waiting
    tried = changes(found)
    assert tried.helping
    for each in tried.helping:
        assert each.starts.median is not None
        assert before.starts.median is not None
        assert each.starts.median < before.starts.median
        if each.change in MADE:
            objects = state()
            MADE[each.change](objects)
            (after,) = asked(tmp_path, objects).waiting
            assert (each.verdict, each.starts) == (after.verdict, after.starts), each.change
    assert {each.change for each in tried.helping} & MADE.keys()


def test_a_quota_that_an_admin_raises_is_played_as_it_is_written(tmp_path: Path) -> None:
    tried = changes(asked(tmp_path, state()))
    (raised,) = (each for each in tried.helping if each.maker is Maker.ADMIN)
    clause, _, amounts = raised.change.rpartition(" in a100 ")
    assert clause == "nominalQuota of ClusterQueue busy for nvidia.com/gpu"
    objects = state()
    objects[2] = cluster_queue("busy", int(amounts.split()[-1]))
    (after,) = asked(tmp_path, objects).waiting
    assert after.starts == raised.starts


def test_a_change_that_does_not_help_is_tried_and_not_listed(tmp_path: Path) -> None:
    objects = state()
    objects[3] = cluster_queue("idle", 1)
    tried = changes(asked(tmp_path, objects))
    assert tried.tried > len(tried.helping)
    assert "LocalQueue busy → idle" not in {each.change for each in tried.helping}


def test_a_job_that_starts_now_needs_no_change_and_one_without_a_name_none(tmp_path: Path) -> None:
    objects = [each for each in state() if each["metadata"]["name"] not in {"holds", "small", "first"}]
    (free,) = asked(tmp_path, objects).waiting
    assert (free.verdict, free.starts.late, free.changes) == (ForecastVerdict.STARTS, NOW, None)
    house = scheduler_named("kueue")
    snapshot = snapshot_of(tmp_path, "\n---\n".join(map(yaml.safe_dump, state())))
    work = house.adoption(snapshot, NOW)
    found = forecast(house, snapshot, work, TERMS)
    assert with_changes(house, snapshot, work, TERMS, found) == found


def test_one_that_never_starts_may_start_with_a_change(tmp_path: Path) -> None:
    objects = state()
    fewer_pods(objects, 12)
    found = asked(tmp_path, objects)
    assert found.waiting[0].verdict is ForecastVerdict.NO_START
    tried = changes(found)
    assert "count 12 → 6" in {each.change for each in tried.helping}
    assert all(each.verdict is ForecastVerdict.STARTS for each in tried.helping)


def test_few_plays_are_made_of_each_and_their_number_is_said(tmp_path: Path) -> None:
    tried = changes(asked(tmp_path, state()))
    assert (tried.plays, tried.tried <= 6) == (FEW_PLAYS, True)
    assert changes(asked(tmp_path, state(), replace(TERMS, plays=1))).plays == 1


def pod(house: str, name: str, gpus: int, job: str = "", *, runs: bool = False) -> dict[str, Any]:
    """A pod of the queue or quota ``a``, which runs on the node or waits; of a Job, if it has one."""
    space = {"elasticquota": "a", "koordinator": "ml", "kai": "team"}[house]
    labels = {"koordinator": {"quota.scheduling.koordinator.sh/name": "a"}, "kai": {"kai.scheduler/queue": "vision"}}
    owner: dict[str, Any] = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": job,
        "uid": f"u-{job}",
        "controller": True,
    }
    requests = {"cpu": str(gpus)} if house == "koordinator" else {"cpu": "1", "nvidia.com/gpu": str(gpus)}
    metadata: dict[str, Any] = {"namespace": space, "name": name, "uid": f"u-{name}", "labels": labels.get(house, {})}
    metadata |= {"creationTimestamp": "2026-03-02T08:30:00Z", "ownerReferences": [owner] if job else []}
    metadata |= {"annotations": {"pod-group-name": job or name}} if house == "kai" else {}
    scheduler = {"elasticquota": "default-scheduler", "koordinator": "koord-scheduler", "kai": "kai-scheduler"}[house]
    spec: dict[str, Any] = {"schedulerName": scheduler, "priority": 0, **({"nodeName": "n1"} if runs else {})}
    spec["containers"] = [{"name": "c", "image": "i", "resources": {"requests": requests, "limits": requests}}]
    status = {"phase": "Running", "startTime": "2026-03-02T08:40:00Z"} if runs else {"phase": "Pending"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def pod_group(name: str, pods: int) -> dict[str, Any]:
    metadata = {"namespace": "team", "name": name, "creationTimestamp": "2026-03-02T08:30:00Z"}
    spec = {"queue": "vision", "minMember": pods, "priorityClassName": "low"}
    return {"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize("house", ["elasticquota", "koordinator", "kai"])
def test_every_scheduler_tries_fewer_pods_and_the_next_priority_class(house: str, tmp_path: Path) -> None:
    """A Job of two pods waits for a node on which there is room for one of them."""
    policy = {"elasticquota": ELASTIC, "koordinator": RUNTIME, "kai": KAI}[house]
    classes: Objects = [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}
        for name, value in (("low", 0), ("high", 70))
    ]
    pods = [pod(house, "holds", 5, runs=True), pod(house, "w-0", 2, "wide"), pod(house, "w-1", 2, "wide")]
    space = pods[1]["metadata"]["namespace"]
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"namespace": space, "name": "wide", "uid": "u-wide"}}
    groups = [pod_group("holds", 1), pod_group("wide", 2)] if house == "kai" else []
    objects = [*classes, *pods, job, *groups]
    snapshot = snapshot_of(tmp_path, policy + "".join(f"\n---\n{json.dumps(each)}" for each in objects))
    scheduler = scheduler_named(house)
    work = scheduler.adoption(snapshot, NOW)
    (name,) = (each.job.key for each in work.jobs if not each.runs)
    found = with_changes(scheduler, snapshot, work, TERMS, forecast(scheduler, snapshot, work, TERMS, (name,)))
    assert found.waiting[0].starts.median == NOW + 2400 * SECOND, "once the pod that runs has ended"
    tried = changes(found)
    assert tried.tried == 2
    assert [each.change for each in tried.helping] == ["count 2 → 1", "priority 0 → 70 (class high)"]
    assert all((each.starts.median or 0) <= NOW + SECOND for each in tried.helping), "at once, or after its victims"
