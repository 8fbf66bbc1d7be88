"""Jobs of several equal PodGroups: how many of them wait decides about fair shares, and so about the first."""

from pathlib import Path

import pytest

from tests.unit.schedulers.kai.inputs import NODES, Asked, Run, group, queues, stored_pod, subjects

HELD = "".join(group(f"r{i}", "b", "", i) + stored_pod(f"r{i}", 3, f"n{i}") for i in (1, 2))
CLASS = "\n---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: inference}, value: 125}\n"
STATE = queues(0) + NODES + HELD + CLASS
"""Queue b holds three GPUs of each node, and may keep six of eight if two are requested in queue a, else four."""


def owner(kind: str, replicas: int, spec: str = "", cpu: str = "1", gpus: int = 2) -> str:
    """An owner of pods in queue a that fit no node now."""
    resources = f'{{limits: {{cpu: "{cpu}", memory: 8Gi, nvidia.com/gpu: "{gpus}"}}}}'
    return f"""
apiVersion: apps/v1
kind: {kind}
metadata: {{name: new, namespace: ml, labels: {{kai.scheduler/queue: a, kai.scheduler/preemptibility: preemptible}}}}
spec:
  replicas: {replicas}
  serviceName: new
  selector: {{matchLabels: {{app: new}}}}
  template:
    metadata: {{labels: {{app: new}}}}
    spec:
      schedulerName: kai-scheduler
      containers: [{{name: c, image: i, resources: {resources}}}]
{spec}
"""


@pytest.fixture
def ask(run: Run, tmp_path: Path) -> Asked:
    return Asked(run, tmp_path)


def test_other_pod_groups_of_a_job_may_decide_about_the_first(ask: Asked) -> None:
    assert ask.plan(STATE, owner("Deployment", 1)) == ("Waits", True, ())
    assert ask.plan(STATE, owner("Deployment", 2)) == ("Unknown", False, ("Copies",))
    assert subjects(ask("plan", STATE, owner("Deployment", 2))) == ("2",)


def test_an_answer_that_other_pod_groups_do_not_change_is_exact(ask: Asked) -> None:
    assert ask.plan(STATE, owner("Deployment", 5, gpus=1)) == ("Admitted", True, ())
    assert ask.plan(STATE, owner("Deployment", 5, gpus=5)) == ("Never", True, ())
    assert ask.plan(STATE, owner("Deployment", 5, gpus=4))[:2] == ("Preempts", True)


def test_a_verdict_on_one_of_several_pod_groups_says_so(ask: Asked) -> None:
    said = [ask("plan", STATE, owner("Deployment", number, gpus=1))["verdict"] for number in (1, 5)]
    assert said == [
        "admitted now: enough resources are idle" + more for more in ("", " (the first of its 5 PodGroups)")
    ]


def test_more_copies_than_are_tried_leave_the_answer_open(ask: Asked) -> None:
    """The hundredth copy with a tenth of a core still counts, one with a whole core does not."""
    assert ask.plan(STATE, owner("Deployment", 102, cpu="100m", gpus=4)) == ("Unknown", False, ("Copies",))
    assert ask.plan(STATE, owner("Deployment", 101, cpu="100m", gpus=4))[:2] == ("Preempts", True)
    assert ask.plan(STATE, owner("Deployment", 102, gpus=4))[:2] == ("Preempts", True)


def test_pods_of_one_pod_group_are_all_there(ask: Asked) -> None:
    assert ask.plan(STATE, owner("ReplicaSet", 1)) == ("Waits", True, ())
    assert ask.plan(STATE, owner("ReplicaSet", 2)) == ("Preempts", True, ())
    assert ask.plan(STATE, owner("StatefulSet", 2)) == ("Waits", True, ())
    assert ask.plan(STATE, owner("StatefulSet", 2, "  podManagementPolicy: Parallel")) == ("Preempts", True, ())
