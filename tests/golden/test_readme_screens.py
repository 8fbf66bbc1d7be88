"""README shows real screens: each ``console`` block with output is printed again, in the demo's folder."""

import re
from collections.abc import Callable
from contextlib import chdir

import pytest

from tests.screens import ROOT, shown

README = ROOT / "README.md"
BLOCK = re.compile(r"^```console\n(\$ kubectl[ -]fairshare [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_THE_DEMO = re.compile(r"-f (?:org|capacity|kai|turns\.yaml)(?: |$)")


def commands() -> list[str]:
    """The commands of README that are run in the demo's folder."""
    found = [opening.removeprefix("$ ") for opening, _ in BLOCK.findall(README.read_text(encoding="utf-8"))]
    return [command for command in found if IN_THE_DEMO.search(command)]


def test_the_main_commands_are_shown() -> None:
    assert {command.split()[2] for command in commands()} == {"shares", "plan", "why", "cycle", "lint", "simulate"}


@pytest.mark.usefixtures("run")
def test_readme_shows_what_is_printed(golden: Callable[[str, str], None]) -> None:
    golden("../../README.md", BLOCK.sub(_printed_again, README.read_text(encoding="utf-8")))


def _printed_again(block: re.Match[str]) -> str:
    """The block with what its command prints now; one that is not about the demo stays."""
    opening = block[1]
    command = opening.removeprefix("$ ")
    if not IN_THE_DEMO.search(command):
        return block[0]
    with chdir(ROOT / "testdata" / "demo"):
        screen = shown(command)
    assert screen.stderr == ""
    assert screen.code in (0, 1, 4)
    return f"```console\n{opening}\n{screen.stdout}```"
