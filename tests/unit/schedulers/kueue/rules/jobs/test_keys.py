"""Rules: labels and annotations of jobs that Kueue passes over: misspelt, or where it does not look."""

import pytest

from kubectl_fairshare.finding import Rename
from tests.unit.schedulers.kueue.rules.asking import (
    configuration,
    job,
    places,
    reported,
)

QUEUED = "labels: {kueue.x-k8s.io/queue-name: lq}\n"


PODS_TOO = configuration("integrations: {frameworks: [batch/job, pod]}\n")


KUEUE = "kueue.x-k8s.io/"


def annotated(key: str, value: str, more: str = "") -> str:
    return f'{more}annotations: {{{KUEUE}{key}: "{value}"}}\n'


def labelled(key: str, value: str) -> str:
    return f'labels: {{{KUEUE}{key}: "{value}"}}\n'


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (annotated("queue-name", "lq"), "it reads that key from a label"),
        (labelled("job-min-parallelism", "1"), "it reads that key from an annotation"),
        (labelled("queue-nam", "lq"), "`kueue.x-k8s.io/queue-name` is nearly the same key"),
        (labelled("queue_name", "lq"), "`kueue.x-k8s.io/queue-name` is nearly the same key"),
        (annotated("podset-required-topology", "rack"), "it reads that key from the annotations of the pod template"),
        (annotated("job-min-paralelism", "1"), "`kueue.x-k8s.io/job-min-parallelism` is nearly the same key"),
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
        annotated("prebuilt-workload-name", "mine", more=QUEUED),
        annotated("pod-group-name", "g", more=QUEUED),
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


def test_a_topology_is_read_from_the_pod_template() -> None:
    key = f"{KUEUE}podset-required-topology"
    asked = f'annotations: {{{key}: "rack"}}\n'
    template = f'annotations: {{{key}: "rack"}}\n'
    assert places("K178", job(asked)) == [f"warning Job team/train metadata.annotations[{key}]"]
    assert places("K178", job(asked, template=template).replace("    annotations: {}\n", "")) == []
    assert places("K178", job(asked, kind="v1 Pod")) == []
