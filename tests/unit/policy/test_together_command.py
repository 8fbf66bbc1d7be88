"""``plan --together``: one screen for many jobs, with sums; the document and the other forms."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.schemas import problems
from tests.screens import Screen
from tests.unit.policy.simulation.states import policy, queue

Run = Callable[[str], Screen]
JOB = """---
apiVersion: batch/v1
kind: Job
metadata: {{name: {name}, namespace: {queue}, labels: {{kueue.x-k8s.io/queue-name: main}}}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{{name: c, image: i, resources: {{limits: {{nvidia.com/gpu: {gpus}}}}}}}]
"""


@pytest.fixture
def call(tmp_path: Path) -> str:
    """Two queues of 40, and 500 jobs in a folder."""
    policy(tmp_path, queue("vision", 40), queue("speech", 40))
    folder = tmp_path / "jobs"
    folder.mkdir()
    for number in range(500):
        name, gpus = ("vision", "speech")[number % 2], 1 + number % 3 if number else 100
        (folder / f"job-{number:03}.yaml").write_text(JOB.format(name=f"job-{number:03}", queue=name, gpus=gpus))
    return f"kubectl-fairshare plan --together -f {tmp_path}/policy.yaml -w {folder}"


@pytest.mark.slow
def test_500_jobs_are_one_screen_with_sums(run: Run, call: str) -> None:
    screen = run(call)
    assert screen.code == 4
    assert len(screen.stdout.splitlines()) <= 40
    assert screen.stdout.startswith("500 jobs: ")
    document = json.loads(run(f"{call} -o json").stdout)
    assert problems(document) == []
    counts = document["counts"]
    assert sum(counts.values()) == len(document["jobs"]) == 500
    assert (counts["Never"], document["jobs"][-1]["cycle"]) == (1, None)
    held = sum(each["needs"][0]["value"] for each in document["jobs"] if each["cycle"] is not None)
    assert held == 80
    assert len(run(f"{call} -o csv").stdout.splitlines()) == 501
    assert run(f"{call} --brief").stdout.startswith("⇒ 500 jobs: ")
    assert "| Outcome | Job |" in run(f"{call} -o markdown").stdout
    assert len(run(f"{call} -o wide").stdout.splitlines()) > 500


def test_nothing_waits(run: Run, tmp_path: Path) -> None:
    policy(tmp_path, queue("vision", 4))
    screen = run(f"kubectl-fairshare plan --together -f {tmp_path}/policy.yaml")
    assert (screen.code, screen.stdout.splitlines()[0].split("  ")[0]) == (0, "nothing waits")
