"""When screens are coloured, and how wide they are."""

import io
import os
from collections.abc import Iterator
from time import sleep

import pytest

from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import AsciiStream, LogStream, Sheet, Streams, colours
from tests.screens import shown, stream


@pytest.mark.parametrize("made", [LogStream, AsciiStream])
def test_a_stream_whose_stream_is_closed_is_forgotten_without_a_word(made: type[LogStream | AsciiStream]) -> None:
    behind = io.StringIO()
    ours = made(behind)
    behind.close()
    ours.flush()


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "wish", "environment", "expected"),
    [
        (True, "auto", {}, "standard"),
        (True, "auto", {"TERM": "xterm-256color"}, "256"),
        (True, "auto", {"COLORTERM": "truecolor"}, "truecolor"),
        (False, "auto", {}, ""),
        (False, "auto", {"FORCE_COLOR": "1"}, "standard"),
        (False, "auto", {"FORCE_COLOR": ""}, ""),
        (True, "auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, ""),
        (True, "auto", {"NO_COLOR": "1"}, ""),
        (True, "auto", {"NO_COLOR": ""}, "standard"),
        (True, "auto", {"TERM": "dumb"}, ""),
        (False, "always", {"NO_COLOR": "1", "TERM": "dumb"}, "standard"),
        (True, "never", {"FORCE_COLOR": "1"}, ""),
    ],
)
def test_colour(
    terminal: bool, wish: str, environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colours(Terminal() if terminal else io.StringIO(), wish) == expected


@pytest.mark.parametrize(
    ("out", "columns", "width"), [(Terminal(), "120", 120), (Terminal(), "9", 40), (stream(b""), "120", 80)]
)
def test_width(out: io.StringIO, columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert Streams(stream(b""), out, stream(b"")).width == width


@pytest.mark.parametrize(
    ("out", "lines", "height"), [(Terminal(), "30", 30), (Terminal(), "0", None), (stream(b""), "30", None)]
)
def test_height(out: io.StringIO, lines: str, height: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", lines)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((80, 0)))
    assert Streams(stream(b""), out, stream(b"")).height == height


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress without patience, outside of CI."""
    monkeypatch.setattr("kubectl_fairshare.cli.progress._PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("CI", raising=False)


def said(where: io.StringIO, *, quiet: bool = False, patience: int = 1000) -> str:
    """What stands there while something is done, after so many hundredths of a second at most; then it is over."""
    with progress(where, "reading", quiet=quiet):
        for _ in range(patience):
            if "reading" in where.getvalue():
                break
            sleep(0.01)
        return where.getvalue()


def test_progress_is_quiet_while_it_is_quick() -> None:
    where = Terminal()
    with progress(where, "reading"):
        pass
    assert where.getvalue() == ""


@pytest.mark.usefixtures("at_once")
def test_progress_says_what_lasts_and_wipes_it_away() -> None:
    where = Terminal()
    assert "reading …" in said(where)
    assert where.getvalue().endswith("\x1b[?25h\r\x1b[1A\x1b[2K")


@pytest.mark.parametrize(
    ("where", "environment", "quiet"),
    [
        (io.StringIO(), {}, False),
        (Terminal(), {}, True),
        (Terminal(), {"CI": "true"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (Sheet(Terminal()), {}, False),
    ],
    ids=["no terminal", "quiet", "CI", "dumb terminal", "to be written later"],
)
@pytest.mark.usefixtures("at_once")
def test_nobody_is_told_of_progress_who_does_not_look(
    monkeypatch: pytest.MonkeyPatch, where: io.StringIO, environment: dict[str, str], quiet: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert said(where, quiet=quiet, patience=20) == ""


@pytest.mark.usefixtures("at_once")
def test_ci_that_is_off_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "false")
    assert "reading …" in said(Terminal())


def test_a_margin_is_not_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert Streams(None, Terminal(), stream(b""), margin=2).width == 98
    assert Streams(None, stream(b""), stream(b""), margin=2).width == 78


@pytest.mark.parametrize("where", [Terminal(), io.StringIO()])
def test_a_sheet_looks_as_the_stream_that_it_is_for(where: io.StringIO) -> None:
    assert Sheet(where).isatty() is where.isatty()


@pytest.mark.parametrize(
    "command",
    [
        "kubectl-fairshare why --help-all",
        "kubectl-fairshare cycle -f testdata/elasticquota/cluster.yaml",
        "kubectl-fairshare shares -f testdata/kai/org --usage testdata/kai/usage.yaml --explain product",
    ],
)
def test_helps_and_errors_are_ascii_on_wish(command: str) -> None:
    screen = shown(f"{command} --ascii")
    assert not shown(command).stdout.isascii() or not shown(command).stderr.isascii()
    assert screen.stdout.isascii()
    assert screen.stderr.isascii()
    assert "\\u" not in screen.stdout
    assert max(map(len, screen.stdout.splitlines()), default=0) <= 80


def test_a_sheet_keeps_pieces_in_order_and_makes_late_ones_once() -> None:
    made: list[str] = []

    def pieces() -> Iterator[str]:
        for text in ("b", "c"):
            made.append(text)
            yield text

    sheet = Sheet(io.StringIO())
    sheet.write("a")
    sheet.write_later(pieces())
    sheet.write("d")
    assert made == []
    assert sheet.getvalue() == sheet.getvalue() == "abcd"
    assert made == ["b", "c"]
    out = io.StringIO()
    sheet.pour(out)
    sheet.pour(out)
    assert out.getvalue() == "abcd"
