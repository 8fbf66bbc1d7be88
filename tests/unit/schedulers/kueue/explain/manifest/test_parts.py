"""The parts of what Kueue charges add up to the requests of the pod sets, for every job of ``testdata/jobs``.

The requests there are those that Kueue computes (``AdjustResources``, ``totalRequestsFromPodSets``).
"""

from typing import Any

import pytest

from kubectl_fairshare.answers.needs import PartKind, PartSource
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.explain.manifest.parts import workload_parts
from kubectl_fairshare.schedulers.kueue.jobs import pending_of
from kubectl_fairshare.schedulers.kueue.jobs.requests import amounts
from kubectl_fairshare.schedulers.kueue.release import release_named
from tests.unit.schedulers.kueue.jobs.scenario import FOLDER, scenarios, surroundings, written

FILES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
CASES = [
    pytest.param(s, id=f"{name}: {s['because']}") for name in FILES for s in scenarios(name) if "error" not in s["then"]
]


@pytest.mark.parametrize("scenario", CASES)
def test_parts_add_up_to_the_requests(scenario: dict[str, Any]) -> None:
    context, manifest = surroundings(scenario), written(scenario["when"])
    pending = pending_of(manifest, context)
    found: dict[str, dict[str, int]] = {}
    for part in workload_parts(manifest, pending, context):
        sums = found.setdefault(part.pods, {})
        sums[part.resource] = sums.get(part.resource, 0) + part.nano
    several = len(pending.pod_sets) > 1
    for pod_set in pending.pod_sets:
        charged = amounts(found.get(pod_set.name if several else "", {}))
        wanted = {r: v for r, v in pod_set.requests.items() if v}
        assert {r: v for r, v in charged.items() if v} == wanted, pod_set.name


CLUSTER = "spec.rayClusterSpec"


def _ray_job(**spec: Any) -> dict[str, Any]:
    head = {"template": {"spec": {"containers": [{"name": "ray", "resources": {"requests": {"cpu": "1"}}}]}}}
    cluster = {"enableInTreeAutoscaling": True, "headGroupSpec": head, **spec.pop("cluster", {})}
    metadata = {"name": "r", "namespace": "team", "labels": {"kueue.x-k8s.io/queue-name": "q"}}
    elastic = {"annotations": {"kueue.x-k8s.io/elastic-job": "true"}}
    job = {"shutdownAfterJobFinishes": True, "rayClusterSpec": cluster, **spec}
    return {"apiVersion": "ray.io/v1", "kind": "RayJob", "metadata": metadata | elastic, "spec": job}


def _added(data: dict[str, Any], given: Any = ()) -> list[tuple[str, str, str, str]]:
    """The parts that no container of the manifest requests: pod set, container, note, field."""
    context = surroundings({"given": given})
    job = written(data)
    found = workload_parts(job, pending_of(job, context), context)
    added = [part for part in found if part.source is PartSource.ADDED and part.resource == "cpu"]
    return [(part.pods, part.name, part.note, field_text(part.place.path)) for part in added]


# KubeRay: BuildAutoscalerContainer, GetDefaultSubmitterTemplate; Kueue's raycluster.PodSets and rayjob.PodSets.
def test_what_kuberay_adds_is_named_with_the_field_that_causes_it() -> None:
    assert _added(_ray_job()) == [
        ("head", "autoscaler", "KubeRay's default for enableInTreeAutoscaling", f"{CLUSTER}.enableInTreeAutoscaling"),
        ("submitter", "ray-job-submitter", "KubeRay's default without submitterPodTemplate", "spec"),
    ]
    sized = _ray_job(
        cluster={"autoscalerOptions": {"resources": {"requests": {"cpu": "2"}}}}, submissionMode="HTTPMode"
    )
    where = f"{CLUSTER}.autoscalerOptions.resources"
    assert _added(sized) == [("", "autoscaler", "autoscalerOptions.resources", where)]
    inside = _ray_job(cluster={"enableInTreeAutoscaling": False}, submissionMode="SidecarMode")
    note = "KubeRay's submitter next to the head"
    assert _added(inside) == [("", "ray-job-submitter", note, "spec.submissionMode")]


def test_the_amounts_of_a_spark_application_are_its_own_fields() -> None:
    metadata = {"name": "s", "namespace": "team", "labels": {"kueue.x-k8s.io/queue-name": "q"}}
    roles = {"driver": {"coreRequest": "1"}, "executor": {"coreLimit": "2", "instances": 2}, "mode": "cluster"}
    spark = {"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "metadata": metadata}
    assert _added({**spark, "spec": roles}) == [
        ("driver", "spark-kubernetes-driver", "the coreRequest of the application", "spec.driver.coreRequest"),
        ("executor", "spark-kubernetes-executor", "the coreLimit of the application", "spec.executor.coreLimit"),
    ]


def test_a_transformation_and_an_overhead_are_parts() -> None:
    scenario = {
        "configuration": {
            "transformations": [{"input": "example.com/a", "strategy": "Replace", "outputs": {"example.com/b": "5"}}]
        },
        "given": [
            {
                "apiVersion": "node.k8s.io/v1",
                "kind": "RuntimeClass",
                "metadata": {"name": "kata"},
                "overhead": {"podFixed": {"cpu": "250m"}},
            }
        ],
    }
    context = surroundings(scenario)
    requests = {"cpu": "1", "example.com/a": "3"}
    job = written({"kind": "Job", "podSets": [{"containers": [{"requests": requests}], "runtimeClassName": "kata"}]})
    found = {(p.resource, p.kind, p.name): p.nano for p in workload_parts(job, pending_of(job, context), context)}
    assert found == {
        ("cpu", PartKind.CONTAINER, "c"): 10**9,
        ("cpu", PartKind.OVERHEAD, "kata"): 250_000_000,
        ("example.com/b", PartKind.TRANSFORMATION, "example.com/a"): 15 * 10**9,
    }


@pytest.mark.parametrize("release", ["v0.16.9", "v0.17.8"])
def test_a_negative_request_that_a_release_counts_has_its_part(release: str) -> None:
    context = surroundings({})
    context = replace(context, configuration=replace(context.configuration, release=release_named(release)))
    amounts_of = [{"cpu": "4"}, {"cpu": "-1"}]
    containers = [{"name": f"c{n}", "resources": {"requests": each}} for n, each in enumerate(amounts_of)]
    pods = {"name": "main", "count": 1, "template": {"spec": {"containers": containers}}}
    manifest = written(
        {
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "Workload",
            "metadata": {"name": "w", "namespace": "team"},
            "spec": {"queueName": "q", "podSets": [pods]},
        }
    )
    found = workload_parts(manifest, pending_of(manifest, context), context)
    assert [part.nano // 10**9 for part in found] == [4, -1]
