"""The archive of a release: frozen by PyInstaller, started without any Python, installed by krew itself."""

import os
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import orjson
import pytest

import kubectl_fairshare
from kubectl_fairshare.cli.linting.rule_choice import known_rules
from tests.bench.run import cost
from tests.meta.test_krew import ARCHIVES, KREW, render
from tests.screens import ROOT
from tests.unit.input.cluster.served import organisation, serving

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(find_spec("PyInstaller") is None, reason="PyInstaller is not installed: the `release` extra"),
]
ORG = ROOT / "testdata" / "demo" / "org"
BAD = ROOT / "testdata" / "rules" / "K041" / "bad.yaml"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the frozen program and its archive."""
    folder = tmp_path_factory.mktemp("release")
    done = subprocess.run(
        [sys.executable, ".ci/archive.py", folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def unpacked(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program out of the archive, at a place of its own."""
    folder = tmp_path_factory.mktemp("unpacked")
    (archive,) = release.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "kubectl-fairshare" / "kubectl-fairshare"


def called(program: Path | str, *arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    """What a program does where there is no Python and nothing of ours."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", **more}
    command = [str(part) for part in (program, *arguments)]
    return subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)


def ours(*arguments: object) -> str:
    """What the program prints when it is not frozen."""
    command = [sys.executable, "-m", "kubectl_fairshare", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False).stdout


def test_the_archive_is_named_for_its_platform(release: Path) -> None:
    (archive,) = release.glob("*.tar.gz")
    assert archive.name in ARCHIVES
    assert platform.system().lower() in archive.name


def test_it_tells_its_version(unpacked: Path) -> None:
    done = called(unpacked, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        f"kubectl-fairshare {kubectl_fairshare.__version__}\n",
        "",
    )


def test_the_demo_comes_along(unpacked: Path) -> None:
    done = called(unpacked, "demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert str(unpacked.parent / "_internal").removeprefix("/") in done.stdout


def test_lint_finds_what_it_finds_elsewhere(unpacked: Path) -> None:
    done = called(unpacked, "lint", BAD, "-o", "json")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == ours("lint", BAD, "-o", "json")


def test_every_rule_comes_along_with_its_examples(unpacked: Path) -> None:
    listed = orjson.loads(called(unpacked, "lint", "--list-rules", "-o", "json").stdout)
    assert [rule["id"] for rule in listed["rules"]] == [rule.id for rule in known_rules()]
    assert called(unpacked, "rule", "K041").stdout == ours("rule", "K041")


@pytest.mark.parametrize(
    "words",
    [
        ["shares", "-f", ORG, "-o", "json"],
        ["plan", "-f", ORG, "-w", ORG.parent / "jobs" / "finetune.yaml", "-o", "json"],
        ["why", "-f", ORG, "-A"],
        ["cycle", "-f", ORG, "-o", "yaml"],
        ["__complete", "why", "-f", ORG, ""],
    ],
)
def test_answers_are_the_same(unpacked: Path, words: list[object]) -> None:
    done = called(unpacked, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == ours(*words) != ""


def test_a_cluster_is_asked_and_its_names_completed(unpacked: Path, tmp_path: Path) -> None:
    with serving(organisation()) as served:
        config = served.kubeconfig(tmp_path, token="t")
        words = ["shares", "--kubeconfig", config, "-o", "json"]
        done = called(unpacked, *words, XDG_CACHE_HOME=str(tmp_path))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == ours(*words) != ""
    asked = called(
        unpacked, "__complete", "shares", "--kubeconfig", config, "--queue", "o", XDG_CACHE_HOME=str(tmp_path)
    )
    assert asked.stdout.splitlines() == ["other/inbox\tLocalQueue", "ours\tClusterQueue", ":4"]


def test_start_up_is_measured(unpacked: Path, count: Callable[[str], None]) -> None:
    bare = median(cost([sys.executable, "-c", "pass"])[0] for _ in range(9))
    start = median(cost([str(unpacked), "--version"])[0] for _ in range(9))
    count(f"start-up of the frozen program: {start / bare:.1f} bare interpreters")
    assert start > 0


@pytest.mark.skipif(not (shutil.which("go") and shutil.which("kubectl")), reason="needs Go, for krew, and kubectl")
def test_krew_installs_it_and_kubectl_runs_it(release: Path, tmp_path: Path) -> None:
    (archive,) = release.glob("*.tar.gz")
    for name in ARCHIVES:
        (release / name).touch()
    assert render(release).returncode == 0
    (tmp_path / "go.mod").write_text(f"module fairshare.dev/krew\n\ngo 1.25\n\nrequire sigs.k8s.io/krew {KREW}\n")
    command = ["go", "build", "-mod=mod", "-o", "krew", "sigs.k8s.io/krew/cmd/krew"]
    environment = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    root = {"KREW_ROOT": str(tmp_path / "root"), "PATH": f"{tmp_path / 'root' / 'bin'}:/usr/bin:/bin"}
    manifest = [f"--manifest={release / 'fairshare.yaml'}", f"--archive={archive}"]
    installed = called(tmp_path / "krew", "install", *manifest, **root)
    assert installed.returncode == 0, installed.stderr
    done = called("kubectl", "fairshare", "--help", **root)
    assert done.stdout.startswith("Usage: kubectl fairshare [OPTIONS]")
