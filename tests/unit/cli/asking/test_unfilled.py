"""What a template would be is not known: an answer that objects of its kind can change is not exact."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen

QUEUES = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  cohortName: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: team}
spec: {clusterQueue: q}
"""
COMMANDS = [
    "shares -f .",
    "plan -f . --queue team/lq --request cpu=6",
    "cycle -f .",
    "why -A -f .",
    "capacity -f . --request cpu=1",
    "diff . . --overlay ../more.yaml",
]
UNKNOWN = "not all objects of kind ClusterQueue are in the input"
Run = Callable[[str], Screen]


def chart(folder: Path, kind: str) -> None:
    (folder / "queues.yaml").write_text(QUEUES, encoding="utf-8")
    (folder / "chart" / "templates").mkdir(parents=True)
    (folder / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: other\nversion: 0.1.0\n", encoding="utf-8")
    template = f"kind: {kind}\nmetadata: {{{{ .Values.name }}}}\n"
    (folder / "chart" / "templates" / "a.yaml").write_text(template, encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("kind", "exact"), [("ClusterQueue", False), ("Deployment", True)])
def test_a_chart_that_is_not_rendered(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, kind: str, *, exact: bool
) -> None:
    chart(tmp_path, kind)
    monkeypatch.chdir(tmp_path)
    (tmp_path.parent / "more.yaml").write_text(QUEUES.split("---")[1].replace("4", "5"), encoding="utf-8")
    screen = run(f"kubectl-fairshare {command}")
    assert ("not exact" not in screen.stdout) is exact
    if not exact:
        assert "KindUnread" in run(f"kubectl-fairshare {command} -o json").stdout


def test_a_comparison_of_what_is_the_same_is_exact(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chart(tmp_path, "ClusterQueue")
    monkeypatch.chdir(tmp_path)
    screen = run("kubectl-fairshare diff . . --fail-on undecided")
    assert (screen.code, "not exact" in screen.stdout) == (0, False), screen


def test_a_chart_that_helm_refuses(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chart(tmp_path, "ClusterQueue")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "helm").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (tmp_path / "bin" / "helm").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(tmp_path)
    assert UNKNOWN in " ".join(run("kubectl-fairshare plan -f . --queue team/lq --request cpu=6 --helm").stdout.split())


@pytest.mark.parametrize(
    ("file", "text", "exact"),
    [
        ("templates/a.yaml", "metadata: {{ .Values.name }}\n", False),
        ("templates/a.yaml", "kind: {{ .Values.kind }}\nmetadata: {name: x}\n", False),
        ("templates/a.yaml", '{{ include "other.queues" . }}\n', False),
        ("templates/a.yaml", "{{ if .Values.on }}\nkind: Deployment\n{{ end }}\n", True),
        ("Chart.yaml", "name: other\nversion: 0.1.0\ndependencies: [{name: x, version: 1.0.0}]\n", False),
        ("requirements.yaml", "dependencies: [{name: x, version: 1.0.0}]\n", False),
    ],
)
def test_what_a_chart_may_hold_beside_what_it_spells(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, *, exact: bool
) -> None:
    """A kind that is not spelled, and charts that it depends on, can be anything."""
    chart(tmp_path, "Deployment")
    (tmp_path / "chart" / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    screen = run("kubectl-fairshare plan -f . --queue team/lq --request cpu=6")
    assert ("not exact" not in screen.stdout) is exact


def test_no_input_with_such_a_chart_is_complete(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cohort or flavor that is missing may be among what the chart makes: it is no mistake of the input."""
    (tmp_path / "queues.yaml").write_text(QUEUES.replace("name: f,", "name: absent,"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    lint = "kubectl-fairshare lint . --complete --fail-on error"
    assert run(lint).code == 1
    chart(tmp_path, "ResourceFlavor")
    (tmp_path / "queues.yaml").write_text(QUEUES.replace("name: f,", "name: absent,"), encoding="utf-8")
    assert run(lint).code == 0
