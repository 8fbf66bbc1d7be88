"""Rule: jobs of which Kueue can make no Workload."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, places

POD = "containers: [{name: c, image: x, resources: {requests: {cpu: 1}}}]"
TWICE = "containers: [{name: c, image: x, ports: [{containerPort: 80}, {name: b, containerPort: 80}]}]"
QUEUE = "labels: {kueue.x-k8s.io/queue-name: q}"


def job(pod: str = POD, metadata: str = QUEUE) -> str:
    template = f"{{template: {{spec: {{restartPolicy: Never, {pod}}}}}}}"
    return f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: j, namespace: t, {metadata}}}\nspec: {template}\n"


def cluster(*groups: str) -> str:
    workers = ", ".join(f"{{groupName: {name}, replicas: 1, template: {{spec: {{{POD}}}}}}}" for name in groups)
    spec = f"{{headGroupSpec: {{template: {{spec: {{{POD}}}}}}}, workerGroupSpecs: [{workers}]}}"
    return f"apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {{name: j, namespace: t, {QUEUE}}}\nspec: {spec}\n"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (job(), []),
        (job(TWICE), ["template.spec.containers[0].ports[1]"]),
        (job(f"{POD}, imagePullSecrets: [{{name: a}}, {{name: a}}]"), ["template.spec.imagePullSecrets[1]"]),
        (cluster("a", "b"), []),
        (cluster("a", "b_c"), ["workerGroupSpecs[1].template.spec"]),
    ],
)
def test_the_place_in_the_job_is_named(text: str, where: list[str]) -> None:
    assert [each.partition("spec.")[2] for each in places("K208", text)] == where


def test_only_new_jobs_that_kueue_manages_count() -> None:
    assert places("K208", job(TWICE, "labels: {}")) == []
    assert places("K208", job(TWICE, f'{QUEUE}, resourceVersion: "1"')) == []
    assert places("K208", configuration("integrations: {frameworks: [pod]}\n"), job(TWICE)) == []


@pytest.mark.parametrize(
    "text",
    [
        job().replace("name: j", "name: j-$COUNT"),
        job().replace("name: j", "name: j_ID_"),
        cluster("a", "$GROUP"),
        cluster("a", "__GROUP__"),
    ],
)
def test_names_of_jobs_and_placeholders_are_no_mistakes_of_a_workload(text: str) -> None:
    assert places("K208", text) == []


def test_an_unreadable_job_has_no_finding() -> None:
    assert places("K208", job("containers: 5")) == []
