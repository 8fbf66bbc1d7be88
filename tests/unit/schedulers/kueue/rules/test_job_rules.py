"""What jobs tell Kueue: refused, passed over, or not looked at."""

import pytest

from kubectl_fairshare.finding import Rename
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
STORED = 'resourceVersion: "1"\n'
PODS_TOO = configuration("integrations: {frameworks: [batch/job, pod]}\n")
KUEUE = "kueue.x-k8s.io/"


def annotated(key: str, value: str, more: str = "") -> str:
    return f'{more}annotations: {{{KUEUE}{key}: "{value}"}}\n'


def labelled(key: str, value: str) -> str:
    return f'labels: {{{KUEUE}{key}: "{value}"}}\n'


@pytest.mark.parametrize(
    ("text", "parallelism", "completions", "count"),
    [
        ("0", 4, 4, 1),
        ("1", 4, 4, 0),
        ("3", 4, 4, 0),
        ("4", 4, 4, 1),
        ("3", 4, 3, 1),
        ("2", 4, 3, 0),
        ("-1", 4, 4, 1),
        ("+2", 4, 4, 0),
        ("two", 4, 4, 1),
        ("", 4, 4, 1),
        ("1.5", 4, 4, 1),
    ],
)
def test_the_least_parallelism_is_below_that_of_the_job(
    text: str, parallelism: int, completions: int, count: int
) -> None:
    written = job(annotated("job-min-parallelism", text), f"parallelism: {parallelism}\ncompletions: {completions}\n")
    assert len(places("K175", written)) == count
    assert places("K175", written.replace("  name: train\n", f"  name: train\n  {STORED}", 1)) == []
    assert places("K175", configuration("integrations: {frameworks: [pod]}\n"), written) == []
    assert places("M009", written) == []


@pytest.mark.parametrize(
    ("metadata", "count"),
    [
        (labelled("queue-name", "Team_A"), 1),
        (labelled("queue-name", ""), 1),
        (labelled("queue-name", "team.a"), 0),
        (labelled("prebuilt-workload-name", "A"), 1),
        (labelled("max-exec-time-seconds", "0"), 1),
        (labelled("max-exec-time-seconds", "1"), 0),
        (labelled("max-exec-time-seconds", "1m"), 1),
    ],
)
def test_labels_that_are_refused(metadata: str, count: int) -> None:
    assert len(places("K176", job(metadata))) == count
    assert len(places("K176", job(metadata, kind="ray.io/v1 RayJob"))) == count
    of_deployment = 0 if "max-exec" in metadata else count
    assert len(places("K176", job(metadata, kind="apps/v1 Deployment"))) == of_deployment


@pytest.mark.parametrize(
    ("value", "spec", "count"),
    [
        ("true", "completionMode: Indexed\nparallelism: 2\ncompletions: 2\n", 0),
        ("true", "completionMode: Indexed\n", 0),
        ("true", "parallelism: 2\ncompletions: 2\n", 1),
        ("true", "completionMode: NonIndexed\n", 1),
        ("true", "completionMode: Indexed\nparallelism: 2\n", 1),
        ("true", "parallelism: 2\n", 2),
        ("false", "parallelism: 2\n", 0),
        ("yes", "parallelism: 2\n", 1),
    ],
)
def test_completions_that_follow_parallelism(value: str, spec: str, count: int) -> None:
    assert len(places("K176", job(annotated("job-completions-equal-parallelism", value), spec))) == count


def pod(name: str, total: str | None = None, group: str | None = "g", more: str = "") -> str:
    labels = "" if group is None else f"labels: {{{KUEUE}pod-group-name: {group}}}\n"
    counted = "" if total is None else f'{KUEUE}pod-group-total-count: "{total}"'
    text = job(f"{labels}annotations: {{{', '.join(filter(None, (counted, more)))}}}\n", kind="v1 Pod")
    return text.replace("name: train", f"name: {name}")


@pytest.mark.parametrize(
    ("pods", "found"),
    [
        ([pod("a", "1")], []),
        ([pod("a")], ["error"]),
        ([pod("a", "1", group=None)], ["error"]),
        ([pod("a", "0")], ["error"]),
        ([pod("a", "one")], ["error"]),
        ([pod("a", "2")], ["info"]),
        ([pod("a", "2", more=f'{KUEUE}pod-group-fast-admission: "true"')], []),
        ([pod("a", "2"), pod("b", "2")], []),
        ([pod("a", "2"), pod("b", "3")], ["error"]),
        ([pod("a", "1"), pod("b", "1")], []),
        ([pod("a", "2", more='other: "1"'), pod("b", "2", group="h")], ["info", "info"]),
    ],
)
def test_a_pod_group_adds_up(pods: list[str], found: list[str]) -> None:
    assert [place.partition(" ")[0] for place in places("K177", *pods)] == found
    assert places("K177", configuration(), *pods) == []


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (annotated("queue-name", "lq"), "it reads that from a label"),
        (labelled("job-min-parallelism", "1"), "it reads that from an annotation"),
        (labelled("queue-nam", "lq"), "`kueue.x-k8s.io/queue-name` is meant, it seems"),
        (labelled("queue_name", "lq"), "`kueue.x-k8s.io/queue-name` is meant, it seems"),
        (annotated("job-min-paralelism", "1"), "`kueue.x-k8s.io/job-min-parallelism` is meant, it seems"),
    ],
)
def test_keys_that_are_passed_over(metadata: str, message: str) -> None:
    (found,) = reported("K178", job(metadata))
    assert message in found.finding.message


@pytest.mark.parametrize(
    "metadata",
    [
        QUEUED,
        labelled("something-new", "1"),
        annotated("queue-name", "lq", more=QUEUED),
        annotated("podset-required-topology", "rack"),
        "labels: {queue-nam: lq}\n",
    ],
)
def test_keys_that_are_as_they_should_be_or_unknown(metadata: str) -> None:
    assert places("K178", job(metadata)) == []


def test_a_misspelt_key_is_renamed() -> None:
    (found,) = reported("K178", job(labelled("queue-nam", "lq")))
    assert found.finding.remedy.edits == (Rename(found.finding.place, f"{KUEUE}queue-name"),)


def test_the_queue_of_the_pods_alone() -> None:
    text = job(template="labels: {kueue.x-k8s.io/queue-name: lq}\n")
    assert places("K178", text) == [
        "info Job team/train spec.template.metadata.labels[kueue.x-k8s.io/queue-name]",
    ]
    assert len(places("K178", configuration(), text)) == 1
    assert places("K178", PODS_TOO, text) == []


CRON_JOB = """\
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: team%s}
spec: {jobTemplate: {%s spec: {template: {spec: {containers: [{name: main}]}}}}}
"""
LABELS = "labels: {kueue.x-k8s.io/queue-name: lq}"


def test_the_queue_of_a_cron_job_is_that_of_its_jobs() -> None:
    assert places("K178", CRON_JOB % (f", {LABELS}", "")) == [
        "warning CronJob team/nightly metadata.labels[kueue.x-k8s.io/queue-name]"
    ]
    assert places("K178", CRON_JOB % (f", {LABELS}", f"metadata: {{{LABELS}}},")) == []


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
