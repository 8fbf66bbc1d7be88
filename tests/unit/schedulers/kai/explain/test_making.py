"""Jobs that make no pods now, whose pods another controller makes, or whose classes are missing."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.question import PlanQuestion, Wishes

DATA = Path(__file__).resolve().parents[5] / "testdata" / "kai"
Object = dict[str, Any]
FREE = "admitted now: enough resources are idle"


def job(pods: Object | None = None, kind: str = "Job", **spec: Any) -> Object:
    labels = {"kai.scheduler/queue": "vision"}
    container = {"name": "c", "image": "none", "resources": {"requests": {"cpu": "1"}}}
    inner = {"schedulerName": "kai-scheduler", "containers": [container], **(pods or {})}
    inner |= {"restartPolicy": "Never"} if kind == "Job" else {}
    api = "batch/v1" if kind == "Job" else "apps/v1"
    template = {"metadata": {"labels": labels}, "spec": inner}
    metadata = {"name": "j", "namespace": "ml", "labels": labels}
    return {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": {"template": template, **spec}}


@pytest.fixture
def verdict(tmp_path: Path) -> Any:
    """The verdict on an object, and whether it is exact."""

    def verdict(asked: Object, *, complete: bool = False) -> tuple[str, bool]:
        known, house = known_schedulers(), scheduler_named("kai")
        (tmp_path / "asked.yaml").write_text(yaml.safe_dump(asked))
        snapshot = assemble(read([str(DATA / "org")], known).manifests, known, complete=complete).snapshot
        given = read([str(tmp_path / "asked.yaml")], known)
        (answer,) = house.plan(snapshot, PlanQuestion(given, Wishes(), "ml"))
        assert ("as if resumed" in answer.assumed) == answer.verdict.startswith("if resumed")
        return answer.verdict, answer.fidelity.exact

    return verdict


def test_a_suspended_job_is_planned_as_if_it_were_resumed(verdict: Any) -> None:
    assert verdict(job()) == (FREE, True)
    assert verdict(job(suspend=True)) == (f"if resumed, {FREE}", True)
    assert verdict(job(kind="Deployment", replicas=0), complete=True) == (f"if scaled up, {FREE}", True)
    job_set = {**job(), "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet"}
    job_set["spec"] = {"replicatedJobs": [{"name": "r", "template": {"spec": job()["spec"]}}]}
    assert verdict(job_set) == (FREE, True)
    job_set["spec"]["suspend"] = True
    assert verdict(job_set) == (f"if resumed, {FREE}", True)


def test_a_job_without_pods_has_no_condition(verdict: Any) -> None:
    assert verdict(job(parallelism=0))[0].startswith("can never run: it gets no PodGroup: it wants no pods")


def test_pods_that_another_controller_makes_are_not_known(verdict: Any) -> None:
    unknown = ("unknown: the pods that example.com/other makes of it (managedBy)", False)
    assert verdict(job(managedBy="example.com/other")) == unknown
    job_set = {**job(), "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet"}
    job_set["spec"] = {"replicatedJobs": [{"name": "r", "template": {"spec": job()["spec"]}}]}
    job_set["spec"]["managedBy"] = "example.com/other"
    assert verdict(job_set) == unknown


def test_a_runtime_class_that_the_input_lacks_is_not_known(verdict: Any) -> None:
    asked = job({"runtimeClassName": "kata"})
    assert verdict(asked) == ("unknown: RuntimeClass kata is not in the input", False)
    assert "its RuntimeClass kata does not exist" in verdict(asked, complete=True)[0]


def test_pods_that_an_api_server_has_may_have_any_priority(verdict: Any) -> None:
    asked = job({"priority": 7})
    assert not verdict(asked)[1]
    metadata = {**asked["metadata"], "name": "p", "uid": "u", "resourceVersion": "7"}
    assert verdict(
        {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": asked["spec"]["template"]["spec"]}
    )[1]


def test_the_label_of_old_releases_is_told_to_name_no_queue(tmp_path: Path) -> None:
    known, house = known_schedulers(), scheduler_named("kai")
    for labels, told in (({"runai/queue": "vision"}, True), ({"kai.scheduler/queue": "a", "runai/queue": "b"}, False)):
        asked = job()
        asked["metadata"]["labels"] = labels
        asked["spec"]["template"]["metadata"]["labels"] = {}
        (tmp_path / "asked.yaml").write_text(yaml.safe_dump(asked))
        snapshot = assemble(read([str(DATA / "org")], known).manifests, known).snapshot
        (answer,) = house.plan(snapshot, PlanQuestion(read([str(tmp_path / "asked.yaml")], known), Wishes(), "ml"))
        expected = "KAI does not read the label `runai/queue` of Job ml/j: it goes to queue `default-queue`"
        assert [note.message for note in answer.notes] == ([expected] if told else [])
