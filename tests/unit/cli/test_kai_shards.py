"""Two shards of KAI are two schedulers: questions over time, about room and about counts are answered for both."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.screens import Screen

Run = Callable[[str], Screen]
POOLS = "testdata/kai/pools"


def document(run: Run, command: str) -> Any:
    return json.loads(run(f"kubectl-fairshare {command} -o json").stdout)


def job(name: str, queue: str, gpus: int) -> dict[str, Any]:
    return {
        "name": name,
        "namespace": "team",
        "queue": queue,
        "duration": "30s",
        "requests": {"nvidia.com/gpu": gpus},
    }


def simulated(run: Run, folder: Path, *jobs: dict[str, Any], more: str = "") -> dict[str, Any]:
    (scenario := folder / "scenario.yaml").write_text(
        yaml.safe_dump({"apiVersion": "fairshare.dev/v1alpha1", "kind": "JobScenario", "jobs": [*jobs]})
    )
    found = document(run, f"simulate -f {POOLS} {more} --scenario {scenario} --until 2m")
    return {each["name"]: each for each in found["jobs"]}


def waiting(folder: Path) -> str:
    """A file with a job of the queue grass that waits."""
    labels = {"kai.scheduler/queue": "grass", "kai.scheduler/node-pool": "green"}
    metadata = {"name": "late", "namespace": "team", "uid": "late", "labels": labels}
    requests = {"resources": {"requests": {"nvidia.com/gpu": "1"}, "limits": {"nvidia.com/gpu": "1"}}}
    objects: list[dict[str, Any]] = [
        {
            "apiVersion": "scheduling.run.ai/v2alpha2",
            "kind": "PodGroup",
            "metadata": metadata,
            "spec": {"queue": "grass", "minMember": 1},
        },
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": metadata | {"annotations": {"pod-group-name": "late"}},
            "spec": {"schedulerName": "kai-scheduler", "containers": [{"name": "main", "image": "i", **requests}]},
            "status": {"phase": "Pending"},
        },
    ]
    (path := folder / "late.yaml").write_text(yaml.safe_dump_all(objects))
    return str(path)


@pytest.mark.parametrize(("queue", "starts"), [("sky", True), ("grass", False)])
def test_jobs_start_on_the_nodes_of_their_own_shard(run: Run, tmp_path: Path, queue: str, *, starts: bool) -> None:
    found = simulated(run, tmp_path, job("one", queue, 8), job("other", "grass", 4))
    assert (bool(found["one"]["admitted"]), found["other"]["admitted"]) == (starts, ["1970-01-01T00:00:00Z"])


def test_a_job_of_a_pool_that_no_shard_serves_is_refused(run: Run, tmp_path: Path) -> None:
    queue = {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {"name": "sea"}, "spec": {}}
    (file := tmp_path / "sea.yaml").write_text(yaml.safe_dump(queue))
    found = simulated(run, tmp_path, job("one", "sea", 1), more=f"-f {file}")
    assert (found["one"]["admitted"], found["one"]["refused"]) == ([], "no shard serves jobs without a node pool")


@pytest.mark.parametrize("queues", [["grass"], ["grass", "sky"]])
def test_room_is_that_of_the_queues_of_every_shard(run: Run, queues: list[str]) -> None:
    named = "" if len(queues) > 1 else f"--queue {queues[0]}"
    found = document(run, f"capacity -f {POOLS} {named}")["queues"]
    sizes = {each["queue"]: (each["now"]["size"]["value"], each["copies"]) for each in found}
    assert sizes == {name: {"grass": (4, 4), "sky": (8, 8)}[name] for name in queues}


def test_work_of_another_shard_is_counted(run: Run, tmp_path: Path) -> None:
    state = f"-f {POOLS} -f {waiting(tmp_path)}"
    for command in (f"why -A {state}", f"shares {state}", f"shares {state} --shard green"):
        assert document(run, command)["pending"] == 1, command
    screen = " ".join(run(f"kubectl-fairshare shares {state}").stdout.split())
    assert "0 running, 1 pending (1 pending in other node pools)" in screen
    assert "in other node pools" not in run(f"kubectl-fairshare shares {state} --shard green").stdout


def test_a_cycle_says_that_work_of_another_shard_waits(run: Run, tmp_path: Path) -> None:
    screen = run(f"kubectl-fairshare cycle -f {POOLS} -f {waiting(tmp_path)}").stdout
    assert "no PodGroup of this shard has pods that wait" in screen
    assert "in other node pools: 1 waiting (choose with --shard)" in screen
