"""The screens of the first pages on a real terminal: nothing wider than it by accident, the same without colour.

A message of a scheduler is quoted on one line, so that it can be searched for; nothing else may be too wide.
"""

import os
import re
import shlex
import sys

import pytest

from tests.golden.test_pages import DEMO, screens
from tests.screens import ROOT
from tests.terminal import Terminal

PAGES = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in ("on-call", "gitops", "shares"))]
COMMANDS = sorted(
    {command.replace("testdata/churn", "../churn") for page in PAGES for command in screens(page)}
    | {f"kubectl fairshare {each}" for each in ("help K027", "help potential", "test org", "shares")}
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
QUOTED = ("couldn't assign flavors", "Workload no longer fits")
pytestmark = pytest.mark.slow


def printed(command: str, columns: int, **more: str) -> tuple[str, str]:
    """The text that is left on the terminal, and all that was sent."""
    words = shlex.split(command)[2:]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KUBECONFIG": os.devnull, **more}
    environment.pop("FORCE_COLOR", None)
    with Terminal([sys.executable, "-m", "kubectl_fairshare", *words], DEMO, environment, (columns, 24)) as terminal:
        terminal.ended()
        return terminal.screen.text(), terminal.said


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_screen_fits_and_says_the_same_without_colour(command: str, columns: int) -> None:
    text, said = printed(command, columns)
    plain, sent = printed(command, columns, NO_COLOR="1")
    assert text == plain
    assert COLOUR.search(said), "a terminal gets colours"
    assert not COLOUR.search(sent)
    wide = [line for line in plain.splitlines() if len(line) > columns and not line.strip().startswith(QUOTED)]
    assert wide == []
    assert plain.strip()


def test_the_pages_have_screens() -> None:
    assert len(COMMANDS) > 10
