"""New pods of one job that differ: the order in which they are created decides where they go, or whether."""

from pathlib import Path

import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from tests.unit.schedulers.kai.inputs import NODES, Asked, Run, doubts, queues, running

STATE = queues(4) + NODES
FULLER = STATE + running(1)
"""One node has three idle GPUs, the other four."""


def tf_job(**gpus: tuple[int, int]) -> str:
    """A TFJob: for each type of replica, how many, and how many GPUs each."""
    roles = "".join(
        f"""
    {role}:
      replicas: {count}
      template:
        spec:
          schedulerName: kai-scheduler
          containers: [{{name: c, image: i, resources: {{limits: {{cpu: "1", nvidia.com/gpu: "{each}"}}}}}}]"""
        for role, (count, each) in gpus.items()
    )
    return f"""
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {{name: new, namespace: ml, labels: {{kai.scheduler/queue: a}}}}
spec:
  tfReplicaSpecs:{roles}
"""


@pytest.fixture
def ask(run: Run, tmp_path: Path) -> Asked:
    return Asked(run, tmp_path)


@pytest.mark.parametrize(("first", "second"), [("PS", "Worker"), ("Worker", "Evaluator")])
def test_an_order_that_decides_whether_pods_fit_leaves_the_answer_open(ask: Asked, first: str, second: str) -> None:
    """Three GPUs first: three on one node, twice two on the other. Two GPUs first: none has three left."""
    chief = {"Chief": (1, 0)}
    assert ask.plan(FULLER, tf_job(**chief, **{first: (1, 3), second: (2, 2)})) == ("Unknown", False, ("PodOrder",))
    assert ask.plan(FULLER, tf_job(**chief, **{first: (2, 2), second: (1, 3)})) == ("Unknown", False, ("PodOrder",))


def test_an_order_that_decides_only_where_pods_go_leaves_the_outcome(ask: Asked) -> None:
    found = ask("plan", STATE, tf_job(Chief=(1, 0), PS=(1, 3), Worker=(2, 2)))
    fidelity = found["fidelity"]
    assert (found["outcome"], fidelity["exact"], fidelity["allOutcomes"]) == ("Admitted", False, False)
    assert (doubts(found), len(found["ties"])) == ((), 1)


def test_an_order_that_decides_the_outcome_is_one_of_those_that_are_counted(ask: Asked) -> None:
    found = ask("plan", FULLER, tf_job(Chief=(1, 0), PS=(1, 3), Worker=(2, 2)))
    assert {each["outcome"] for each in found["possible"]} == {"Admitted", "Waits"}
    assert found["verdict"].startswith("unknown: 1 of 3 orders admits it, 2 wait: ")


def test_an_order_that_decides_only_who_leaves_leaves_the_outcome(ask: Asked) -> None:
    """Which of two pods comes first decides which node is cleared for it."""
    apart = NODES.replace('nvidia.com/gpu: "4"', 'nvidia.com/gpu: "3"', 1)
    found = ask("plan", queues(4) + apart + running(7), tf_job(Chief=(1, 0), PS=(1, 1), Worker=(1, 2)))
    fidelity = found["fidelity"]
    assert (found["outcome"], doubts(found), fidelity["exact"], len(found["ties"])) == ("Preempts", (), False, 1)
    assert {each["outcome"] for each in found["possible"]} == {"Preempts"}


def test_the_screen_says_that_nodes_follow_the_order_of_pods(run: Run, tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(STATE, encoding="utf-8")
    (tmp_path / "new.yaml").write_text(tf_job(Chief=(1, 0), PS=(1, 3), Worker=(2, 2)), encoding="utf-8")
    screen = run(f"kubectl-fairshare plan -f {tmp_path}/state.yaml -w {tmp_path}/new.yaml")
    assert "its pods differ and may be created in any order" in " ".join(screen.stdout.split())
    assert "Go map" not in screen.stdout


def test_each_order_may_have_a_condition_of_its_own(ask: Asked) -> None:
    found = ask("plan", STATE + running(4), tf_job(Chief=(1, 0), PS=(1, 3), Worker=(1, 2)))
    conditions = [found["placement"]["condition"], *found["placement"]["otherConditions"]]
    assert (found["outcome"], len(set(conditions))) == ("Waits", 2)


def test_equal_pods_may_change_places(ask: Asked) -> None:
    found = ask("plan", FULLER, tf_job(Worker=(3, 2)))
    fidelity = found["fidelity"]
    assert (found["outcome"], fidelity["exact"], fidelity["allOutcomes"]) == ("Admitted", True, True)


def test_the_order_of_stored_pods_is_known(ask: Asked) -> None:
    pods = "".join(
        f"""
---
apiVersion: v1
kind: Pod
metadata: {{name: w-{gpus}-{i}, namespace: ml, {uid}, annotations: {{pod-group-name: w}}}}
spec:
  schedulerName: kai-scheduler
  containers: [{{name: c, image: i, resources: {{limits: {{nvidia.com/gpu: "{gpus}"}}}}}}]
"""
        for i, (gpus, uid) in enumerate([(3, "uid: a"), (2, "uid: b"), (2, "uid: c")])
    )
    group = """
---
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata: {name: w, namespace: ml}
spec: {queue: a, minMember: 3, preemptibility: preemptible}
"""
    assert ask.plan(FULLER, group + pods)[:2] == ("Admitted", True)
    unknown = pods
    for uid in ("a", "b", "c"):
        unknown = unknown.replace(f" uid: {uid},", "")
    assert ask.plan(FULLER, group + unknown) == ("Unknown", False, ("PodOrder",))
    assert doubts(ask("cycle", FULLER + group + pods)) == ()
    assert doubts(ask("cycle", FULLER + group + unknown)) == ("PodOrder",)
    assert doubts(ask("cycle", FULLER + group + unknown.replace('"2"', '"3"'))) == ()


def test_a_new_pod_of_a_job_comes_after_its_stored_pods() -> None:
    stored = {"metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"}}
    old, new = (pod_of(ObjectKey("", "Pod", "ml", name), data, {}) for name, data in (("z", stored), ("a", {})))
    assert old.rank < new.rank
