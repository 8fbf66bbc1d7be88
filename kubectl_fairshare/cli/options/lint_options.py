"""The options of ``lint`` for those who live with it: settings, baseline, fixes."""

from collections.abc import Callable
from typing import Any, Final

import click

_PATH: Final = click.Path(readable=False, dir_okay=False)

_OPTIONS: Final = (
    click.option(
        "--config",
        type=_PATH,
        help="Settings; without it .fairshare.yaml here or above, up to the root of the git repository.",
    ),
    click.option("--baseline", type=_PATH, help="Leave out the findings that are known from this file."),
    click.option("--write-baseline", type=_PATH, help="Write what is found to this file, to be known from then on."),
    click.option("--fix", is_flag=True, help="Mend files in place where nothing that was meant can change by it."),
    click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: make the fixes that want a look, too."),
    click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing."),
)


def living_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command these options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
