"""The options of ``lint`` for those who live with it: settings, baseline, fixes.

Tested in ``tests/unit/cli/options/test_label_selector.py``.
"""

from collections.abc import Callable
from typing import Any, Final

import click

from kubectl_fairshare.schedulers import lint_houses

_PATH: Final = click.Path(readable=False, dir_okay=False)

_OPTIONS: Final = (
    click.option(
        "--settings",
        "--config",
        "config",
        type=_PATH,
        metavar="FILE",
        help="Settings file, or git:REV:FILE. [.fairshare.yaml here or above]",
    ),
    click.option("--baseline", type=_PATH, help="Do not report findings that this file lists."),
    click.option("--write-baseline", type=_PATH, help="Write all findings to this file, for --baseline."),
    click.option(
        "--output-dir",
        type=click.Path(readable=False, file_okay=False),
        metavar="DIR",
        help="With -o sarif: write files into this folder, each with at most 20 units, as code scanning takes them.",
    ),
    click.option("--fix", is_flag=True, help="Fix files in place where the fix cannot change what you meant."),
    click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also make fixes that you should review."),
    click.option("--diff", is_flag=True, help="Show what --fix would change; change nothing."),
)


def living_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command these options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def release_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command an option for the release of each scheduler whose rules depend on it."""
    for house in reversed(lint_houses()):
        if house.releases is not None:
            title, newest, option = house.releases[:3]
            former = f"--{house.releases.setting}"
            shown = click.option(
                option, metavar="X.Y[,X.Y...]", help=f"Release of {title}, or several to judge by. [{newest}]"
            )
            command = shown(click.option(former, hidden=True)(command))
    return command


def named_releases(chosen: dict[str, Any]) -> dict[str, str | None]:
    """The releases that these options name, by scheduler, taken out of ``chosen``."""
    found = {}
    for house in lint_houses():
        if house.releases is not None:  # the setting's name was the option's, too
            written = [_taken(chosen, name) for name in (house.releases.option, house.releases.setting)]
            found[house.name] = next((text for text in written if text is not None), None)
    return found


def _taken(chosen: dict[str, Any], option: str) -> str | None:
    """The value of an option, taken out of ``chosen``."""
    value = chosen.pop(option.removeprefix("--").replace("-", "_"))
    return None if value is None else str(value)
