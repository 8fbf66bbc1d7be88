"""Rules: what jobs ask of Kueue in labels and annotations, and its webhook rejects."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import (
    configuration,
    job,
    places,
)

STORED = 'resourceVersion: "1"\n'


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
        (annotated("prebuilt-workload-name", "A"), 1),
        (annotated("prebuilt-workload-name", "a"), 0),
        (labelled("max-exec-time-seconds", "0"), 1),
        (labelled("max-exec-time-seconds", "1"), 0),
        (labelled("max-exec-time-seconds", "1m"), 1),
    ],
)
def test_names_and_times_that_are_refused(metadata: str, count: int) -> None:
    assert len(places("K176", job(metadata))) == count
    assert len(places("K176", job(metadata, kind="ray.io/v1 RayJob"))) == count
    of_deployment = count if "queue-name" in metadata else 0
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


@pytest.mark.parametrize(
    ("kind", "count"), [("batch/v1 Job", 0), ("ray.io/v1 RayJob", 0), ("apps/v1 Deployment", 1), ("v1 Pod", 1)]
)
def test_few_kinds_can_be_elastic(kind: str, count: int) -> None:
    elastic = job(annotated("elastic-job", "true"), kind=kind)
    assert len(places("K176", elastic)) == count
    assert places("K176", configuration("featureGates: {ElasticJobsViaWorkloadSlices: false}\n"), elastic) == []
    assert places("M009", elastic) == []


def test_gates_of_a_job_are_checked_as_those_of_a_workload() -> None:
    assert len(places("K176", job(annotated("admission-gated-by", "a, a.b/c, a.b/c")))) == 2
    assert places("K176", job(annotated("admission-gated-by", "a.b/c"))) == []


def test_what_the_webhook_rejects_is_reported_once() -> None:
    chosen = job(labelled("queue-name", "q"), kind="v1 Pod").replace("spec:\n", "spec:\n  nodeName: n1\n")
    assert "nodeName" in chosen
    enabled = configuration("integrations: {frameworks: [pod]}\n")
    assert len(places("K176", enabled, chosen)) == 1
    assert places("M009", enabled, chosen) == []


def pod(name: str, total: str | None = None, group: str | None = "g", more: str = "") -> str:
    labels = "" if group is None else f"labels: {{{KUEUE}pod-group-name: {group}}}\n"
    counted = "" if total is None else f'{KUEUE}pod-group-total-count: "{total}"'
    text = job(f"{labels}annotations: {{{', '.join(filter(None, (counted, more)))}}}\n", kind="v1 Pod")
    return text.replace("name: train", f"name: {name}")


@pytest.mark.parametrize(
    ("pods", "found"),
    [
        ([pod("a", "1")], []),
        ([pod("a", "+1")], []),
        ([pod("a", "1", group=None, more=f"{KUEUE}pod-group-name: g")], []),
        ([pod("a", group=None, more=f"{KUEUE}pod-group-name: g")], ["error"]),
        ([pod("a", "2", more=f'{KUEUE}pod-group-fast-admission: "1"')], ["info"]),
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
