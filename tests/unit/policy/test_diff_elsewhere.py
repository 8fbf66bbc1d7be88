"""``diff`` under KAI and ElasticQuota: the same question to other schedulers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.schedulers.kai.explain.preemptors import candidacies
from tests.screens import Screen

Run = Callable[[str], Screen]
KAI = "testdata/demo/kai --overlay testdata/demo/kai-change.yaml"
CAPACITY = "testdata/demo/capacity"


def document(run: Run, words: str) -> Any:
    return json.loads(run(f"kubectl-fairshare diff {words} -o json").stdout)


@pytest.mark.slow
def test_a_new_queue_may_reclaim_from_those_over_their_share(run: Run) -> None:
    found = document(run, KAI)

    assert {risk["queue"]: risk["gained"][0]["queues"] for risk in found["running"]} == {
        "product": ["robotics"],
        "speech": ["robotics"],
    }
    assert {row["queue"]["name"] for row in found["rights"]} == {"robotics"}


def test_a_smaller_min_puts_the_pods_of_its_namespace_at_risk(run: Run, tmp_path: Path) -> None:
    quotas = (Path(CAPACITY) / "quotas.yaml").read_text()
    smaller = tmp_path / "quotas.yaml"
    smaller.write_text(
        quotas.replace("nvidia.com/gpu: 6", "nvidia.com/gpu: 1").replace('nvidia.com/gpu: "6"', 'nvidia.com/gpu: "1"')
    )

    found = document(run, f"{CAPACITY} --overlay {smaller}")

    (row,) = [each for each in found["rights"] if each["queue"]["namespace"] == "production"]
    assert (row["before"]["guaranteed"]["value"], row["after"]["guaranteed"]["value"]) == (6, 1)
    assert run(f"kubectl-fairshare diff {CAPACITY} --overlay {smaller} --fail-on guaranteed").code == 1


@pytest.mark.slow
def test_a_policy_does_not_differ_from_itself(run: Run) -> None:
    for words in ("testdata/demo/kai testdata/demo/kai", f"{CAPACITY} {CAPACITY}"):
        assert document(run, words)["verdict"] == "no change"


def test_versions_of_different_schedulers_are_not_compared(run: Run) -> None:
    screen = run("kubectl-fairshare diff testdata/demo/koordinator testdata/demo/capacity")

    assert (screen.code, screen.stdout) == (2, "")
    assert "BEFORE has quotas of Koordinator, AFTER of ElasticQuota" in screen.stderr


def test_of_two_units_in_one_folder_the_other_version_may_have_one(run: Run, tmp_path: Path) -> None:
    before = Path("testdata/diff/before.yaml").read_text()
    for name, text in (("a", before), ("b", before.replace("nominalQuota: 12", "nominalQuota: 13"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "queues.yaml").write_text(text)
    screen = run(f"kubectl-fairshare diff {tmp_path} {tmp_path}/a")
    assert screen.code == 0
    told = "".join(screen.stdout.split())  # long paths are broken
    assert f"nochange:{tmp_path}/a→{tmp_path}/a" in told
    assert f"unit{tmp_path}/b(gone)" in told
    assert "⇒1of2units:2queueslose" in told
    assert run(f"kubectl-fairshare diff {tmp_path}/a {tmp_path}/b").code == 0


ELASTIC_QUOTA = """\
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: q, namespace: team}
spec: {min: {cpu: 9}, max: {cpu: LIMIT}}
"""
QUEUE = """\
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: company}
spec: {resources: {cpu: {quota: 9000, limit: LIMIT000, overQuotaWeight: 1}}}
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: team}
spec: {parentQueue: company, resources: {cpu: {quota: 9000, limit: -1, overQuotaWeight: 1}}}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: 20, memory: 1Gi, pods: 10}}
"""


@pytest.mark.parametrize("policy", [ELASTIC_QUOTA, QUEUE])
def test_a_queue_gets_no_more_than_it_can_ever_hold_when_all_are_busy(run: Run, policy: str, tmp_path: Path) -> None:
    for name, limit in (("before", "9"), ("after", "8")):
        (tmp_path / f"{name}.yaml").write_text(policy.replace("LIMIT", limit))
    found = document(run, f"{tmp_path}/before.yaml {tmp_path}/after.yaml --complete --fail-on entitled")

    (cpu,) = [each for each in found["rights"] if each["resource"] == "cpu"]
    assert cpu["after"]["guaranteed"]["value"] == cpu["before"]["entitled"]["value"] == 9000
    assert cpu["after"]["entitled"]["value"] == cpu["after"]["most"]["value"] == 8000
    assert found["gates"]["failed"] == ["entitled"]


RUNS = """\
---
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata: {name: run, namespace: ml}
spec: {queue: team, minMember: 1}
---
apiVersion: v1
kind: Pod
metadata: {name: run, namespace: ml, annotations: {pod-group-name: run}}
spec:
  schedulerName: kai-scheduler
  nodeName: n1
  containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
status: {phase: Running}
"""


@pytest.mark.parametrize(("most", "doubted"), [(9, False), (0, True)])
def test_many_queues_leave_it_open_who_may_preempt_running_work(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, doubted: bool
) -> None:
    monkeypatch.setattr(candidacies, "_MOST", most)
    for name, limit in (("before", "9"), ("after", "8")):
        (tmp_path / f"{name}.yaml").write_text(QUEUE.replace("LIMIT", limit) + RUNS)
    found = document(run, f"{tmp_path}/before.yaml {tmp_path}/after.yaml --complete --fail-on running-at-risk")
    (unsure,) = found["undecided"]
    assert unsure["about"] == "who may preempt running work"
    assert ("fair shares are not divided again" in unsure["why"]) == doubted
    assert found["gates"]["failed"] == ["running-at-risk"]
