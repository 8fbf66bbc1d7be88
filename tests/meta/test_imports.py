"""Start-up is part of the product: what a call imports is pinned here."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

OURS = "kubectl_fairshare"
# msgspec looks for typing_extensions on its own where that is installed, as mypy and others bring it along.
LIGHT = {"click", "msgspec", "orjson", "typing_extensions"}
HEAVY = {"jsonschema", "kubernetes", "rich", "ruamel", "_ruamel_yaml", "requests", "urllib3", "yaml"}

# Runs in an interpreter of its own: what site and its .pth files load beforehand is not ours to answer for.
PROBE = """
import io, json, sys
before = set(sys.modules)
from kubectl_fairshare.cli.main import main
streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(3)]
code = main(sys.argv[1:], *streams)
print(json.dumps([code, streams[2].buffer.getvalue().decode(), sorted(set(sys.modules) - before)]))
"""

STATE = """{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}},
  {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "metadata": {"name": "any"}},
  {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "alone", "namespace": "team"},
   "spec": {"clusterQueue": "alone"}},
  {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "alone"},
   "spec": {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
     {"name": "any", "resources": [{"name": "cpu", "nominalQuota": "4"}]}]}]}}
]}"""


def loaded(*arguments: str) -> set[str]:
    """Every module that a call in a fresh interpreter imports; the call has to succeed."""
    command = [sys.executable, "-c", PROBE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    code, stderr, modules = json.loads(done.stdout)
    assert code == 0, stderr
    return set(modules)


def foreign(modules: set[str]) -> set[str]:
    """The top-level names among ``modules`` that are neither ours nor of the standard library."""
    return {name.partition(".")[0] for name in modules} - {OURS} - sys.stdlib_module_names


@pytest.fixture
def state(tmp_path: Path) -> str:
    path = tmp_path / "state.json"
    path.write_text(STATE)
    return str(path)


def test_version_imports_click_alone() -> None:
    assert foreign(loaded("--version")) <= {"click"}


def test_version_enters_no_other_room() -> None:
    rooms = {name.split(".")[1] for name in loaded("--version") if name.startswith(f"{OURS}.")}
    assert rooms <= {"cli", "model"}


@pytest.mark.parametrize("command", ["shares", "plan --queue team/alone --request cpu=1", "cycle"])
def test_json_in_and_json_out_needs_nothing_heavy(state: str, command: str) -> None:
    modules = foreign(loaded(*command.split(), "-f", state, "-o", "json"))
    assert modules & HEAVY == set()
    assert modules <= LIGHT


@pytest.mark.parametrize("command", ["plan --queue team/alone --request cpu=1", "cycle"])
def test_a_text_screen_loads_nothing_that_writes_documents(state: str, command: str) -> None:
    modules = loaded(*command.split(), "-f", state)
    read = {f"{OURS}.report.documents.exactness"}  # the exit code of --exact
    assert {name for name in modules if name.startswith(f"{OURS}.report.documents.")} <= read


def test_lint_of_kueue_alone_loads_no_engine_of_another_scheduler(state: str) -> None:
    others = (
        f"{OURS}.schedulers.elasticquota.quotas",
        f"{OURS}.schedulers.kai.session",
        f"{OURS}.schedulers.kai.reading",
    )
    assert {name for name in loaded("lint", state, "--fail-on", "never") if name.startswith(others)} == set()


def test_lint_needs_nothing_heavy(state: str) -> None:
    modules = loaded("lint", "-f", state, "--select", "K041", "-o", "json")
    assert foreign(modules) & HEAVY == set()
    assert foreign(modules) <= LIGHT


def test_lint_leaves_schedulers_alone_that_the_input_does_not_mention(state: str) -> None:
    modules = loaded("lint", "-f", state, "--fail-on", "never")
    for scheduler in ("kai", "elasticquota"):
        assert {name for name in modules if f".schedulers.{scheduler}.rules." in name} == set()


def test_lint_of_one_rule_imports_no_rule_that_it_does_not_run(state: str) -> None:
    modules = {name for name in loaded("lint", state, "--select", "K041", "--fail-on", "never") if ".rules." in name}
    kueue = f"{OURS}.schedulers.kueue.rules."
    assert {name for name in modules if not name.startswith(kueue)} == set()
    shelves = {name.removeprefix(kueue).partition(".")[0] for name in modules}
    assert "cohorts" in shelves
    assert shelves & {"checks", "jobs", "preemption", "queues", "references", "sharing", "topology"} == set()


def test_lint_imports_no_engine_whole(state: str) -> None:
    modules = loaded("lint", "-f", state, "--fail-on", "never")
    assert f"{OURS}.schedulers.kueue.engine" not in modules
