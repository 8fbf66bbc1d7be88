"""``report``: a page in a file or on standard output, and what is in it."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import ROOT, Screen
from tests.terminal import Terminal

Run = Callable[[str], Screen]


@pytest.mark.slow
def test_the_page_is_written_whole_or_not_at_all(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run(f"kubectl-fairshare report -q -f testdata/demo/org -o {page}").code == 0
    assert page.read_text(encoding="utf-8").endswith("</html>\n")
    found = run(f"kubectl-fairshare report -q -f testdata/demo/org -o {tmp_path}/none/page.html")
    assert found.code == 3
    assert "no such file or directory" in found.stderr


@pytest.mark.slow
def test_findings_can_be_left_out(run: Run) -> None:
    bad = "report -q -f testdata/kai/org"
    assert "<td>A" in run(f"kubectl-fairshare {bad}").stdout
    assert "No finding." in run(f"kubectl-fairshare {bad} --no-lint").stdout


@pytest.mark.slow
def test_the_moment_of_the_answer_is_said(run: Run) -> None:
    page = run("kubectl-fairshare report -q -f testdata/demo/org --now 2026-03-02T12:00:00Z").stdout
    assert "as of 2026-03-02T12:00:00Z" in page


def test_what_cannot_be_read_is_an_error_and_no_page(run: Run) -> None:
    found = run("kubectl-fairshare report -f no-such-file")
    assert found.code == 3
    assert found.stdout == ""
    assert run("kubectl-fairshare report -f testdata/demo/org -l a=b").code == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("report -f testdata/demo/org", "has 2 waiting workloads and 0 findings, exact"),
        ("snapshot -f testdata/demo/org", "has pseudonyms instead of names"),
        ("snapshot -f testdata/demo/org --redact none", "has the objects with their real names, without secrets"),
    ],
)
def test_a_terminal_learns_what_was_written(command: str, said: str, tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    program = [sys.executable, "-m", "kubectl_fairshare", *command.split(), "-o", str(tmp_path / "x")]
    with Terminal(program, ROOT, environment, (200, 24)) as terminal:
        terminal.ended()
        assert f"{tmp_path / 'x'} {said}" in terminal.screen.text()
