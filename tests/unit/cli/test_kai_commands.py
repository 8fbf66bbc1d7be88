"""Commands on KAI's queues: documents have their schemas, exit codes their meaning, wrong calls their remedy."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.schemas import problems
from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
ORG = "testdata/kai/org"
SCHEMAS = ROOT / "schemas" / "fairshare" / "v1alpha2"


def document(run: Run, command: str) -> Any:
    found = json.loads(run(f"kubectl-fairshare {command} -o json").stdout)
    assert problems(found) == []
    return found


@pytest.mark.parametrize(
    "command",
    [
        f"shares -f {ORG}",
        f"shares -f {ORG} --demand unlimited",
        f"shares -f {ORG} --saturated --demand vision=0",
        f"shares -f {ORG} --explain vision --usage vision=gpu=0.5",
        f"shares -f {ORG} --explain product --demand unlimited",
        f"plan -f {ORG} -w testdata/kai/train.yaml -w testdata/kai/pending.yaml",
        f"plan -f {ORG} --queue product --request nvidia.com/gpu=1",
        f"plan -f {ORG} --queue nowhere --request cpu=1",
        f"plan -f {ORG} -w testdata/kai/pending.yaml",
        "why -f testdata/kai/why -A --now 2026-02-01T12:00:00Z",
        *(f"why -f testdata/kai/why podgroup/{name} -n ml" for name in ("sweep", "burst", "lost", "foreign", "llm")),
        "why -f testdata/kai/why job/fresh podgroup/notebook -n ml",
        "simulate -f testdata/kai/simulate/burst.yaml --cycles 3",
        "simulate -f testdata/kai/simulate/burst.yaml --cycles 0",
    ],
)
def test_a_document_has_its_schema(run: Run, command: str) -> None:
    document(run, command)


def test_the_document_tells_what_the_screen_does(run: Run) -> None:
    found = document(run, f"shares -f {ORG}")
    queues = {queue["name"]: queue for queue in found["queues"]}
    gpu = next(r for r in queues["product"]["resources"] if r["resource"] == "gpu")
    assert (gpu["fairShare"], gpu["allocated"], gpu["allocatedNonPreemptible"], gpu["saturation"]) == (8, 12, 2, 1.5)
    assert gpu["allocatedPreemptible"] == 10
    assert [lost["name"] for lost in found["lostQueues"]] == ["lost"]
    assert found["leftOutNodes"] == [{"name": "n3", "reason": "unschedulable"}]


@pytest.mark.parametrize(
    ("request_", "code"), [("vision --request nvidia.com/gpu=4", 0), ("product --request nvidia.com/gpu=1", 4)]
)
def test_the_exit_code_tells_whether_the_job_gets_in(run: Run, request_: str, code: int) -> None:
    assert run(f"kubectl-fairshare plan -f {ORG} --queue {request_}").code == code


@pytest.mark.parametrize(
    "command",
    [
        f"shares -f {ORG} --demand vision",
        f"shares -f {ORG} --demand vision=tpu=1",
        f"shares -f {ORG} --requests vision=cpu=-1",
        f"shares -f {ORG} --requests nowhere=gpu=1",
        f"shares -f {ORG} --flavor a",
        f"shares -f {ORG} --explain vision -o csv",
        f"plan -f {ORG} --queue vision --request cpu=1 --priority 5",
        "simulate -f testdata/kai/simulate/burst.yaml --k-value -1",
        f"shares -f {ORG} --demand vision=1 --topology",
    ],
)
def test_a_wrong_call_is_told_with_a_remedy(run: Run, command: str) -> None:
    screen = run(f"kubectl-fairshare {command}")
    assert screen.code == 2, screen
    assert screen.stderr.startswith("error: ")


def test_names_of_queues_and_victims_are_those_that_kubectl_takes(run: Run) -> None:
    assert run(f"kubectl-fairshare shares -f {ORG} -o name").stdout.splitlines()[0] == "queue.scheduling.run.ai/product"
    found = run(f"kubectl-fairshare plan -f {ORG} -w testdata/kai/train.yaml -o name").stdout
    assert found == "podgroup.scheduling.run.ai/ml/batch-a\n"


@pytest.mark.slow
def test_pictures_and_pages_are_whole(run: Run) -> None:
    page = run("kubectl-fairshare simulate -f testdata/kai/simulate/weights.yaml --cycles 4 -o html").stdout
    assert page.startswith("<!doctype html>")
    assert "<svg" in page
    assert run("kubectl-fairshare simulate -f testdata/kai/simulate/weights.yaml -o svg --cycles 4").stdout in page


def test_the_older_name_of_the_option_still_chooses_the_scheduler(run: Run) -> None:
    scenario = "-f testdata/kai/simulate/burst.yaml --cycles 3"
    assert "\n  KAI v0.17 · simulation" in run(f"kubectl-fairshare simulate --engine kai {scenario}").stdout
    assert run(f"kubectl-fairshare simulate --engine kueue {scenario}").code == 2


POOLS = "testdata/kai/pools"
JOB = """\
apiVersion: {api}
kind: {kind}
metadata: {{name: new, namespace: ml, labels: {{kai.scheduler/queue: {queue}, kai.scheduler/node-pool: {pool}}}}}
{path}
      spec:
        schedulerName: {scheduler}
        restartPolicy: {policy}
        containers: [{{name: main, image: i, resources: {{limits: {{nvidia.com/gpu: "{gpus}"}}}}}}]
