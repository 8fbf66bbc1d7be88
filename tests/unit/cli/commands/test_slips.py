"""Typical slips get the line that was meant."""

from collections.abc import Callable

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("shares org", "`kubectl-fairshare shares -f org`, for one queue `kubectl-fairshare shares --queue org`"),
        ("cycle org", "`kubectl-fairshare cycle -f org`"),
        ("plan -f org job.yaml", "`kubectl-fairshare plan -f org -w job.yaml`"),
        ("shares -f org vision", "`kubectl-fairshare shares -f org --queue vision`"),
        ("-f org shares", "options follow the command: `kubectl-fairshare shares -f org`"),
        ("--context x why job/a", "options follow the command: `kubectl-fairshare why --context x job/a`"),
    ],
)
def test_a_slip_is_answered_with_the_line_to_write(run: Run, slip: str, meant: str) -> None:
    screen = run(f"kubectl-fairshare {slip}")
    assert (screen.code, screen.stdout) == (2, "")
    assert f"{meant}\n" in screen.stderr


@pytest.mark.parametrize("call", ["--nope", "shares --nope", "completion bash more"])
def test_any_other_wrong_call_points_to_the_help(run: Run, call: str) -> None:
    assert "--help`\n" in run(f"kubectl-fairshare {call}").stderr
