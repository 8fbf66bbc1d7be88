"""A word while something takes long."""

import io

import pytest

from kubectl_fairshare.cli.progress import progress


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
