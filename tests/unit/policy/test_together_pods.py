"""Jobs together where pods are placed one by one, and with KAI's sessions."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]
SINGLE = ("testdata/elasticquota/waiting.yaml", "testdata/koordinator/tree.yaml", "testdata/kai/org")


def document(run: Run, call: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(f"kubectl-fairshare plan --together {call} -o json").stdout)
    return found


def test_all_pods_of_a_job_are_tried_and_the_first_reason_is_that_of_the_first_that_waits(run: Run) -> None:
    found = document(run, "-f testdata/elasticquota/waiting.yaml")
    ends = {each["title"]: each for each in found["jobs"]}
    assert (ends["research/huge"]["outcome"], ends["research/sweep"]["computed"]) == ("Never", "Waits")
    assert ends["research/sweep"]["because"].startswith("3 of 5 pods wait: nvidia.com/gpu: ")
    assert ends["research/gated"]["because"] == "it has scheduling gates"
    assert [each["title"] for each in ends["production/serve-next"]["victims"]] == ["research/sweep"]


@pytest.mark.parametrize("path", SINGLE)
@pytest.mark.parametrize(("pods", "suspend"), [(1, "false"), (3, "true")])
def test_one_job_alone_ends_as_its_plan_says(run: Run, path: str, pods: int, suspend: str, tmp_path: Any) -> None:
    """Where the plan is about the only pod, and whatever it is about, a job whose plan is never does not start."""
    spec = f"{{suspend: {suspend}, parallelism: {pods}, template: {{spec: {{restartPolicy: Never, containers: "
    container = "[{name: c, image: i, resources: {requests: {cpu: 1, memory: 1Gi}}}]"
    labels = "{quota.scheduling.koordinator.sh/name: vision, kai.scheduler/queue: vision}"
    namespace = {"elasticquota": "research", "koordinator": "lab", "kai": "ml"}[path.split("/")[1]]
    metadata = f"{{name: new, namespace: {namespace}, labels: {labels}}}"
    (tmp_path / "job.yaml").write_text(
        f"apiVersion: batch/v1\nkind: Job\nmetadata: {metadata}\nspec: {spec}{container}}}}}}}\n"
    )
    found = document(run, f"-f {path} -w {tmp_path}/job.yaml")
    plan = json.loads(run(f"kubectl-fairshare plan -f {path} -w {tmp_path}/job.yaml -o json").stdout)
    (end,) = found["jobs"]
    assert end["title"] == f"{namespace}/new"
    assert ("resumed" in " ".join(found["assumptions"])) == (suspend == "true")
    if pods == 1:
        assert end["outcome"] == plan["outcome"]
    assert end["computed"] in ("Admitted", "Preempts") or plan["outcome"] != "Admitted"


def test_a_kai_job_starts_in_the_session_after_its_victims_left(run: Run) -> None:
    found = document(run, "-f testdata/kai/org -w testdata/kai/train.yaml")
    (train,) = found["jobs"]
    assert (train["outcome"], [each["title"] for each in train["victims"]]) == ("Preempts", ["ml/batch-b"])
    assert [each["title"] for each in found["displaced"]] == ["ml/batch-b"]
    assert train["victims"][0]["cycle"] < train["cycle"]
