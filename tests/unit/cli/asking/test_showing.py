"""Answers in the form that was asked for."""

import re
import shlex
import sys
import xml.etree.ElementTree as ET

import click
import pytest

from kubectl_fairshare.cli.options.origin import keep_typed, typed_command
from tests.screens import ROOT, shown
from tests.terminal import Terminal

ORG = f"-f {ROOT / 'testdata' / 'demo' / 'org'}"
JOB = f"-w {ROOT / 'testdata' / 'demo' / 'jobs' / 'reindex.yaml'}"
TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.mark.parametrize("question", ["shares", "cycle", "why -A", f"plan {JOB}"])
def test_a_screen_can_be_had_as_a_picture(question: str) -> None:
    command = f"kubectl-fairshare {question} {ORG}"
    screen, picture = shown(f"{command} --color never"), shown(f"{command} -o svg")
    title, *words = (each.text or "" for each in ET.fromstring(picture.stdout).iter(TEXT))
    typed = f"kubectl fairshare {question} {ORG}".replace(str(ROOT), "/repo")
    assert typed.startswith(title.replace("\xa0", " ").removesuffix("…"))
    assert re.sub(r"\s", "", screen.stdout) == re.sub(r"\s", "", "".join(words))
    assert picture.code == screen.code


def test_a_picture_shows_no_token() -> None:
    call = f"kubectl-fairshare shares -f {ROOT / 'testdata' / 'demo' / 'kai'} --usage main=gpu=0.1 -o svg"
    for secret in ("--token=abc", "--password abc"):
        titled = typed_title(f"{call} {secret}")
        assert "abc" not in titled


def typed_title(call: str) -> str:
    """The title of a picture of a call that is not made."""
    words = shlex.split(call)[2:]
    with click.Context(click.Command("shares"), info_name="shares") as ctx:
        keep_typed(ctx, words)
        return typed_command()


def test_a_picture_is_in_colour_wherever_it_goes() -> None:
    assert "fill: #" in shown(f"kubectl-fairshare plan {ORG} {JOB} -o svg --color never").stdout


@pytest.mark.parametrize(
    ("question", "rows", "hint"),
    [
        (
            f"plan {JOB}",
            24,
            r"\d+ of \d+ lines are above the screen: `--brief` has [1-8] lines?,\s+`\| less` has all",
        ),
        (f"plan {JOB}", 500, ""),
        (f"plan {JOB} -q", 24, ""),
        ("shares", 24, r"\d+ of \d+ lines are above the screen: `\| less` has all"),
    ],
)
def test_a_low_terminal_learns_how_to_see_the_whole_answer(question: str, rows: int, hint: str) -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "kubectl_fairshare", *f"{question} {ORG} --color never".split()]
    with Terminal(command, ROOT, environment, (80, rows)) as terminal:
        terminal.ended()
        above, _, verdict = terminal.screen.text().rpartition("⇒")
    assert "exact" in verdict
    found = re.search(r"\d+ of \d+ lines.*(?=\n$)", above, re.DOTALL)
    assert re.fullmatch(hint, found[0] if found else "")


@pytest.mark.parametrize(
    "command",
    [
        "help plan",
        "help K041",
        "help potential",
        "rule K041",
        "lint testdata/rules/K041/bad.yaml",
        "shares -f testdata/rules/K041 --each *",
    ],
)
def test_other_screens_have_the_hint_as_well(command: str) -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PYTHONPATH": str(ROOT)}
    program = [sys.executable, "-m", "kubectl_fairshare", *f"{command} --color never".split()]
    with Terminal(program, ROOT, environment, (80, 4)) as terminal:
        terminal.ended()
        lines = terminal.screen.text().splitlines()
    hint = next(line for line in reversed(lines) if not line.startswith(("⇒", "  rule")))
    assert re.fullmatch(r"\d+ of \d+ lines are above the screen: `\| less` has all", hint), lines[-3:]


def test_the_hint_counts_what_the_terminal_hides() -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "kubectl_fairshare", *f"shares {ORG}".split()]
    with Terminal(command, ROOT, environment, (80, 24)) as terminal:
        terminal.ended()
        lines = terminal.screen.text().splitlines()
    hidden = len(lines) + 1 - 24
    verdict = next(at for at, line in enumerate(lines) if line.startswith("⇒ "))
    assert lines[verdict - 1] == f"{hidden} of {len(lines) - 1} lines are above the screen: `| less` has all"


@pytest.mark.parametrize("queue", ["org --explain vision", "kai --explain vision", "koordinator --explain vision"])
def test_a_derivation_is_no_wider_than_the_screen(queue: str) -> None:
    screen = shown(f"kubectl-fairshare shares -f {ROOT / 'testdata' / 'demo'}/{queue}").stdout
    assert max(map(len, screen.splitlines())) <= 80
