"""Spans of time as options take them, and the options of each play.

Tested in ``tests/unit/policy/simulation/test_command.py``.
"""

from typing import Final

import click

from kubectl_fairshare.api import durations


def span(_: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A span of time as nanoseconds; raises ``BadParameter`` for anything else."""
    if value is None:
        return None
    try:
        found = durations.nanoseconds(value)
    except ValueError:
        found = -1
    if found < 0:
        raise click.BadParameter(f"`{value}` is not a span of time; write `90s`, `5m` or `168h`", param=param)
    return found


checkpoint_option: Final = click.option(
    "--checkpoint",
    callback=span,
    metavar="SPAN",
    help="Evicted jobs continue from checkpoints so far apart. [restart from zero]",
)
stopping_option: Final = click.option(
    "--stopping", callback=span, metavar="SPAN", help="How long evicted pods still hold what they have. [0s]"
)
