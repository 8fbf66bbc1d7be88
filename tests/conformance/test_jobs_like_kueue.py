"""Jobs become the Workloads that a living Kueue v0.19.2 made of them.

``kueue-living.jsonl.gz`` holds dumps of a cluster: every Workload there derives from a Job of the same
dump. ``kueue-requests.jsonl.gz`` holds random Workloads with LimitRanges, RuntimeClasses, exclusions and
transformations, and what Kueue's own code charged for them or said against them.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.quantity import amount
from kubectl_fairshare.schedulers.kueue.jobs import Context, pending_of
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration, Transformation
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message
from tests.unit.schedulers.kueue.jobs.contexts import context_of
from tests.unit.schedulers.kueue.jobs.scenario import manifest

FOLDER = Path(__file__).resolve().parents[2] / "testdata" / "conformance"


def recorded(name: str) -> list[dict[str, Any]]:
    with gzip.open(FOLDER / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


LIVING = recorded("kueue-living.jsonl.gz")


def of_kind(dump: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [o for o in dump["objects"] if o["kind"] == kind]


def surroundings(dump: dict[str, Any]) -> Context:
    values = {c["metadata"]["name"]: c["value"] for c in of_kind(dump, "WorkloadPriorityClass")}
    return context_of(map(manifest, dump["objects"]), Configuration(), values)


def owned(dump: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every Job with the Workload that Kueue made of it."""
    jobs = {job["metadata"]["uid"]: job for job in of_kind(dump, "Job")}
    for workload in of_kind(dump, "Workload"):
        yield jobs[workload["metadata"]["ownerReferences"][0]["uid"]], workload


def shape(pod_set: PodSet) -> tuple[Any, ...]:
    """All that a pod set asks for, but for the nodes: Kueue writes those of the flavor into a job that it starts."""
    return pod_set.name, pod_set.count, pod_set.min_count, pod_set.requests, pod_set.affinity, pod_set.tolerations


@pytest.mark.parametrize("dump", LIVING, ids=lambda dump: dump["name"])
def test_a_job_becomes_the_workload_that_kueue_made(dump: dict[str, Any]) -> None:
    context = surroundings(dump)
    for job, workload in owned(dump):
        ours, kueues = pending_of(manifest(job), context), pending_of(manifest(workload), context)
        assert (ours.key, ours.local_queue, ours.priority) == (kueues.key, kueues.local_queue, kueues.priority)
        assert list(map(shape, ours.pod_sets)) == list(map(shape, kueues.pod_sets))
        if job["spec"]["suspend"]:
            assert [s.node_selector for s in ours.pod_sets] == [s.node_selector for s in kueues.pod_sets]
        assert (ours.unmodelled, ours.refusal) == ((), None)


def charged(pod_set: PodSet, count: int) -> dict[str, int]:
    return {resource: min(value * count, UNLIMITED) for resource, value in pod_set.requests.items()}


def amounts(quantities: dict[str, str]) -> dict[str, int]:
    return {resource: amount(resource, text) for resource, text in quantities.items()}


@pytest.mark.parametrize("dump", LIVING, ids=lambda dump: dump["name"])
def test_a_workload_asks_for_what_kueue_charged(dump: dict[str, Any]) -> None:
    context = surroundings(dump)
    for workload in of_kind(dump, "Workload"):
        pod_sets = {s.name: s for s in pending_of(manifest(workload), context).pod_sets}
        for entry in workload["status"].get("resourceRequests", []):
            pod_set = pod_sets[entry["name"]]
            assert charged(pod_set, pod_set.count) == amounts(entry["resources"])
        for entry in workload["status"].get("admission", {}).get("podSetAssignments", []):
            assert charged(pod_sets[entry["name"]], entry["count"]) == amounts(entry["resourceUsage"])


def test_the_dumps_hold_both_waiting_and_admitted_workloads() -> None:
    workloads = [w for dump in LIVING for w in of_kind(dump, "Workload")]
    assert sum("resourceRequests" in w["status"] for w in workloads) > 20
    assert sum("admission" in w["status"] for w in workloads) > 100


def configuration(case: dict[str, Any]) -> Configuration:
    rules = (
        Transformation(t["input"], t["strategy"], t.get("outputs", {}), t.get("multiplyBy"))
        for t in case["transformations"]
    )
    return Configuration(excluded_prefixes=tuple(case["excluded"]), transformations=tuple(rules))


@pytest.mark.parametrize("case", recorded("kueue-requests.jsonl.gz"), ids=lambda case: case["name"])
def test_requests_and_refusals_are_kueues(case: dict[str, Any]) -> None:
    given = map(manifest, case["limitRanges"] + case["runtimeClasses"])
    pending = pending_of(manifest(case["workload"]), context_of(given, configuration(case), {}))
    left = [max(0, s.count - s.reclaimable) for s in pending.pod_sets]
    ours = [charged(s, n) for s, n in zip(pending.pod_sets, left, strict=True)]
    assert ours == case["expected"]["requests"]
    assert (refusal_message(pending.refusal) if pending.refusal else "") == case["expected"]["message"]