"""


def job(tmp_path: Path, **changes: str) -> Path:
    given = {"api": "batch/v1", "kind": "Job", "queue": "grass", "pool": "green", "gpus": "4"}
    given |= {"scheduler": "kai-scheduler", "path": "spec:\n    template:", **changes}
    given["policy"] = "Never" if given["api"] == "batch/v1" else "Always"
    path = tmp_path / "job.yaml"
    path.write_text(JOB.format(**given), encoding="utf-8")
    return path


def test_a_job_is_planned_by_the_shard_of_its_node_pool(run: Run, tmp_path: Path) -> None:
    found = document(run, f"plan -f {POOLS} -w {job(tmp_path)}")
    assert (found["shard"], found["k"], found["outcome"]) == ("green", 1, "Admitted")
    found = document(run, f"plan -f {POOLS} -w {job(tmp_path, queue='sky', pool='blue', gpus='5')}")
    assert (found["shard"], found["k"], found["outcome"]) == ("blue", 2, "Admitted")
    assert run(f"kubectl-fairshare plan -f {POOLS} -w {job(tmp_path, gpus='5')}").code == 4


def test_a_job_that_no_shard_serves_never_gets_in_and_another_pool_helps(run: Run, tmp_path: Path) -> None:
    """A scheduler lists the PodGroups of its pool (``partitionSelector``): those of another one are on no list."""
    found = document(run, f"plan -f {POOLS} -w {job(tmp_path, pool='red')}")
    assert (found["outcome"], found["fidelity"]["exact"]) == ("Never", True)
    assert found["verdict"] == "can never run: no SchedulingShard serves its node pool red, only blue, green"
    assert [each["text"] for each in found["remedies"]] == ["use node pool green"]


def test_a_node_pool_is_not_judged_by_an_input_without_shards(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cluster.yaml"
    parts = Path(POOLS, "cluster.yaml").read_text(encoding="utf-8").split("---\n")
    path.write_text("---\n".join(part for part in parts if "SchedulingShard" not in part), encoding="utf-8")
    found = document(run, f"plan -f {path} -w {job(tmp_path)}")
    assert found["outcome"] == "Unknown"
    assert [each["feature"] for each in found["fidelity"]["notModelled"] if each["touches"]] == ["NoShards"]


def test_options_describe_a_job_in_the_node_pool_of_its_queue(run: Run) -> None:
    found = document(run, f"plan -f {POOLS} --queue sky --request nvidia.com/gpu=5")
    assert (found["shard"], found["outcome"]) == ("blue", "Admitted")


def test_shares_are_those_of_the_shard_that_is_named(run: Run) -> None:
    names = {
        shard: document(run, f"shares -f {POOLS} --shard {shard}")["queues"][0]["name"] for shard in ("blue", "green")
    }
    assert names == {"blue": "sky", "green": "grass"}
    assert document(run, f"shares -f {POOLS}")["otherShards"] == ["green"]
    assert run(f"kubectl-fairshare shares -f {POOLS} --shard red").code == 2
    assert run("kubectl-fairshare shares -f testdata/demo/org --shard red").code == 2


@pytest.mark.parametrize(
    ("api", "kind", "path"),
    [
        ("apps/v1", "Deployment", "spec:\n    template:"),
        ("apps/v1", "StatefulSet", "spec:\n    template:"),
        ("batch/v1", "CronJob", "spec:\n  jobTemplate:\n   spec:\n    template:"),
    ],
)
def test_what_has_a_pod_template_is_planned(run: Run, tmp_path: Path, api: str, kind: str, path: str) -> None:
    labels = {"CronJob": "\n   metadata: {labels: {kai.scheduler/queue: grass, kai.scheduler/node-pool: green}}"}
    path = path.replace("\n   spec:", labels.get(kind, "") + "\n   spec:")
    found = document(run, f"plan -f {POOLS} -w {job(tmp_path, api=api, kind=kind, path=path)} --complete")
    assert (found["queue"], found["outcome"]) == ("grass", "Admitted")


def test_a_pod_that_another_scheduler_places_is_noted(run: Run, tmp_path: Path) -> None:
    screen = run(f"kubectl-fairshare plan -f {POOLS} -w {job(tmp_path, scheduler='default-scheduler')}")
    assert (screen.code, "name another scheduler" in screen.stderr) == (0, True)


def test_without_nodes_the_exit_code_is_that_of_no_exact_answer(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "queues.yaml"
    text = (ROOT / "testdata" / "demo" / "kai" / "queues.yaml").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    screen = run(f"kubectl-fairshare plan -f {path} --queue vision --request nvidia.com/gpu=1")
    assert (screen.code, "the input has no nodes" in " ".join(screen.stdout.split())) == (5, True)
    assert document(run, f"plan -f {path} --queue vision --request nvidia.com/gpu=1")["exitCode"] == 5


ONCE = """\
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata: {name: once, namespace: ml, labels: {kai.scheduler/node-pool: green}}
spec: {queue: grass, minMember: 1, schedulingBackoff: 1}
status:
  schedulingConditions: [{type: UnschedulableOnNodePool, nodePool: green, status: "True"}]
---
apiVersion: v1
kind: Pod
metadata: {name: once-0, namespace: ml, annotations: {pod-group-name: once}}
spec: {schedulerName: kai-scheduler, containers: [{name: main, image: i, resources: {requests: {cpu: "1"}}}]}
"""


def test_a_job_that_kai_has_tried_its_only_time_is_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "once.yaml"
    path.write_text(ONCE, encoding="utf-8")
    screen = run(f"kubectl-fairshare plan -f {POOLS} -w {path}")
    assert (screen.code, "schedulingBackoff" in screen.stdout.splitlines()[0]) == (4, True)
    path.write_text(ONCE.replace("schedulingBackoff: 1", "schedulingBackoff: -1"), encoding="utf-8")
    assert run(f"kubectl-fairshare plan -f {POOLS} -w {path}").code == 0
