"""Shell completion: scripts, and the words that shells ask for."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen


@pytest.mark.parametrize(
    ("shell", "names"), [("bash", "complete -o nosort"), ("zsh", "#compdef"), ("fish", "complete")]
)
def test_every_shell_has_its_script(run: Callable[[str], Screen], shell: str, names: str) -> None:
    screen = run(f"kubectl-fairshare completion {shell}")
    assert (screen.code, screen.stderr) == (0, "")
    assert names in screen.stdout
    assert f"_KUBECTL_FAIRSHARE_COMPLETE={shell}_complete" in screen.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="checks the script with bash itself")
def test_bash_takes_its_script(run: Callable[[str], Screen]) -> None:
    script = run("kubectl-fairshare completion bash").stdout
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("kubectl-fairshare sh", ["plain,shares"]),
        ("kubectl-fairshare shares --exp", ["plain,--explain"]),
        ("kubectl-fairshare shares -o y", ["plain,yaml"]),
        ("kubectl-fairshare shares -f o", ["file,o"]),
    ],
)
def test_words_are_completed(root: Path, words: str, offered: list[str]) -> None:
    environment = {
        **os.environ,
        "_KUBECTL_FAIRSHARE_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    command = [sys.executable, "-m", "kubectl_fairshare"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == offered
