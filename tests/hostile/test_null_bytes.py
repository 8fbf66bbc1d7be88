"""A path with a null byte is named with its place, whatever names it and whatever is asked."""

from pathlib import Path

import pytest

from tests.screens import shown

PATH = r'"a\0b.yaml"'
FIELDS = {
    "resources": f"resources:\n- {PATH}\n",
    "components": f"components:\n- {PATH}\n",
    "patches": f"patches:\n- path: {PATH}\n  target: {{kind: ClusterQueue}}\n",
    "replacements": f"replacements:\n- path: {PATH}\n",
    "configurations": f"configurations:\n- {PATH}\n",
    "crds": f"crds:\n- {PATH}\n",
    "openapi": f"openapi: {{path: {PATH}}}\n",
    "patchesStrategicMerge": f"patchesStrategicMerge:\n- {PATH}\n",
    "patchesJson6902": f"patchesJson6902:\n- path: {PATH}\n  target: {{version: v1, kind: ClusterQueue, name: q}}\n",
    "generators": f"generators:\n- {PATH}\n",
    "files of a generator": f"configMapGenerator:\n- name: x\n  files: [{PATH}]\n",
    "environments of a generator": f"configMapGenerator:\n- name: x\n  envs: [{PATH}]\n",
}
COMMANDS = ("shares -f", "why -A -f", "cycle -f", "capacity -f", "lint", "report -o html -f")
QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}]}]
"""


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside a queue"])
def test_every_field_that_names_a_path_is_named(tmp_path: Path, field: str, beside: bool) -> None:
    text = FIELDS[field]
    if beside:
        (tmp_path / "q.yaml").write_text(QUEUE)
        text = f"{text}- q.yaml\n" if field == "resources" else f"{text}resources: [q.yaml]\n"
    (tmp_path / "kustomization.yaml").write_text(text)
    screen = shown(f"kubectl-fairshare lint {tmp_path}")
    assert f"{tmp_path}/kustomization.yaml:" in screen.stderr
    assert "null byte" in screen.stderr
    assert screen.stderr.count("no path has a null byte") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_names_it(tmp_path: Path, command: str) -> None:
    (tmp_path / "kustomization.yaml").write_text(FIELDS["resources"])
    screen = shown(f"kubectl-fairshare {command} {tmp_path}")
    assert screen.code == 3
    assert f"{tmp_path}/kustomization.yaml:2:3: `{tmp_path}/a?b.yaml`: no path has a null byte" in screen.stderr
    assert "help: " in screen.stderr
    assert "\0" not in screen.stderr
