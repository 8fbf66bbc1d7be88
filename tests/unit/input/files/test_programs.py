"""Other programs: what they leave behind holds up no answer, and how they end is said."""

import time
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.programs import output_of
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.model.errors import FairshareError, Problem

LONG = 20.0


def printed(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch, seconds: float = 0) -> bytes:
    program = folder / "builder"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return output_of(["builder"], "a source", Budget(1 << 20), "install it", Problem, seconds)


@pytest.mark.parametrize(
    "left", ["sleep 20 &", "sleep 20 2>/dev/null &", "sleep 20 >/dev/null &", "(sleep 20; echo late) &"]
)
def test_a_child_that_keeps_the_output_open_holds_up_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    start = time.monotonic()
    assert printed(tmp_path, f"{left}\necho done", monkeypatch) == b"done\n"
    assert time.monotonic() - start < LONG / 2


def test_all_that_was_printed_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = "sleep 20 &\ni=0; while [ $i -lt 20000 ]; do echo 12345678901234567890; i=$((i+1)); done"
    assert len(printed(tmp_path, script, monkeypatch)) == 20_000 * 21


def test_a_filter_that_outlives_the_program_prints_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a wrapper of kubectl: ``exec > >(filter)`` in bash does not wait for the filter."""
    assert printed(tmp_path, "{ echo one; sleep 0.3; echo two; } &\nexit 0", monkeypatch) == b"one\ntwo\n"


@pytest.mark.parametrize(
    ("script", "seconds", "said"),
    [
        ("kill -9 $$", 0, "it was ended by SIGKILL"),
        ("kill -9 $$", LONG, "it was ended by SIGKILL"),
        ("kill -15 $$", 0, "it was ended by SIGTERM"),
        ("exec sleep 20", 0.2, "it took more than 0.2s"),
        ("echo wrong >&2; exit 3", 0, "wrong\n"),
    ],
)
def test_how_a_program_ends_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, seconds: float, said: str
) -> None:
    with pytest.raises(FairshareError) as caught:
        printed(tmp_path, script, monkeypatch, seconds)
    assert caught.value.problems[0].message == said
