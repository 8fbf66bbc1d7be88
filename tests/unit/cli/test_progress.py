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


CASES = "testdata/conformance/elasticquota.jsonl.gz"
WHOLES = {
    "simulate -f testdata/simulate/org.yaml --scenario testdata/simulate/week.yaml": 43,
    "forecast -f testdata/forecast/cluster.yaml --seeds 3 --default-duration 1h": 3,
    "search -f testdata/demo/org --never 'cascade > 9' --workloads 1 --random 40": 70,
    "lint testdata/gitops/repository": None,
    "lint testdata/demo/org": None,
    f"conformance --engine elasticquota {CASES}": None,
}
"""Calls, and the whole of what each tells: jobs, plays, sequences; units of a repository, rules, bytes of a file."""


@pytest.mark.parametrize("call", WHOLES)
def test_what_takes_long_tells_how_much_of_how_many_is_done(call: str) -> None:
    told: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Done, "__call__", lambda _, done, whole: told.append((done, whole)))
        shown(f"kubectl-fairshare {call}")
    wholes = {whole for _, whole in told}
    assert len(wholes) == 1
    assert told[-1][0] == told[-1][1] == (WHOLES[call] or told[-1][1]) > 1
    assert told == sorted(told)


def test_a_comparison_tells_how_many_simulations_are_done() -> None:
    told: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Done, "__call__", lambda _, done, whole: told.append((done, whole)))
        grown = "--overlay-set grown=testdata/simulate/speech-grows.yaml"
        shown(
            f"kubectl-fairshare simulate -f testdata/simulate/org.yaml --scenario testdata/simulate/week.yaml {grown}"
        )
    assert told == [(0, 2), (1, 2)]
