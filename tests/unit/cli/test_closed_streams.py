"""Streams that are closed or full, as a shell hands them over."""

import os
import subprocess
import sys

import pytest

from tests.screens import ROOT

SHARES = "shares -f testdata/demo/org"
CLOSED = "cannot write to standard output: no space left on device"

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is full")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """What a shell sees of a command line after the program's name."""
    command = ["sh", "-c", f'"$0" -m kubectl_fairshare {line}', sys.executable]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.mark.parametrize("line", [f"{SHARES} >&-", "--version >&-", f"{SHARES} -o json >&-", f"{SHARES} 2>&- <&-"])
def test_a_closed_stream_is_no_error(line: str) -> None:
    done = shell(line)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_error_has_its_exit_code_where_nobody_reads_it() -> None:
    assert shell("shares -f nowhere 2>&-").returncode == 3


def test_standard_input_that_is_closed_is_told() -> None:
    done = shell("shares -f - <&-")
    assert (done.returncode, done.stderr.splitlines()[0]) == (3, "error: <stdin>: there is no standard input")


@needs_full
@pytest.mark.parametrize("line", [SHARES, f"{SHARES} -o json", "--version", "--help", "demo"])
def test_a_full_device_is_told_once(line: str) -> None:
    done = shell(f"{line} >/dev/full")
    assert done.returncode == 3
    assert done.stderr.splitlines()[0] == f"error: {CLOSED}"
    assert len(done.stderr.splitlines()) == 2
