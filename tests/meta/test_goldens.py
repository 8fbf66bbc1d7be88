"""The machinery of the kept screens: it notices a difference, writes on demand, and never writes in CI."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.screens import ROOT, Screen, command_of, compare, stream, words, written


def collected(*options: str, ci: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only", *options]
    environment = {**os.environ, "CI": ci}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)


@pytest.mark.parametrize("ci", ["true", pytest.param("1", marks=pytest.mark.slow)])
def test_rewriting_is_refused_in_ci(ci: str) -> None:
    done = collected("--rewrite-goldens", "tests/meta/test_goldens.py", ci=ci)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--rewrite-goldens is refused where CI is set" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("ci", ["", "false"])
def test_rewriting_is_possible_elsewhere(ci: str) -> None:
    assert collected("--rewrite-goldens", "tests/meta/test_goldens.py", ci=ci).returncode == pytest.ExitCode.OK


def test_a_difference_fails_and_is_shown(tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    kept.write_text("one\ntwo\n")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)-two.*\+three"):
        compare(kept, "one\nthree\n", rewrite=False)
    assert kept.read_text() == "one\ntwo\n"


def test_a_screen_that_was_never_kept_fails(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception):
        compare(tmp_path / "none.txt", "one\n", rewrite=False)


def test_what_was_rewritten_compares_equal(tmp_path: Path) -> None:
    kept = tmp_path / "deeper" / "kept.txt"
    compare(kept, "één\n", rewrite=True)
    compare(kept, "één\n", rewrite=False)


def test_a_screen_tells_everything_that_was_shown() -> None:
    screen = Screen("kubectl-fairshare plan", "no newline", "warning\n", 4)
    text = "$ kubectl-fairshare plan\nno newline⏎\n--- stderr\nwarning\n--- exit 4\n"
    assert str(screen) == text
    assert command_of(text) == "kubectl-fairshare plan"


def test_standard_input_comes_from_the_named_file(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"\x1f\x8b")
    assert words(f"kubectl fairshare shares -f - < {tmp_path}/in") == (["shares", "-f", "-"], b"\x1f\x8b")


@pytest.mark.parametrize("command", ["rm -r here", "kubectl delete pod", ""])
def test_no_other_program_is_run(command: str) -> None:
    with pytest.raises(ValueError, match="a screen begins with"):
        words(command)


def test_streams_carry_text_and_bytes() -> None:
    assert stream(b"\x1f\x8b").buffer.read() == b"\x1f\x8b"
    out = stream(b"")
    out.write("▲\n")
    assert written(out) == "▲\n"
