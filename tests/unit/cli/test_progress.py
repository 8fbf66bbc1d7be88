"""A word while something takes long."""

import io
import time

import pytest

from kubectl_fairshare.cli.progress import Done, progress
from tests.screens import shown


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_what_is_quick_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    stream = Terminal()
    with progress(stream, "reading"):
        pass
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("stream", "quiet"), [(io.StringIO(), False), (Terminal(), True)])
def test_a_file_and_a_quiet_call_see_nothing(stream: io.StringIO, quiet: bool) -> None:
    with progress(stream, "reading", quiet=quiet):
        pass
    assert stream.getvalue() == ""


def test_an_error_inside_goes_on() -> None:
    with pytest.raises(KeyError), progress(Terminal(), "reading"):
        raise KeyError


def test_a_terminal_sees_the_share_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("kubectl_fairshare.cli.progress._PATIENCE", 0.01)
    stream = Terminal()
    with progress(stream, "simulating") as done:
        done(0, 0)
        time.sleep(0.2)
        done(3, 8)
        time.sleep(0.3)
    assert "simulating …" in stream.getvalue()
    assert "simulating … 37 %" in stream.getvalue()


def test_a_simulation_tells_how_many_jobs_have_come() -> None:
    told: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Done, "__call__", lambda _, done, whole: told.append((done, whole)))
        shown("kubectl-fairshare simulate -f testdata/simulate/org.yaml --scenario testdata/simulate/week.yaml")
        assert told[-1] == (43, 43)
        assert told == sorted(told)
        told.clear()
        grown = "--overlay-set grown=testdata/simulate/speech-grows.yaml"
        shown(
            f"kubectl-fairshare simulate -f testdata/simulate/org.yaml --scenario testdata/simulate/week.yaml {grown}"
        )
    assert told == [(0, 2), (1, 2)]
