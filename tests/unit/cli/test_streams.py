"""When screens are coloured, and how wide they are."""

import io
from time import sleep

import pytest

from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams, coloured
from tests.screens import stream


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "wish", "environment", "expected"),
    [
        (True, "auto", {}, True),
        (False, "auto", {}, False),
        (True, "auto", {"NO_COLOR": "1"}, False),
        (True, "auto", {"NO_COLOR": ""}, True),
        (True, "auto", {"TERM": "dumb"}, False),
        (False, "always", {"NO_COLOR": "1"}, True),
        (True, "never", {}, False),
    ],
)
def test_colour(
    terminal: bool, wish: str, environment: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert coloured(Terminal() if terminal else io.StringIO(), wish) is expected


@pytest.mark.parametrize(
    ("out", "columns", "width"), [(Terminal(), "120", 120), (Terminal(), "9", 40), (stream(b""), "120", 80)]
)
def test_width(out: io.StringIO, columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert Streams(stream(b""), out, stream(b"")).width == width


def test_progress_is_quiet_while_it_is_quick_and_off_a_terminal() -> None:
    for where in (Terminal(), io.StringIO()):
        with progress(where, "reading"):
            pass
        assert where.getvalue() == ""


def test_progress_says_what_lasts_and_wipes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_fairshare.cli.progress._PATIENCE", 0.0)
    where = Terminal()
    with progress(where, "reading"):
        for _ in range(1000):
            if where.getvalue() == "reading …":
                break
            sleep(0.01)
    assert where.getvalue().startswith("reading …")
    assert where.getvalue().endswith("\r\x1b[K")
