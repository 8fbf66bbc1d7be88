"""Commands on KAI's queues: documents have their schemas, exit codes their meaning, wrong calls their remedy."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
ORG = "testdata/kai/org"
SCHEMAS = ROOT / "schemas" / "fairshare" / "v1alpha1"


def document(run: Run, command: str) -> Any:
    found = json.loads(run(f"kubectl-fairshare {command} -o json").stdout)
    schema = json.loads((SCHEMAS / f"{found['kind'].lower()}.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(found)) == []
    return found


@pytest.mark.parametrize(
    "command",
    [
        f"shares -f {ORG}",
        f"shares -f {ORG} --demand unlimited",
        f"shares -f {ORG} --explain vision --usage vision=gpu=0.5",
        f"shares -f {ORG} --explain product --demand unlimited",
        f"plan -f {ORG} -w testdata/kai/train.yaml -w testdata/kai/pending.yaml",
        f"plan -f {ORG} --queue product --request nvidia.com/gpu=1",
        f"plan -f {ORG} --queue nowhere --request cpu=1",
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
        f"shares -f {ORG} --requests vision",
        f"shares -f {ORG} --requests vision=tpu=1",
        f"shares -f {ORG} --requests vision=cpu=-1",
        f"shares -f {ORG} --requests nowhere=gpu=1",
        f"shares -f {ORG} --flavor a",
        f"shares -f {ORG} --explain vision -o csv",
        f"plan -f {ORG} --queue vision --request cpu=1 --together",
        f"plan -f {ORG} --queue vision --request cpu=1 --priority 5",
        "simulate -f testdata/kai/simulate/burst.yaml --k-value -1",
        "shares -f testdata/demo/org --demand unlimited",
    ],
)
def test_a_wrong_call_is_told_with_a_remedy(run: Run, command: str) -> None:
    screen = run(f"kubectl-fairshare {command}")
    assert screen.code == 2, screen
    assert screen.stderr.startswith("error: ")


def test_names_of_queues_and_victims_are_those_that_kubectl_takes(run: Run) -> None:
    assert run(f"kubectl-fairshare shares -f {ORG} -o name").stdout.splitlines()[0] == "queue.scheduling.run.ai/product"
    found = run(f"kubectl-fairshare plan -f {ORG} -w testdata/kai/train.yaml -o name").stdout
    assert found == "podgroup.scheduling.run.ai/batch-a\n"


def test_pictures_and_pages_are_whole(run: Run) -> None:
    page = run("kubectl-fairshare simulate -f testdata/kai/simulate/weights.yaml --cycles 4 -o html").stdout
    assert page.startswith("<!doctype html>")
    assert "<svg" in page
    assert run("kubectl-fairshare simulate -f testdata/kai/simulate/weights.yaml -o svg --cycles 4").stdout in page
