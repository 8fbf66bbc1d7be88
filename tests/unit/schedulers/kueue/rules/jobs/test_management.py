"""Rules: jobs that name a queue, and that Kueue leaves alone all the same."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import (
    config_map,
    configuration,
    job,
    local_queue,
    places,
    queue,
    reported,
)

QUEUED = "labels: {kueue.x-k8s.io/queue-name: lq}\n"


PODS_TOO = configuration("integrations: {frameworks: [batch/job, pod]}\n")


KUEUE = "kueue.x-k8s.io/"


def test_frameworks_of_kinds_in_use() -> None:
    ray, other = job(QUEUED, kind="ray.io/v1 RayJob"), job(QUEUED, kind="ray.io/v1 RayCluster")
    second = ray.replace("name: train", "name: second")
    assert places("K173", ray) == []
    assert places("K173", configuration(), job(kind="ray.io/v1 RayJob")) == []
    found = reported("K173", config_map(configuration("integrations: {frameworks: [pod]}\n")), ray, second, other)
    assert [(dict(r.finding.evidence)["jobs"], len(r.finding.related)) for r in found] == [("1", 1), ("2", 2)]
    assert places("K173", configuration("integrations: {frameworks: [ray.io/rayjob]}\n"), ray) == []


NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team, labels: {kueue: %s}}\n"


MANAGED = configuration("managedJobsNamespaceSelector: {matchLabels: {kueue: managed}}\n")


@pytest.mark.parametrize(
    ("documents", "found"),
    [
        ([MANAGED, NAMESPACE % "ignored"], ["warning"]),
        ([MANAGED, NAMESPACE % "managed"], []),
        ([MANAGED], ["info"]),
        ([configuration()], []),
        ([], []),
        ([MANAGED, NAMESPACE % "ignored", queue("q"), local_queue("lq", "q")], []),
        ([configuration("fairSharing: {}\n"), NAMESPACE % "ignored"], []),
    ],
)
def test_namespaces_that_are_not_managed(documents: list[str], found: list[str]) -> None:
    told = places("K174", *documents, job(QUEUED), job(QUEUED).replace("name: train", "name: second"))
    assert [place.partition(" ")[0] for place in told] == found


def test_a_job_in_the_system_namespace() -> None:
    text = job(QUEUED).replace("namespace: team", "namespace: kube-system")
    assert places("K174", text) == ["info Job kube-system/train metadata.labels[kueue.x-k8s.io/queue-name]"]
    assert places("K174", text, complete=True)[0].startswith("warning")


GARBAGE = ("5", "[]", "{}", "[1, {a: b}]", "null", "{a: 1}", '"x"')


@pytest.mark.parametrize("value", GARBAGE)
@pytest.mark.parametrize("field", ["labels", "annotations"])
@pytest.mark.parametrize("kind", ["batch/v1 Job", "batch/v1 CronJob", "v1 Pod", "ray.io/v1 RayJob"])
def test_garbage_is_no_bug(value: str, field: str, kind: str) -> None:
    keys = ("queue-name", "job-min-parallelism", "pod-group-name", "pod-group-total-count", "max-exec-time-seconds")
    inner = ", ".join(f"{KUEUE}{key}: {value}" for key in (*keys, "job-completions-equal-parallelism"))
    for text in (f"{field}: {value}\n", f"{field}: {{{inner}}}\n"):
        for name in ("K173", "K174", "K175", "K176", "K177", "K178"):
            places(name, PODS_TOO, job(text, f"parallelism: {value}\ncompletions: {value}\n", kind))
