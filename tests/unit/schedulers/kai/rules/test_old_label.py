"""Rules: the label that named a queue before KAI-Scheduler v0.6."""

import json
from typing import Any

import pytest

from kubectl_fairshare.finding import Rename
from tests.unit.schedulers.kai.rules.objects import kai, pod_group, queue
from tests.unit.schedulers.kueue.rules.asking import places, reported

OLD = {"runai/queue": "team"}
POD = {"schedulerName": "kai-scheduler", "containers": [{"name": "main"}]}


def job(
    labels: dict[str, str] = OLD, inner: dict[str, str] | None = None, kind: str = "batch/v1 Job", **pod: Any
) -> str:
    """An object with a pod template, with labels of its own and inside the template."""
    version, _, name = kind.partition(" ")
    template = {"metadata": {"labels": inner or {}}, "spec": {**POD, **pod}}
    metadata = {"name": "train", "namespace": "a", "labels": labels}
    spec = {"groups": [{"template": template}]} if name == "RayJob" else {"template": template}
    return json.dumps({"apiVersion": version, "kind": name, "metadata": metadata, "spec": spec}) + "\n"


def test_the_old_label_is_reported_and_can_be_renamed() -> None:
    (found,) = reported("A039", job())
    assert "1 workload goes to queue `default-queue`" in found.finding.message
    assert found.finding.remedy.edits == (Rename(found.finding.place, "kai.scheduler/queue"),)


def test_the_label_is_found_in_templates_of_any_kind() -> None:
    found = places("A039", queue("team"), job({}, OLD, "ray.io/v1 RayJob"))
    assert found == ["warning RayJob a/train spec.groups[0].template.metadata.labels[runai/queue]"]


@pytest.mark.parametrize(
    "text",
    [
        job({**OLD, "kai.scheduler/queue": "team"}),
        job(inner={"kai.scheduler/queue": "team"}),
        job(schedulerName="runai-scheduler"),
        job(schedulerName=None),
        job({}),
        json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": OLD}}) + "\n",
    ],
)
def test_what_is_not_misled_is_not_reported(text: str) -> None:
    assert reported("A039", queue("team"), text) == ()


def test_a_project_names_the_queue_that_kai_takes() -> None:
    (found,) = reported("A039", job({**OLD, "project": "vision"}, {"kai.scheduler/node-pool": "h100"}))
    assert "queue `vision-h100`" in found.finding.message


def test_a_config_may_name_the_old_label() -> None:
    config = kai("kai.scheduler/v1", "Config", {"name": "kai-config"}, {"global": {"queueLabelKey": "runai/queue"}})
    assert reported("A039", config, job()) == ()
    other = kai("kai.scheduler/v1", "Config", {"name": "kai-config"}, {"global": {"schedulerName": "mine"}})
    assert reported("A039", other, job()) == ()
    assert len(reported("A039", other, job(schedulerName="mine"))) == 1


def test_a_pod_of_a_pod_group_in_the_input_has_its_queue() -> None:
    metadata = {"name": "p", "namespace": "a", "labels": OLD, "annotations": {"pod-group-name": "train"}}
    pod = json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": POD}) + "\n"
    assert reported("A039", queue("team"), pod_group("team"), pod) == ()
    assert len(reported("A039", queue("team"), pod)) == 1
