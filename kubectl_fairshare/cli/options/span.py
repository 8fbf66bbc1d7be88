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
    found = span_of(value)
    if found is None:
        raise click.BadParameter(f"`{value}` is not a span of time; write `90s`, `5m` or `168h`", param=param)
    return found


def span_of(text: str) -> int | None:
    """A span of time as nanoseconds; None for anything else."""
    try:
        found = durations.nanoseconds(text)
    except ValueError:
        return None
    return found if found >= 0 else None


checkpoint_option: Final = click.option(
    "--checkpoint",
    callback=span,
    metavar="SPAN",
    help="Interval between checkpoints from which evicted jobs resume. [restart from zero]",
)
stopping_option: Final = click.option(
    "--stopping", callback=span, metavar="SPAN", help="How long evicted pods keep their resources. [0s]"
)
