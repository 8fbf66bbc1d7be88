"""Options for answering repeatedly."""

from collections.abc import Callable

import pytest

from kubectl_fairshare.cli.options.watch_options import check_watched, interval_of
from kubectl_fairshare.model.errors import UsageError
from tests.screens import Screen


def test_the_interval_is_five_seconds_unless_another_is_given() -> None:
    assert interval_of({"watch": True, "interval": None}, "text") == 5
    assert interval_of({"watch": True, "interval": 9.0}, "json") == 9
    assert interval_of({"watch": False, "interval": None}, "csv") is None


def test_an_interval_needs_watch_and_watch_a_format_with_an_end() -> None:
    with pytest.raises(UsageError, match="needs `--watch`"):
        interval_of({"watch": False, "interval": 9.0}, "text")
    with pytest.raises(UsageError, match="does not support `-o csv`"):
        interval_of({"watch": True, "interval": None}, "csv")


def test_standard_input_is_not_read_twice() -> None:
    check_watched(None, "-")
    check_watched(5, "org")
    with pytest.raises(UsageError, match="read only once"):
        check_watched(5, "org", "-")


@pytest.mark.parametrize("text", ["soon", "500ms", "2h"])
def test_other_durations_are_refused(run: Callable[[str], Screen], text: str) -> None:
    assert run(f"kubectl-fairshare cycle -f testdata/demo/org --watch --interval {text}").code == 2
