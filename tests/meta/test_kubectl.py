"""The installed program as a plugin of the real kubectl: found, named, completed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kubectl_fairshare.cli.program import COMMANDS
from tests.meta.installation import Installation
from tests.meta.repository import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed"),
]
DEMO = str(ROOT / "testdata" / "demo" / "org")


def kubectl(installation: Installation, *arguments: str) -> subprocess.CompletedProcess[str]:
    """kubectl with the plugin on the PATH and no cluster."""
    environment = installation.environment(KUBECONFIG=os.devnull, XDG_CACHE_HOME=str(installation.folder / "cache"))
    command = ["kubectl", *arguments]
    return subprocess.run(
        command, cwd=installation.folder, env=environment, capture_output=True, text=True, check=False
    )


def test_kubectl_finds_the_plugin(installation: Installation) -> None:
    assert str(installation.folder / "bin" / "kubectl-fairshare") in kubectl(installation, "plugin", "list").stdout


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_its_usage_is_that_of_the_plugin(installation: Installation, arguments: list[str]) -> None:
    done = kubectl(installation, "fairshare", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: kubectl fairshare [OPTIONS] [COMMAND] [ARGS]...\n")


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_names_the_plugin(installation: Installation, command: str) -> None:
    done = kubectl(installation, "fairshare", command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: kubectl fairshare {command} ")


def test_errors_name_the_plugin_too(installation: Installation) -> None:
    wrong = kubectl(installation, "fairshare", "shares", "--nope")
    assert wrong.returncode == 2
    assert "see `kubectl fairshare shares --help`" in wrong.stderr


def test_answers_and_exit_codes_pass_through_kubectl(installation: Installation) -> None:
    asked = ["plan", "-f", DEMO, "-w", str(Path(DEMO).parent / "jobs" / "reindex.yaml"), "-o", "json"]
    done = kubectl(installation, "fairshare", *asked)
    assert done.returncode == 4
    assert done.stdout == kubectl(installation, "fairshare", *asked).stdout != ""


def test_kubectl_takes_no_options_before_the_name_of_a_plugin(installation: Installation) -> None:
    """The page on cluster access says so; once this changes, it may say otherwise."""
    done = kubectl(installation, "-n", "vision", "fairshare", "why", "-f", DEMO)
    assert done.returncode != 0
    assert "flags cannot be placed before plugin name" in done.stderr
    assert "flags cannot be placed before plugin name" in (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sha"], ["shares\twhich queue holds what: quota, usage, borrowing, fair shares", ":4"]),
        (["shares", "--satu"], ["--saturated\tShort for --demand unlimited: all queues are busy", ":4"]),
        (["shares", "--output=y"], ["yaml", ":4"]),
        (["why", "-f", DEMO, "workload/sweep"], [*(f"workload/sweep-{n}\tvision" for n in (1, 2, 3)), ":4"]),
        (["shares", "-f", ""], [":0"]),
        (["nonsense", ""], [":4"]),
    ],
)
def test_kubectl_completes_its_words(installation: Installation, words: list[str], offered: list[str]) -> None:
    assert kubectl(installation, "__complete", "fairshare", *words).stdout.splitlines() == offered


def test_nothing_is_said_where_names_cannot_be_had(installation: Installation) -> None:
    done = subprocess.run(
        [
            installation.folder / "bin" / "kubectl_complete-fairshare",
            "why",
            "--kubeconfig",
            "/no/such",
            "--context",
            "",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_script_for_kubectl_answers_as_the_installed_program_does(installation: Installation) -> None:
    script = installation.folder / "complete.sh"
    script.write_text(installation.output("kubectl-fairshare", "completion", "kubectl"))
    script.chmod(0o755)
    words = ["why", "-f", DEMO, "-n", ""]
    done = subprocess.run([script, *words], env=installation.environment(), capture_output=True, text=True, check=True)
    assert done.stdout == installation.output("kubectl_complete-fairshare", *words)
    assert done.stdout.splitlines() == ["chat", "etl", "search", "speech", "vision", ":4"]
