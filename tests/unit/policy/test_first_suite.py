"""``test --init`` and ``given.kustomize``: a first file of tests from a state, and tests of what kustomize builds."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from kubectl_fairshare.cli.agents.tools import agent_tools
from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
DEMO = ROOT / "testdata" / "demo"
GITOPS = ROOT / "testdata" / "gitops" / "repository"
NAME = "fairshare-test.yaml"


def copied(source: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "policy"
    shutil.copytree(source, folder)
    (folder / NAME).unlink(missing_ok=True)
    return folder


def written(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = yaml.safe_load((folder / NAME).read_text("utf-8"))["tests"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "first", "number"),
    [
        ("org", "a workload of 1 nvidia.com/gpu in chat", 14),
        ("kai", "a workload of 1 nvidia.com/gpu in product", 9),
        ("koordinator", "a pod of 1 cpu in products", 7),
    ],
)
def test_each_test_of_the_first_file_passes(run: Run, tmp_path: Path, state: str, first: str, number: int) -> None:
    folder = copied(DEMO / state, tmp_path)
    screen = run(f"kubectl-fairshare test --init {folder}")
    assert (screen.code, screen.stderr) == (0, f"note: {folder}/{NAME} has {number} tests\n")
    assert screen.stdout.endswith("exit 0\n")
    assert f"⇒ {number} of {number} tests passed" in screen.stdout
    assert written(folder)[0]["name"] == first
    assert run(f"kubectl-fairshare test {folder}").code == 0


def test_it_fails_once_the_policy_decides_otherwise(run: Run, tmp_path: Path) -> None:
    folder = copied(DEMO / "org", tmp_path)
    run(f"kubectl-fairshare test --init {folder}")
    queue = folder / "products.yaml"
    text = queue.read_text("utf-8").replace("reclaimWithinCohort: Any", "reclaimWithinCohort: Never")
    queue.write_text(text, "utf-8")
    screen = run(f"kubectl-fairshare test {folder}")
    assert screen.code == 1
    assert "✘ all that chat owns in a100: 12 nvidia.com/gpu" in screen.stdout


def test_what_has_no_exact_answer_is_left_out(run: Run, tmp_path: Path) -> None:
    """The flavor of one queue is not given."""
    queue = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: NAME}
spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: NAME, resources: [{name: cpu,
  nominalQuota: 1}]}]}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: NAME, namespace: ns}
spec: {clusterQueue: NAME}
---"""
    flavor = "\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: given}}\n"
    text = queue.replace("NAME", "given") + queue.replace("NAME", "other") + flavor
    (tmp_path / "queues.yaml").write_text(text, "utf-8")
    assert run(f"kubectl-fairshare test --init {tmp_path}/queues.yaml").code == 0
    assert {str(each["name"]) for each in written(tmp_path)} == {"a workload of 1 cpu in given", "what lint finds"}
    assert yaml.safe_load((tmp_path / NAME).read_text("utf-8"))["given"] == {"paths": ["queues.yaml"]}


def test_a_state_without_a_quota_is_an_error_and_no_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "namespace.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n", "utf-8")
    screen = run(f"kubectl-fairshare test --init {tmp_path}")
    assert (screen.code, "has an exact answer" in screen.stderr) == (2, True), screen
    assert not (tmp_path / NAME).exists()


def test_a_kustomization_is_tested_as_it_is_built(run: Run, tmp_path: Path) -> None:
    """Its base is in the repository. The overlay's patch decides: with another one, vision admits nothing."""
    folder = copied(GITOPS, tmp_path) / "overlays" / "gpu-eu"
    outside = run(f"kubectl-fairshare test --init {folder}")
    assert (outside.code, "base` leads out of `gpu-eu`: not read" in outside.stderr) == (2, True)
    (tmp_path / "policy" / ".git").mkdir()
    assert run(f"kubectl-fairshare test --init {folder}").code == 0
    given = yaml.safe_load((folder / NAME).read_text("utf-8"))["given"]
    assert given == {"kustomize": "."}
    patch = folder / "vision.yaml"
    patch.write_text(patch.read_text("utf-8").partition("  fairSharing")[0] + "  stopPolicy: Hold\n", "utf-8")
    screen = run(f"kubectl-fairshare test {folder}")
    assert (screen.code, "there is no queue `vision`" in screen.stderr) == (2, True)


def test_a_folder_without_a_kustomization_is_an_error_at_its_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("given:\n  kustomize: .\ntests: [{name: all, then: {findings: []}}]\n", "utf-8")
    screen = run(f"kubectl-fairshare test {tmp_path}")
    assert screen.code == 2
    assert f"{NAME}:2:14: `.` has no `kustomization.yaml`" in screen.stderr


def test_a_file_of_tests_is_never_replaced(run: Run, tmp_path: Path) -> None:
    folder = copied(DEMO / "org", tmp_path)
    (folder / NAME).write_text("mine", "utf-8")
    screen = run(f"kubectl-fairshare test --init {folder}")
    assert (screen.code, "exists" in screen.stderr) == (2, True)
    assert (folder / NAME).read_text("utf-8") == "mine"


def test_a_state_that_cannot_be_read_writes_no_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: [}", "utf-8"
    )
    assert run(f"kubectl-fairshare test --init {tmp_path}").code == 3
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize("option", ["--only x", "--update"])
def test_options_that_are_about_written_tests_are_refused(run: Run, tmp_path: Path, option: str) -> None:
    screen = run(f"kubectl-fairshare test --init {option} {tmp_path}")
    assert (screen.code, "cannot be used with --only or --update" in screen.stderr) == (2, True)


def test_agents_write_no_file() -> None:
    (tool,) = (each for each in agent_tools(cluster=False).values() if each.name.endswith("test"))
    assert "init" not in tool.taken
