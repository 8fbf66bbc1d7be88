"""``help``: commands, terms, laws and rules in the terminal."""

from collections.abc import Callable

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("", "Commands:"),
        ("plan", "Usage: kubectl-fairshare plan "),
        ("potential", "the most that a queue could ever use"),
        ("fair share", "KAI: fair share"),
        ("s2-a", "kueue-s2a\n"),
        ("kueue-s2a", "kueue-s2a\n"),
        ("K041", "K041 cohort-cycle"),
        ("cohort-cycle", "K041 cohort-cycle"),
    ],
)
def test_a_topic_is_explained(run: Run, topic: str, text: str) -> None:
    screen = run(f"kubectl-fairshare help {topic}")
    assert (screen.code, screen.stderr) == (0, "")
    assert text in screen.stdout


def test_an_unknown_topic_is_refused_with_near_ones(run: Run) -> None:
    screen = run("kubectl-fairshare help potenial")
    assert (screen.code, "did you mean `potential`" in screen.stderr) == (2, True)


@pytest.mark.parametrize("command", ["why", "plan", "shares", "lint", "snapshot"])
def test_a_help_has_own_options_first_and_examples_last(run: Run, command: str) -> None:
    screen = run(f"kubectl-fairshare {command} --help").stdout
    titles = [line for line in screen.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles[0] == "Options:"
    assert titles[-1] == "Examples:"
    assert "kubectl fairshare " in screen.rstrip().splitlines()[-1]
