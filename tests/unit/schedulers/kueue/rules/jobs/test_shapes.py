"""Rule: Ray and Spark jobs that Kueue's webhook rejects."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, places, reported

POD = "template: {spec: {containers: [{name: c, image: x, resources: {requests: {cpu: 1}}}]}}"
CLUSTER = f"headGroupSpec: {{{POD}}}"
QUEUE = "labels: {kueue.x-k8s.io/queue-name: q}"


def ray(kind: str, spec: str, metadata: str = QUEUE) -> str:
    group = "sparkoperator.k8s.io/v1beta2" if kind == "SparkApplication" else "ray.io/v1"
    return f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: j, namespace: t, {metadata}}}\nspec: {{{spec}}}\n"


@pytest.mark.parametrize(
    ("kind", "spec", "count"),
    [
        ("RayCluster", CLUSTER, 0),
        ("RayCluster", f"enableInTreeAutoscaling: true, {CLUSTER}", 1),
        ("RayCluster", f"{CLUSTER}, workerGroupSpecs: [{{groupName: head, {POD}}}]", 1),
        ("RayJob", f"rayClusterSpec: {{{CLUSTER}}}", 1),
        ("RayJob", f"shutdownAfterJobFinishes: true, rayClusterSpec: {{{CLUSTER}}}", 0),
        ("RayJob", "shutdownAfterJobFinishes: true", 1),
        ("RayService", f"rayClusterConfig: {{enableInTreeAutoscaling: true, {CLUSTER}}}", 1),
        ("SparkApplication", "mode: cluster", 0),
        ("SparkApplication", "mode: client, dynamicAllocation: {enabled: true}", 2),
    ],
)
def test_what_the_webhook_rejects(kind: str, spec: str, count: int) -> None:
    assert len(places("K207", ray(kind, spec))) == count


def test_only_new_jobs_that_kueue_manages_are_rejected() -> None:
    spec = f"rayClusterSpec: {{{CLUSTER}}}"
    everyone = configuration("manageJobsWithoutQueueName: true\nintegrations: {frameworks: [ray.io/rayjob]}\n")
    assert places("K207", ray("RayJob", spec, "labels: {}")) == []
    assert places("K207", ray("RayJob", spec, f'{QUEUE}, resourceVersion: "1"')) == []
    assert places("K207", configuration("integrations: {frameworks: [pod]}\n"), ray("RayJob", spec)) == []
    assert places("K207", everyone, ray("RayJob", spec, "labels: {}")) != []


def test_the_default_queue_is_named_where_it_makes_the_job_kueues() -> None:
    default = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: default, namespace: t}\n"
    queue = f"{default}spec: {{clusterQueue: q}}\n"
    spec = f"enableInTreeAutoscaling: true, {CLUSTER}"
    (found,) = reported("K207", queue, ray("RayCluster", spec, "labels: {}"))
    assert [(r.text, str(r.place).strip()) for r in found.finding.related] == [
        ("it gets LocalQueue `default`", "LocalQueue t/default")
    ]
    (labelled,) = reported("K207", queue, ray("RayCluster", spec))
    assert labelled.finding.related == ()


def test_an_unreadable_job_has_no_finding() -> None:
    assert places("K207", ray("RayCluster", "enableInTreeAutoscaling: 5")) == []
