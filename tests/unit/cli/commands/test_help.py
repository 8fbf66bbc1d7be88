"""``help``: commands, terms, laws and rules in the terminal."""

from collections.abc import Callable

import click
import pytest

from kubectl_fairshare.cli.program import COMMANDS, GROUPS, program
from kubectl_fairshare.schedulers import every_scheduler
from tests.screens import Screen

Run = Callable[[str], Screen]


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("", "Check a change\n"),
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


def section_titles(screen: str) -> list[str]:
    return [line for line in screen.splitlines() if line.endswith(":") and not line.startswith(" ")]


@pytest.mark.parametrize("command", ["why", "plan", "shares", "lint", "snapshot"])
def test_a_help_has_own_options_examples_and_how_to_see_those_that_are_shared(run: Run, command: str) -> None:
    screen = run(f"kubectl-fairshare {command} --help").stdout
    assert [title for title in section_titles(screen) if title != "Workload:"] == ["Options:", "Examples:"]
    assert f"`kubectl-fairshare {command} --help-all`: options for input" in screen
    assert "--filename" not in screen


@pytest.mark.parametrize("command", ["why", "plan", "shares", "lint", "snapshot"])
def test_the_whole_help_has_own_options_first_and_examples_last(run: Run, command: str) -> None:
    screen = run(f"kubectl-fairshare {command} --help-all").stdout
    titles = section_titles(screen)
    assert titles[0] == "Options:"
    assert titles[-1] == "Examples:"
    assert {"Input:", "Cluster:", "Output:"} <= {*titles}
    assert "kubectl fairshare " in screen.rstrip().splitlines()[-1]


def test_a_command_that_shares_no_options_has_one_help(run: Run) -> None:
    assert "--help-all" not in run("kubectl-fairshare completion --help").stdout


def test_the_help_of_the_program_fits_on_one_screen_and_names_every_command(run: Run) -> None:
    lines = run("kubectl-fairshare --help").stdout.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line in GROUPS] == ["Ask", "Check a change", "Plan ahead", "Set up"]
    words = set(" ".join(lines).replace(",", "").split())
    assert words >= {*COMMANDS}


ASKING = ("shares", "plan", "why", "cycle", "diff", "capacity", "search", "report", "trace")


@pytest.mark.parametrize("command", ASKING)
def test_a_command_that_asks_a_scheduler_accepts_what_changes_how_it_decides(command: str) -> None:
    context = click.Context(program)
    found = {each.name for each in program.get_command(context, command).params}  # type: ignore[union-attr]

    general = [option for house in every_scheduler() for option in house.options if not option.commands]
    assert {option.name for option in general} <= found


def test_a_simulation_accepts_only_what_is_for_it_too() -> None:
    context = click.Context(program)
    found = {each.name for each in program.get_command(context, "simulate").params}  # type: ignore[union-attr]
    options = [option for house in every_scheduler() for option in house.options]

    assert {o.name for o in options if "simulate" in o.also} <= found
    assert not {o.name for o in options if "simulate" not in o.also} & found


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_is_short_and_the_whole_help_has_what_it_leaves_out(run: Run, command: str) -> None:
    short = run(f"kubectl-fairshare {command} --help").stdout
    assert len(short.splitlines()) <= 40
    context = click.Context(program)
    found = program.get_command(context, command)
    assert found is not None
    if "--help-all" not in short:
        return
    whole = run(f"kubectl-fairshare {command} --help-all").stdout
    shown = [option for option in found.params if isinstance(option, click.Option) and not option.hidden]
    assert [option.opts[0] for option in shown if f"{option.opts[0]}" not in whole] == []
