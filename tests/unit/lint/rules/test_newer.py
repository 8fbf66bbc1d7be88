"""What no reproduced release has."""

import pytest

from kubectl_fairshare.finding import Rename
from tests.unit.schedulers.kueue.rules.asking import local_queue, places, queue, reported

JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: train
  namespace: team
  labels: {{kueue.x-k8s.io/queue-name: lq}}
  annotations: {{{annotations}}}
spec:
  template:
    spec: {{containers: [{{name: c, image: x}}], restartPolicy: Never, {spec}}}
"""
QUEUE = "ClusterQueue q"


def stored(text: str) -> str:
    """The text as a newer API server returns it."""
    return text.replace("metadata:\n", 'metadata:\n  resourceVersion: "1"\n', 1)


def test_fields_and_values_that_an_api_server_stored() -> None:
    text = stored(queue("q", "  newThing: 1\n  stopPolicy: Slow\n"))
    assert places("M010", text) == [f"warning {QUEUE} spec.newThing", f"warning {QUEUE} spec.stopPolicy"]


def test_what_an_api_server_drops_or_rejects_is_reported_as_that() -> None:
    assert places("M010", queue("q", "  newThing: 1\n")) == []
    assert places("M010", queue("q", "  stopPolicy: Slow\n")) == []


@pytest.mark.parametrize(("annotation", "found"), [("new-thing", True), ("queue-nam", True), ("elastic-job", False)])
def test_names_in_the_domain(annotation: str, found: bool) -> None:
    text = local_queue("lq", "q").replace(
        "metadata:\n", f"metadata:\n  annotations: {{kueue.x-k8s.io/{annotation}: x}}\n", 1
    )
    assert len(reported("M010", text)) == found


def test_a_misspelt_name_is_renamed() -> None:
    text = local_queue("lq", "q").replace("metadata:\n", "metadata:\n  labels: {kueue.x-k8s.io/queue-nam: x}\n", 1)
    (found,) = reported("M010", text)
    assert found.finding.remedy.edits == (Rename(found.finding.place, "kueue.x-k8s.io/queue-name"),)


@pytest.mark.parametrize(
    ("annotations", "spec", "found"),
    [
        ("kueue.x-k8s.io/new-thing: x", "", ["metadata.annotations[kueue.x-k8s.io/new-thing]"]),
        ("kueue.x-k8s.io/elastic-jobs: x", "", []),  # K178 reports the misspelt name
        ("", "newThing: 1", ["spec.template.spec.newThing"]),
        ("", "securityContext: {}", []),
    ],
)
def test_jobs(annotations: str, spec: str, found: list[str]) -> None:
    text = local_queue("lq", "q") + "---\n" + JOB.format(annotations=annotations, spec=spec)
    assert places("M010", text) == [f"warning Job team/train {path}" for path in found]
