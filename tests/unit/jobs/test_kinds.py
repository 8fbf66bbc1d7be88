"""The one table of kinds that make pods: what knows kinds is derived from it, so a new kind is one row."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kubectl_fairshare.jobs.kinds import BY_NAME, CARRIERS, POD_MAKERS
from kubectl_fairshare.schedulers.elasticquota.house import ElasticQuotas
from kubectl_fairshare.schedulers.kai.house import Kai
from kubectl_fairshare.schedulers.kai.jobs.kinds.every_kind import SHAPES
from kubectl_fairshare.schedulers.kai.why.owners import KINDS as NAMED_TO_KAI
from kubectl_fairshare.schedulers.kueue.jobs.kinds.every_kind import ALL_KINDS
from tests.screens import ROOT

DEMO = ROOT / "testdata" / "demo" / "org"
PLANT = """
from kubectl_fairshare.jobs import kinds
row = kinds.PodMaker("flow.example.org", "v1", "FlowJob", "flowjobs", "flow.example.org/flowjob",
                     grouped=True, replicas="flowReplicaSpecs", roles=("Leader", "Worker"))
kinds.POD_MAKERS, kinds.BY_NAME = (*kinds.POD_MAKERS, row), {**kinds.BY_NAME, row.name: row}
"""
PROGRAM = "from kubectl_fairshare.cli.main import process; process()"
ASKABLE = "from kubectl_fairshare.schedulers.kueue.why.subjects import ASKABLE; print(ASKABLE)"
FLOW = """
apiVersion: flow.example.org/v1
kind: FlowJob
metadata: {name: flow, namespace: chat, labels: {kueue.x-k8s.io/queue-name: gpus}}
spec:
  flowReplicaSpecs:
    Leader: {template: {spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
    Worker: {replicas: 2, template: {spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
"""


def planted(program: str, *words: str | Path) -> str:
    """What a program prints whose table has one more row."""
    run = [sys.executable, "-c", PLANT + program, *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(run, capture_output=True, text=True, cwd=ROOT, env=environment, check=False).stdout


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    """The demo with a manager that has the planted integration, and a job of that kind."""
    shutil.copytree(DEMO, tmp_path / "org")
    manager = tmp_path / "org" / "kueue.yaml"
    text = manager.read_text("utf-8")
    assert "frameworks: [batch/job]" in text
    manager.write_text(text.replace("[batch/job]", "[batch/job, flow.example.org/flowjob]"), "utf-8")
    (tmp_path / "flow.yaml").write_text(FLOW, "utf-8")
    return tmp_path


def test_a_planted_kind_is_read_from_clusters_and_in_the_roles_for_that() -> None:
    assert "flowjobs" in planted(PROGRAM, "rbac", "--scheduler", "kueue")


@pytest.mark.slow
def test_a_planted_kind_is_linted(cluster: Path) -> None:
    assert "K173" not in planted(PROGRAM, "lint", cluster / "org", cluster / "flow.yaml")
    found = planted(PROGRAM, "lint", DEMO, cluster / "flow.yaml")
    assert "`flow.example.org/flowjob` is not enabled: 1 FlowJob with a queue name" in found


def test_a_planted_kind_is_planned_with_a_pod_set_for_each_role(cluster: Path) -> None:
    found = planted(PROGRAM, "plan", "-f", cluster / "org", "-w", cluster / "flow.yaml", "-o", "json")
    assert '"leader"' in found
    assert '"worker"' in found


def test_shells_complete_a_planted_kind() -> None:
    assert "('flow.example.org', 'FlowJob')" in planted(ASKABLE)


def test_every_row_with_a_framework_has_a_reader() -> None:
    assert {kind.name for kind in POD_MAKERS if kind.framework} | {("", "Pod")} == {
        (kind.group, kind.kind) for kind in ALL_KINDS
    }
    assert len(BY_NAME) == len(POD_MAKERS)


def test_what_is_grouped_can_be_asked_about_and_is_read() -> None:
    grouped = {kind.name for kind in POD_MAKERS if kind.grouped}
    assert SHAPES.keys() - {("", "PodTemplate")} <= grouped
    assert grouped - SHAPES.keys() == {
        ("trainer.kubeflow.org", "TrainJob"),  # its JobSet is grouped
        ("sparkoperator.k8s.io", "SparkApplication"),  # how is not modelled
    }
    assert grouped <= NAMED_TO_KAI
    assert {kind for _, kind in grouped} <= set(Kai().also_read("why"))


def test_single_pods_are_made_by_all_kinds_with_one_template() -> None:
    assert {kind for _, kind in CARRIERS} <= set(ElasticQuotas().also_read("why"))
