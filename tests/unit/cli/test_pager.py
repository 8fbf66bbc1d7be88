"""The pager: on a terminal, and only where an answer is longer than the screen."""

import io
import os
import sys
from pathlib import Path

import pytest

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.pager import is_paged, pager
from kubectl_fairshare.cli.streams import AsciiStream, LogStream, Streams, TerminalStream
from kubectl_fairshare.model.errors import UsageError
from tests.screens import ROOT
from tests.terminal import Terminal

ORG = ROOT / "testdata" / "demo" / "org"


def on_terminal(words: str, tmp_path: Path, rows: int = 24, **environment: str) -> tuple[str, int]:
    """What a terminal shows of a command, and its exit code."""
    given = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "kubectl_fairshare", *words.split(), "--color", "never"]
    with Terminal(command, ROOT, given, (80, rows)) as terminal:
        code = terminal.ended()
        return terminal.screen.text(), code


def keeping(tmp_path: Path) -> str:
    """A pager that keeps what it is given, with the options that it got."""
    script = tmp_path / "my pager"
    script.write_text(f'#!/bin/sh\necho "$1 $LESS" > {tmp_path}/options\ncat > {tmp_path}/text\necho seen\n', "utf-8")
    script.chmod(0o755)
    return f"'{script}' -x"


def test_a_long_answer_is_for_the_pager_without_the_line_that_counts_what_is_hidden(tmp_path: Path) -> None:
    shown, code = on_terminal(f"shares -f {ORG}", tmp_path, FAIRSHARE_PAGER=keeping(tmp_path))
    whole, _ = on_terminal(f"shares -f {ORG}", tmp_path, 500)
    assert (shown, code) == ("seen", 0)
    assert (tmp_path / "text").read_text("utf-8").rstrip("\n") == whole
    assert (tmp_path / "options").read_text("utf-8") == "-x FRX\n"


@pytest.mark.parametrize(("words", "rows"), [("", 500), ("--no-pager", 24), ("-o json", 24), ("-o csv", 24)])
def test_what_fits_and_what_is_for_programs_is_not(tmp_path: Path, words: str, rows: int) -> None:
    shown, _ = on_terminal(f"shares -f {ORG} {words}", tmp_path, rows, FAIRSHARE_PAGER=keeping(tmp_path))
    assert "vision" in shown
    assert not (tmp_path / "text").exists()


@pytest.mark.parametrize("named", ["", "cat", "no-such-pager"])
def test_without_a_pager_the_answer_says_what_is_above_the_screen(tmp_path: Path, named: str) -> None:
    shown, code = on_terminal(f"shares -f {ORG}", tmp_path, FAIRSHARE_PAGER=named)
    assert "lines are above the screen" in shown
    assert code == 0


@pytest.mark.slow
def test_the_answers_of_all_units_are_for_the_pager_together(tmp_path: Path) -> None:
    quotas = (ORG / "research.yaml").read_text("utf-8")
    for name, amount in (("eu", "12"), ("us", "16")):
        folder = tmp_path / "repository" / "overlays" / name
        folder.mkdir(parents=True)
        (folder / "kustomization.yaml").write_text("resources: [queues.yaml]\n", "utf-8")
        (folder / "queues.yaml").write_text(quotas.replace("nominalQuota: 12", f"nominalQuota: {amount}"), "utf-8")
    words = f"shares -f {tmp_path}/repository --quiet"
    shown, code = on_terminal(words, tmp_path, FAIRSHARE_PAGER=keeping(tmp_path))
    whole, _ = on_terminal(words, tmp_path, 500)
    assert (shown, code) == ("seen", 0)
    text = (tmp_path / "text").read_text("utf-8")
    assert text.rstrip("\n") == whole
    assert text.count("\nunit ") + text.startswith("unit ") == 2
    (tmp_path / "text").unlink()
    without, _ = on_terminal(f"{words} --no-pager", tmp_path, FAIRSHARE_PAGER=keeping(tmp_path))
    assert "above" in without or "unit " in without
    assert not (tmp_path / "text").exists()


def test_the_exit_code_is_that_of_the_answer_whatever_the_pager_does(tmp_path: Path) -> None:
    job = ROOT / "testdata" / "demo" / "jobs" / "reindex.yaml"
    assert on_terminal(f"plan -f {ORG} -w {job}", tmp_path, FAIRSHARE_PAGER="false") == ("", 4)


def test_the_settings_of_the_user_name_one_unless_the_environment_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("PAGER", raising=False)
    assert pager() == ["less"]
    monkeypatch.setenv("PAGER", "more -e")
    assert pager() == ["more", "-e"]
    (tmp_path / "kubectl-fairshare").mkdir()
    (tmp_path / "kubectl-fairshare" / "config.yaml").write_text("pager: most +s\n", "utf-8")
    assert pager() == ["most", "+s"]
    monkeypatch.setenv("FAIRSHARE_PAGER", "cat")
    assert pager() == []
    monkeypatch.setenv("FAIRSHARE_PAGER", "less 'x")
    with pytest.raises(UsageError, match="not a command"):
        pager()


def test_a_terminal_in_memory_has_no_pager(monkeypatch: pytest.MonkeyPatch) -> None:
    class Seen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "xterm")
    assert not is_paged(Streams(None, Seen(), Seen()), ScreenOptions())


def test_the_pager_gets_what_the_terminal_would() -> None:
    """Nothing that others wrote is a command for the terminal behind the pager."""
    end = io.StringIO()
    for stream in (LogStream(end), TerminalStream(end), AsciiStream(TerminalStream(end))):  # type: ignore[arg-type]
        text = "⇒ \x1b]0;title\x07 \x1b[1mbold\x1b[0m\n::error::x\n"
        end.seek(0)
        end.truncate()
        stream.write(text)
        assert Streams(None, stream, end).as_written(text) == end.getvalue()  # type: ignore[arg-type]
    assert os.linesep == "\n"
