"""The next commands ask the same input: they repeat the options that chose it, and no token."""

import click
import pytest

from kubectl_fairshare.cli.options.origin import keep_typed, origin_of
from kubectl_fairshare.cli.program import program
from kubectl_fairshare.report.next_steps import GivenOptions


def typed(*words: str) -> GivenOptions:
    # a command keeps the option for its help as the first context has it
    parent = click.Context(program, **program.context_settings)
    command = program.get_command(parent, "why")
    assert command is not None
    ctx = click.Context(command, parent)
    keep_typed(ctx, words)
    return origin_of(ctx)


def test_files_overlays_and_the_mode_are_repeated_as_typed() -> None:
    words = ("-f", "org dir", "--filename=more.yaml", "--overlay", "o.yaml", "--classical", "--complete")
    origin = typed(*words, "job/x", "-n", "team")
    again = origin.repeated("kubectl fairshare why job/y -n team")
    for word in ("-f 'org dir'", "-f more.yaml", "--overlay o.yaml", "--classical", "--complete"):
        assert word in again
    assert again.startswith("kubectl fairshare why job/y -n team ")
    assert again.count("-n ") == 1
    assert origin.repeated("kubectl describe job/y -n team") == "kubectl describe job/y -n team"


@pytest.mark.parametrize("token", ["--token", "--prometheus-token"])
def test_a_token_is_on_no_screen(token: str) -> None:
    origin = typed("--context", "prod", token, "secret", "job/x")
    assert origin.repeated("kubectl fairshare why job/y") == "kubectl fairshare why job/y --context prod"
    assert origin.repeated("kubectl describe job/y") == "kubectl describe job/y --context prod"
