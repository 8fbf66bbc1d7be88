"""``--now``: the moment as of which ages are said. Tested in ``tests/unit/cli/test_why_names.py``."""

from typing import Final

import click

from kubectl_fairshare.model.moments import nanoseconds


def _moment(_: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A time in nanoseconds since the epoch; raises ``BadParameter`` for any other text."""
    if value is None:
        return None
    try:
        return nanoseconds(value)
    except ValueError:
        message = f"`{value}` is not a time; write it like `2026-01-31T12:00:00Z`"
        raise click.BadParameter(message, param=param) from None


now_option: Final = click.option(
    "--now", metavar="TIME", callback=_moment, help="Answer as of this time: 2026-01-31T12:00:00Z."
)
